package whatif

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// ClassChange is what a plan means to the pods that have the same tolerations, wherever
// they run.
//
// It is plain data; the lists must not be written to.
type ClassChange struct {
	// Owner is whose pods the plan gives another list. It is empty for pods that keep
	// theirs, whose owners may differ.
	Owner string
	// Before and After are the lists of the pods without the plan and with it.
	Before, After []toleration.Toleration
	// Pods counts those that run and those that wait.
	Pods int
	// Gained and Lost are how many nodes the pods fit with the plan and not without it, and
	// the other way round (rule F2).
	Gained, Lost int
	// Evicted is how many of the pods are evicted because of the plan.
	Evicted int
}

// tally counts for a class of pods that keep their list.
type tally struct{ pods, gained, lost, evicted uint32 }

// keeping is a ClassChange for pods that keep their list.
type keeping struct {
	list []toleration.Toleration
	tally
}

func (k *keeping) change() ClassChange {
	return ClassChange{
		Before: k.list, After: k.list, Pods: int(k.pods),
		Gained: int(k.gained), Lost: int(k.lost), Evicted: int(k.evicted),
	}
}

// judgeClasses finds the classes of pods that gain or lose nodes: a class loses a node that it
// fits before the plan, and not with the taints of before and after together. It gains one that it
// fits after the plan, and not with both.
func (e *evaluation) judgeClasses() {
	r := e.result
	before := e.fits(func(a *alike) []taint.Taint { return a.before })
	both := e.fits(func(a *alike) []taint.Taint { return slices.Concat(a.before, a.after) })
	after := both
	if slices.ContainsFunc(e.alike, func(a *alike) bool { return !a.onlyAdds() }) {
		after = e.fits(func(a *alike) []taint.Taint { return a.after })
	}
	for class, t := range e.tallies {
		t.lost, t.gained = before[class]-both[class], after[class]-both[class]
		if t.pods > 0 && t.gained+t.lost+t.evicted > 0 {
			r.classes = append(r.classes, keeping{e.pods.classes.Tolerations(index.PodClass(class)), t})
		}
	}
}

// onlyAdds reports whether the nodes are known to keep their taints: a plan puts others first.
func (a *alike) onlyAdds() bool {
	n := len(a.after) - len(a.before)
	return n >= 0 && taint.Equal(a.before, a.after[n:])
}

// fits returns for each class of pods how many of the nodes that change would fit, if they had the
// taints that of returns.
func (e *evaluation) fits(of func(*alike) []taint.Taint) []uint32 {
	ix := index.New(e.rules)
	ix.Load(func(yield func(string, []taint.Taint) bool) {
		for i := range e.nodes {
			if n := &e.nodes[i]; n.changed {
				if name, _ := e.fleet.Name(n.id); !yield(name, of(n.alike)) {
					return
				}
			}
		}
	})
	counts := make([]uint32, len(e.tallies))
	if ix.Len() > 0 {
		ix.Snapshot().Sweep(make([]index.Fit, 1), &e.pods.classes, func(_ int, class index.PodClass, f *index.Fit) bool {
			counts[class] = uint32(f.Len())
			return true
		})
	}
	return counts
}

// fitter asks a snapshot about lists, one after the other.
type fitter struct {
	matcher compile.Matcher
	of      index.Fit
	words   []uint64
}

func (f *fitter) fit(fleet *index.Snapshot, list []toleration.Toleration) *index.Fit {
	fleet.Compile(&f.matcher, list)
	fleet.Fit(&f.of, &f.matcher)
	return &f.of
}

// judgeRollouts finds which nodes are gained and lost by pods that get another list. Owners
// whose pods have the same lists before and after share the work.
func (e *evaluation) judgeRollouts() {
	rollouts := e.result.rollouts
	slices.SortStableFunc(rollouts, func(a, b *rollout) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.list, b.list))
	})
	var old, updated fitter
	for i, c := range rollouts {
		if i > 0 && rollouts[i-1].class == c.class && rollouts[i-1].list == c.list {
			c.Gained, c.Lost, c.left = rollouts[i-1].Gained, rollouts[i-1].Lost, rollouts[i-1].left
			continue
		}
		e.judgeRollout(c, &old, &updated)
	}
}

// judgeRollout compares what fits the old list with what fits the new one: first as if the
// plan changed no taints, and then where it does.
func (e *evaluation) judgeRollout(c *rollout, old, updated *fitter) {
	old.words = old.fit(e.fleet, c.Before).AppendWords(old.words[:0])
	updated.words = updated.fit(e.fleet, c.After).AppendWords(updated.words[:0])
	kept := 0 // nodes that fit without the plan and with it
	for i, word := range old.words {
		kept += bits.OnesCount64(word & updated.words[i])
	}
	c.left = updated.of.Len()
	for _, a := range e.alike {
		if !a.changed {
			continue
		}
		_, refused := match.FirstUntolerated(a.after, c.After, taint.Hard, e.rules)
		if would := updated.of.HasClass(a.class); would == refused {
			more := a.nodes
			if refused {
				more = -more
			}
			if c.left += more; old.of.HasClass(a.class) {
				kept += more
			}
		}
	}
	c.Gained, c.Lost = c.left-kept, old.of.Len()-kept
}

// Classes iterates over the classes of pods that gain or lose nodes, or of which some
// are evicted: first those that keep their list, and then those that get another one.
func (r *Result) Classes() iter.Seq[ClassChange] {
	return func(yield func(ClassChange) bool) {
		for i := range r.classes {
			if !yield(r.classes[i].change()) {
				return
			}
		}
		for _, c := range r.rollouts {
			if !yield(c.ClassChange) {
				return
			}
		}
	}
}

// Unschedulable returns those of the classes of [Result.Classes] that fit no node with the
// plan: their evicted pods find no place, and the other pods cannot be replaced. It returns
// nil if there are none. Each call computes the answer anew.
func (r *Result) Unschedulable() (classes []ClassChange) {
	var f fitter
	for i := range r.classes {
		if k := &r.classes[i]; f.fit(r.fleet, k.list).Len()+int(k.gained) == int(k.lost) {
			classes = append(classes, k.change())
		}
	}
	for _, c := range r.rollouts {
		if c.left == 0 {
			classes = append(classes, c.ClassChange)
		}
	}
	return classes
}
