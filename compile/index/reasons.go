package index

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/taint"
)

// Reason is a taint and how many nodes it keeps a pod from, being the first in
// the order of the node that is left untolerated (rule F3).
//
// A Reason is a plain value; it retains the strings of the taint.
type Reason struct {
	Taint taint.Taint
	Nodes int
}

// String returns the reason in the form in which schedulers report it:
//
//	3 node(s) had untolerated taint {dedicated: gpu}
//
// The effect is left out, so that two reasons may differ only in the number.
func (r Reason) String() string {
	return fmt.Sprintf("%d node(s) had untolerated taint {%s: %s}", r.Nodes, r.Taint.Key, r.Taint.Value)
}

// AppendReasons appends to dst the reasons why nodes do not fit, and returns the
// extended slice: the taints that refuse most nodes first, and those that refuse
// equally many by key, value and effect. It appends the first most of them, and all if
// most is negative. It looks at every class in the snapshot and sorts those that do not
// fit, for which it needs as much room in dst as there are of them.
func (f *Fit) AppendReasons(dst []Reason, most int) []Reason {
	if f.snapshot == nil || f.whole == wholeAll || most == 0 {
		return dst
	}
	start := len(dst)
	var last [256]struct { // by the end of an index, so that few reasons are to be sorted
		id compile.TaintID
		at int
	}
	for position := range f.snapshot.positions() {
		class := f.snapshot.classes.At(position)
		if i, refused := f.matcher.FirstUntolerated(class.taints, taint.Hard); refused {
			id := class.taints[i]
			seen := &last[hardIndex(id)%len(last)]
			if seen.id != id {
				seen.id, seen.at = id, len(dst)
				dst = append(dst, Reason{Taint: f.snapshot.taint(id)})
			}
			dst[seen.at].Nodes += int(class.nodes)
		}
	}
	merged := mergeReasons(dst[start:])
	slices.SortFunc(merged, func(a, b Reason) int { return cmp.Or(cmp.Compare(b.Nodes, a.Nodes), byTaint(a, b)) })
	if most > 0 && len(merged) > most {
		merged = merged[:most]
	}
	clear(dst[start+len(merged):]) // retain no strings after the end
	return dst[:start+len(merged)]
}

// mergeReasons sorts reasons by taint and makes one of those for the same. It
// writes over them.
func mergeReasons(reasons []Reason) []Reason {
	slices.SortFunc(reasons, byTaint)
	merged := reasons[:0]
	for _, r := range reasons {
		if n := len(merged); n > 0 && merged[n-1].Taint == r.Taint {
			merged[n-1].Nodes += r.Nodes
		} else {
			merged = append(merged, r)
		}
	}
	return merged
}

func byTaint(a, b Reason) int {
	return cmp.Or(cmp.Compare(a.Taint.Key, b.Taint.Key), cmp.Compare(a.Taint.Value, b.Taint.Value),
		cmp.Compare(a.Taint.Effect, b.Taint.Effect))
}
