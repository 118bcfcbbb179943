package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/parallel"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// What becomes of a taint.
const (
	untolerated = iota
	tolerated
	toleratedForSomeTime
)

// taint returns the index of a taint.
func (b *builder) taint(t *taint.Taint) int {
	key := strconv.Quote(t.Key) + strconv.Quote(t.Value) + strconv.Quote(string(t.Effect))
	i, found := b.taintOf[key]
	if !found {
		i = len(b.taints)
		b.taintOf[key] = i
		plain := taint.Taint{Key: t.Key, Value: t.Value, Effect: t.Effect}
		b.taints = append(b.taints, plain)
		b.Taints = append(b.Taints, Taint{plain.String(), b.key(plain.Key), string(plain.Effect), toleration.For(&plain).String()})
	}
	return i
}

// key returns the number of a key.
func (b *builder) key(key string) int {
	n, found := b.keys[key]
	if !found {
		n = len(b.keys)
		b.keys[key] = n
	}
	return n
}

// reasons explains each taint to each row: a reason depends on nothing else.
func (b *builder) reasons() {
	b.NearTaints = min(len(b.taints), maxNear/max(1, len(b.rows)))
	if b.NearTaints < len(b.taints) {
		b.Notes = append(b.Notes, fmt.Sprintf("Explained are the first %d of %d taints.", b.NearTaints, len(b.taints)))
	}
	found := make([][]why, len(b.rows))
	parallel.Do(len(b.rows), func() func(int) {
		return func(i int) { found[i] = b.why(b.rows[i]) }
	})
	known := map[why]uint32{{reason: untolerated, index: -1}: 0}
	details := map[string]int{"": 0}
	b.Details = []string{""}
	b.Reasons = []Reason{{untolerated, -1, 0}}
	near := make([]uint32, 0, len(b.rows)*b.NearTaints)
	for i := range found {
		for _, w := range found[i] {
			n, seen := known[w]
			if !seen {
				n = uint32(len(known))
				known[w] = n
				b.Reasons = append(b.Reasons, Reason{w.reason, w.index, indexOf(&b.Details, details, w.detail)})
			}
			near = append(near, n)
		}
		found[i] = nil
	}
	b.near, b.Near = near, pack(near)
}

// why is why a taint is tolerated or not.
type why struct {
	reason, index int
	detail        string
}

// compared is how many pairs of keys package explain compares for one question.
const compared = 10_000

// why returns the reasons of the row for all taints. It asks about one of those that are
// alike to the row: first about those together whose key the list has, and then about
// others so that no more keys are compared than for a node.
func (b *builder) why(r *row) []why {
	w := &asking{builder: b, row: r, details: make(map[miss]string)}
	first, like := b.alike(r)
	w.all = make([]why, len(first))
	keys := make(map[string]bool)
	for i := range r.tolerations {
		keys[r.tolerations[i].Key] = true
	}
	var exact, others []int // of first
	for i, t := range first {
		if keys[b.taints[t].Key] {
			exact = append(exact, i)
		} else {
			others = append(others, i)
		}
	}
	w.explain(first, exact)
	for part := range slices.Chunk(others, max(1, compared/max(1, len(r.tolerations)))) {
		w.explain(first, part)
	}
	w.limited(first)
	all := make([]why, len(like))
	for t, i := range like {
		all[t] = w.all[i]
	}
	return all
}

// kindOfTaint is what decides what a list of tolerations says about a taint: its value
// does not, unless the list has it.
type kindOfTaint struct {
	key    int
	effect taint.Effect
	value  string
	listed bool
}

// alike returns the first taint of each kind, and for each taint the index of its kind. If
// the list compares values, each of them is of its own kind.
func (b *builder) alike(r *row) (first, like []int) {
	values := make(map[string]bool)
	compares := false
	for i := range r.tolerations {
		values[r.tolerations[i].Value] = true
		compares = compares || r.tolerations[i].Operator.Comparison()
	}
	known := make(map[kindOfTaint]int)
	like = make([]int, b.NearTaints)
	for t := range like {
		x := &b.taints[t]
		kind := kindOfTaint{key: b.Taints[t].Key, effect: x.Effect}
		if compares || values[x.Value] {
			kind.value, kind.listed = x.Value, true
		}
		i, found := known[kind]
		if !found {
			i = len(first)
			known[kind] = i
			first = append(first, t)
		}
		like[t] = i
	}
	return first, like
}

// asking is a row whose reasons are looked for.
type asking struct {
	*builder
	row     *row
	all     []why // by kind of taint
	details map[miss]string
}

// explain finds the reasons for some kinds of taints, of which first has one each.
func (w *asking) explain(first, kinds []int) {
	q := explain.Query{Rules: w.fleet.Rules, Taints: pick(w.taints, pick(first, kinds)), Tolerations: w.row.tolerations}
	e := q.Explain()
	for i, kind := range kinds {
		r := &e.Reasons[i]
		m := miss{r.Index, r.Differs}
		if _, known := w.details[m]; !known {
			w.details[m] = detail(r)
		}
		w.all[kind] = why{untolerated, r.Index, w.details[m]}
		if r.Tolerated {
			w.all[kind].reason = tolerated
		}
	}
}

// limited finds the taints that are tolerated for some time only: those for which a
// toleration has to be added so that pods may stay.
func (w *asking) limited(first []int) {
	q := explain.Query{Rules: w.fleet.Rules, Taints: pick(w.taints, first), Tolerations: w.row.tolerations}
	missing := make(map[taint.Taint]bool)
	for _, t := range q.Add(explain.ToStay).Additions {
		missing[taint.Taint{Key: t.Key, Value: t.Value, Effect: t.Effect}] = true
	}
	for i := range w.all {
		if w.all[i].reason == tolerated && missing[q.Taints[i]] {
			w.all[i].reason = toleratedForSomeTime
		}
	}
}

// miss is a toleration and what keeps it from tolerating a taint.
type miss struct {
	index   int
	differs explain.Mismatch
}

// detail returns what keeps the nearest miss from tolerating the taint.
func detail(r *explain.Reason) string {
	if r.Tolerated || r.Index < 0 {
		return ""
	}
	before := fmt.Sprintf("%s is not tolerated; nearest is tolerations[%d], %s: ", r.Taint, r.Index, r.Toleration)
	return strings.TrimPrefix(r.String(), before)
}
