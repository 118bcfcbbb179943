package reconcile_test

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint/reconcile"
	"github.com/tolero-dev/tolero/toleration"
)

// A default cluster refuses a new Gt or Lt, except where there is one already.
func TestComparisonsNeedTheGate(t *testing.T) {
	const refused = "refused: a>5 cannot be added; the cluster refuses a new Gt or Lt, because its feature gate TaintTolerationComparisonOperators is off"
	const forbidden = "forbidden: a>5 cannot be added here"
	for _, c := range []struct {
		object              reconcile.Object
		live, last, desired string
		off, on, applied    string // the last with the gate off
	}{
		{reconcile.Pod, "x", "", "a>5", refused, "add a>5", ""},
		{reconcile.GatedPod, "x", "", "a>5", refused, "add a>5", ""},
		{reconcile.SuspendedJob, "x", "", "a>5", refused, "add a>5", ""},
		{reconcile.RunningJob, "x", "", "a>5", forbidden, forbidden, ""},
		{reconcile.Pod, "x", "a>5", "a>5", refused, "add a>5", "a>5"}, // somebody has taken it off
		{reconcile.Pod, "b<7", "", "a>5", "add a>5", "add a>5", "a>5"},
		{reconcile.SuspendedJob, "b<7", "b<7", "a>5", "add a>5\nremove b<7", "add a>5\nremove b<7", "a>5"},
		{reconcile.Pod, "a>5", "a>5", "a>5", "nothing to do", "nothing to do", "a>5"},
		{reconcile.Pod, "a>5:NoExecute@3", "a>5:NoExecute@3", "a>5:NoExecute@4", "update a>5:NoExecute@3 to a>5:NoExecute@4", "update a>5:NoExecute@3 to a>5:NoExecute@4", "a>5:NoExecute@4"},
		{reconcile.Pod, "x", "", "c,a>5", "add c\n" + refused, "add c\nadd a>5", "c"},
	} {
		for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
			var lists [3][]toleration.Toleration
			for i, text := range [...]string{c.live, c.last, c.desired} {
				lists[i], _ = notation.Tolerations(text)
			}
			want := c.off
			if rules.Comparisons {
				want = c.on
			}
			p := reconcile.Tolerations(c.object, lists[0], lists[1], lists[2], rules)
			if got := p.String(); got != want || !rules.Comparisons && toleration.FormatList(p.Applied) != c.applied {
				t.Errorf("%v, %+v, live %q, last %q, desired %q: %s, applied %s", c.object, rules, c.live, c.last, c.desired, got, toleration.FormatList(p.Applied))
			}
		}
	}
}

// With the gate off, owners commute too, unless one removes the last comparison and the
// other adds one: whether there is one is for the API server all that matters.
func TestOwnersCommuteWithTheGateOff(t *testing.T) {
	items, _ := notation.Tolerations("a>1,a>2,b>1,b")
	var live, one, other [][]toleration.Toleration
	for list := range matchtest.Lists(items, 2) {
		list = slices.Clone(list)
		if tolerations(toleration.Rules{}, reconcile.Pod).unique(list) {
			live = append(live, list)
		}
		has := func(key string) bool {
			return slices.ContainsFunc(list, func(t toleration.Toleration) bool { return t.Key == key })
		}
		if !has("b") {
			one = append(one, list)
		}
		if !has("a") {
			other = append(other, list)
		}
	}
	cases, exceptions := 0, 0
	for _, object := range []reconcile.Object{reconcile.Pod, reconcile.SuspendedJob} {
		for _, live := range live {
			for w1 := range pairs(one) {
				for w2 := range pairs(other) {
					x, lostX := inTurn(object, live, w1, w2)
					y, lostY := inTurn(object, live, w2, w1)
					cases++
					switch {
					case toleration.Equal(inOrder(x), inOrder(y)):
					case (lostX || lostY) && (compares(w1[1]) || compares(w2[1])):
						exceptions++
					default:
						t.Fatalf("%v, live %s, wishes %s and %s: %s and %s", object, live, w1, w2, toleration.FormatList(x), toleration.FormatList(y))
					}
				}
			}
		}
	}
	if cases < 10_000 || exceptions == 0 || exceptions*10 > cases {
		t.Errorf("%d cases, %d exceptions", cases, exceptions)
	}
}

func compares(list []toleration.Toleration) bool {
	return slices.ContainsFunc(list, func(x toleration.Toleration) bool { return x.Operator.Comparison() })
}

// pairs iterates over what an owner can have applied last and want.
func pairs(lists [][]toleration.Toleration) iter.Seq[[2][]toleration.Toleration] {
	return func(yield func([2][]toleration.Toleration) bool) {
		for _, last := range lists {
			for _, desired := range lists {
				if !yield([2][]toleration.Toleration{last, desired}) {
					return
				}
			}
		}
	}
}

// inTurn has owners make what they wish of a list in a default cluster. It reports whether
// one takes the last comparison off.
func inTurn(object reconcile.Object, live []toleration.Toleration, wishes ...[2][]toleration.Toleration) (after []toleration.Toleration, lost bool) {
	for _, wish := range wishes {
		p := reconcile.Tolerations(object, live, wish[0], wish[1])
		next := p.Apply(nil, live)
		lost = lost || compares(live) && !compares(next)
		live = next
	}
	return live, lost
}

// A wish is refused exactly if the API server would refuse it, and says so in words.
func TestRefusalsAgreeWithUpdateAllowed(t *testing.T) {
	items, _ := notation.Tolerations("a>1,a,b<2:NoExecute@3")
	var lists [][]toleration.Toleration
	for list := range matchtest.Lists(items, 2) {
		lists = append(lists, slices.Clone(list))
	}
	for _, object := range []reconcile.Object{reconcile.Pod, reconcile.GatedPod, reconcile.SuspendedJob} {
		for _, live := range lists {
			for _, desired := range lists {
				p := reconcile.Tolerations(object, live, nil, desired)
				refused := slices.ContainsFunc(p.Conflicts, func(c reconcile.Conflict[toleration.Toleration]) bool { return c.Kind == reconcile.Refused })
				on := reconcile.Tolerations(object, live, nil, desired, toleration.Rules{Comparisons: true})
				if allowed := reconcile.UpdateAllowed(object, live, on.Apply(nil, live)) == nil; allowed == refused {
					t.Errorf("%v: live %s, desired %s: allowed %t, %s", object, toleration.FormatList(live), toleration.FormatList(desired), allowed, p)
				}
				if refused != strings.Contains(p.String(), "feature gate") {
					t.Errorf("no words: %s", p)
				}
			}
		}
	}
}
