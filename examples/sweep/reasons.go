package main

import (
	"cmp"
	"slices"
	"strings"
)

// vocabulary numbers the reasons that a fleet can give, in the order of their
// names, so that counting them takes no strings.
type vocabulary struct {
	reasons []reason // by number; the nodes are not counted here
	of      [][]int  // the number of each taint of each class of nodes
}

func newVocabulary(nodes []*nodeClass) *vocabulary {
	v := &vocabulary{of: make([][]int, len(nodes))}
	numbers := make(map[reason]int)
	for _, class := range nodes {
		for _, t := range class.taints {
			numbers[reason{key: t.Key, value: t.Value}] = 0
		}
	}
	for r := range numbers {
		v.reasons = append(v.reasons, r)
	}
	slices.SortFunc(v.reasons, func(a, b reason) int {
		return cmp.Or(strings.Compare(a.key, b.key), strings.Compare(a.value, b.value))
	})
	for i, r := range v.reasons {
		numbers[r] = i
	}
	for i, class := range nodes {
		v.of[i] = make([]int, len(class.taints))
		for j, t := range class.taints {
			v.of[i][j] = numbers[reason{key: t.Key, value: t.Value}]
		}
	}
	return v
}

// top returns the most frequent reasons, at most limit of them, by falling
// count and then by name, and what the others come to. counts has the nodes of
// each reason by number, and is set to zero. The time is proportional to the
// number of reasons, as a fleet in which every node has its own taint has many.
func (v *vocabulary) top(counts []int64, limit int) (list []reason, rest others) {
	for number, n := range counts {
		if n == 0 {
			continue
		}
		counts[number] = 0
		rest.taints++
		rest.nodes += n
		i, _ := slices.BinarySearchFunc(list, n, func(r reason, n int64) int {
			if r.nodes >= n { // of equal counts, the first name stays in front
				return -1
			}
			return 1
		})
		if i == limit {
			continue
		}
		r := v.reasons[number]
		r.nodes = n
		list = slices.Insert(list[:min(len(list), limit-1)], i, r)
	}
	for _, r := range list {
		rest.taints--
		rest.nodes -= r.nodes
	}
	return list, rest
}
