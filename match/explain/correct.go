package explain

import (
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Correct returns the smallest change of the pod's tolerations, of the kinds below, that
// reaches the goal, for those who write the list. It corrects a misspelled key or a wrong value, effect or
// operator, and removes seconds that are in the way. After it the pod tolerates every
// taint of this node that the goal asks for, but may no longer tolerate others: unlike
// [Query.Edit], Correct may replace what a toleration matches.
//
// The smallest change changes the fewest fields, as [Repair.Size] counts them: an addition
// counts as four. Of several, Correct takes one that widens the fewest fields, where to
// widen is to make an operator Exists, Gt or Lt, or to remove an effect. Of these it takes
// one with the fewest edits. The same query always gets the same answer. No change of these
// kinds is smaller, unless a toleration has seconds without the effect NoExecute, which the
// API server refuses.
//
// Correct chooses among these changes:
//
//   - A toleration with the key of a taint that the goal asks for gets another operator,
//     value or effect, or loses its seconds.
//   - So does a toleration with a misspelled key, and gets the right one. A key is taken
//     for misspelled if no taint of the node has it, and if it is like the key of a taint
//     in the way, as a nearest miss is (see [Reason]). Of several such keys, the most
//     alike is the right one, and of equally alike ones the first. At most 10,000 pairs
//     of keys are compared; Truncated of the [Repair] says whether there were more.
//   - A toleration without a key loses its seconds.
//   - What [Query.Add] can add is added.
//
// Changes of other kinds may be smaller, and Correct does not choose them, because they
// give up what a toleration is for or tolerate more than the node asks for:
//
//   - A key that is not misspelled stays. The pod has foo=x:NoSchedule for other nodes; if
//     this one has bar=x:NoSchedule, Correct adds a toleration, which counts as four. To
//     change the key would count as one, and keep the pod from the nodes with foo.
//   - A toleration without a key gets none and keeps its effect. With *:NoExecute and the
//     taint k:NoSchedule, Correct adds a toleration of that taint. To change the effect
//     would count as one, and tolerate the NoSchedule taints of all keys.
//   - An addition tolerates one taint, also where a wider one would serve for several.
//   - No toleration is removed or moved, and none gets other seconds than it has.
//
// If the toleration and the taints are valid, the edited toleration is valid too. It has
// seconds only with NoExecute, a value that goes with its operator, and Gt or Lt only if
// the cluster counts them.
//
// If the goal asks for taints that are not valid, one without a key or two with the same
// key and effect, Correct returns what [Query.Edit] does. If values are hidden, no edit
// has a value that the pod does not have already: Exists takes its place, which changes
// two fields. The edits can still give away a value, or rule one out. Correct takes
// n log n steps.
func (q *Query) Correct(goal Goal) Repair {
	if c := newCorrector(q, goal); c != nil {
		return c.repair()
	}
	return q.Edit(goal)
}

// repair returns the corrections of all keys together.
func (c *corrector) repair() Repair {
	corrections, opened := c.corrections()
	var edits []Edit
	for _, j := range opened {
		t := c.Tolerations[j]
		t.TolerationSeconds = nil
		edits = append(edits, Edit{Index: j, Old: c.Tolerations[j], New: t})
	}
	for i := range corrections {
		for _, e := range corrections[i].edits {
			edits = append(edits, Edit{Index: e.index, Old: c.Tolerations[e.index], New: e.form})
		}
	}
	slices.SortFunc(edits, func(d, e Edit) int { return d.Index - e.Index })
	return Repair{Goal: c.goal, Additions: c.additions(corrections), Edits: edits, Truncated: c.truncated}
}

// corrections returns the smallest correction for each key, and the tolerations without a
// key that lose their seconds.
//
// A toleration without a key can come first for taints of several keys. Removing its
// seconds is one change that serves them all, and is needless if each is served without
// it.
func (c *corrector) corrections() (list []correction, opened []int) {
	list = make([]correction, len(c.keys))
	sharing := make(map[int]*shared)
	for i, k := range c.keys {
		list[i] = c.correct(k, nowhere)
		if j := c.limiting(k); j != nowhere {
			if sharing[j] == nil {
				sharing[j] = &shared{open: measure{fields: 1, edits: 1}}
			}
			sharing[j].add(i, list[i], c.correct(k, j))
		}
	}
	for j, s := range sharing {
		if !s.closed.less(&s.open) {
			opened = append(opened, j)
			for n, i := range s.keys {
				list[i] = s.corrections[n]
			}
		}
	}
	return list, opened
}

// shared compares removing the seconds of a toleration without a key with keeping them,
// for the keys for whose taint it comes first.
type shared struct {
	keys         []int
	corrections  []correction // of each of them, without the seconds
	open, closed measure      // of all of them, without the seconds and with them
}

func (s *shared) add(key int, closed, open correction) {
	s.keys, s.corrections = append(s.keys, key), append(s.corrections, open)
	s.closed.add(&closed.measure)
	s.open.add(&open.measure)
}

// additions returns those of the corrections, in the order of the node.
func (c *corrector) additions(list []correction) []toleration.Toleration {
	added := make(map[*taint.Taint]bool)
	for i := range list {
		for _, x := range list[i].added {
			added[x] = true
		}
	}
	var taints []*taint.Taint
	for i := range c.Taints {
		if x := &c.Taints[i]; added[x] {
			taints = append(taints, x)
		}
	}
	return c.Query.additions(taints)
}
