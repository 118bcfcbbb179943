package matrix

import (
	"cmp"
	"slices"
)

// histogram counts nodes by reason. It starts from common counts, and to find
// the most frequent reasons takes time for those whose counts were changed, not
// for all: a fleet in which every node has its own taint has many.
type histogram struct {
	*common
	counts  []int64 // by number
	changed []int   // the numbers of those that may differ from the common ones
	marked  []bool  // by number: in changed
}

// common is counts that histograms start from. They are only read.
type common struct {
	*vocabulary
	start []int64 // by number
	order []int   // the numbers with nodes, the most frequent first, then by number
}

func newCommon(v *vocabulary, counts []int64) *common {
	c := &common{vocabulary: v, start: counts}
	for number, n := range counts {
		if n > 0 {
			c.order = append(c.order, number)
		}
	}
	slices.SortFunc(c.order, byFrequency(counts))
	return c
}

func byFrequency(counts []int64) func(a, b int) int {
	return func(a, b int) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) }
}

func (c *common) histogram() *histogram {
	return &histogram{common: c, counts: slices.Clone(c.start), marked: make([]bool, len(c.start))}
}

// add counts n more nodes, which may be negative, for the reason of a number.
func (h *histogram) add(number int, n int64) {
	h.counts[number] += n
	if !h.marked[number] {
		h.marked[number] = true
		h.changed = append(h.changed, number)
	}
}

// top returns the most frequent reasons, at most limit of them, by falling count
// and then by name, and how many more there are.
func (h *histogram) top(limit int) (list []reason, more int64) {
	slices.SortFunc(h.changed, byFrequency(h.counts))
	first, less := h.order, byFrequency(h.counts)
	changed := h.changed
	for len(list) < limit {
		for len(first) > 0 && h.marked[first[0]] {
			first = first[1:]
		}
		next := &first
		if len(changed) > 0 && h.counts[changed[0]] > 0 && (len(first) == 0 || less(changed[0], first[0]) < 0) {
			next = &changed
		}
		if len(*next) == 0 {
			break
		}
		number := (*next)[0]
		*next = (*next)[1:]
		list = append(list, h.reasons[number])
		list[len(list)-1].nodes = h.counts[number]
	}
	return list, h.distinct() - int64(len(list))
}

// distinct returns how many reasons have nodes.
func (h *histogram) distinct() int64 {
	n := len(h.order)
	for _, number := range h.changed {
		if h.start[number] > 0 {
			n--
		}
		if h.counts[number] > 0 {
			n++
		}
	}
	return int64(n)
}

// reset goes back to the common counts.
func (h *histogram) reset() {
	for _, number := range h.changed {
		h.counts[number], h.marked[number] = h.start[number], false
	}
	h.changed = h.changed[:0]
}
