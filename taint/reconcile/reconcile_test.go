package reconcile_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/input"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/reconcile"
	"github.com/tolero-dev/tolero/toleration"
)

type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// kind is what taints and tolerations have in common here.
type kind[T fmt.Stringer] struct {
	plan    func(live, last, desired []T) reconcile.Plan[T]
	matches func(t, u *T) bool
	same    func(t, u *T) bool
	format  func([]T) string
}

var taints = kind[taint.Taint]{
	reconcile.Taints, (*taint.Taint).Matches,
	func(t, u *taint.Taint) bool { return t.Matches(u) && t.Value == u.Value },
	taint.FormatList,
}

func tolerations(rules toleration.Rules, object reconcile.Object) kind[toleration.Toleration] {
	return kind[toleration.Toleration]{
		func(live, last, desired []toleration.Toleration) reconcile.Plan[toleration.Toleration] {
			return reconcile.Tolerations(object, live, last, desired, rules)
		},
		(*toleration.Toleration).Matches, (*toleration.Toleration).Equal, toleration.FormatList,
	}
}

// find returns the first item with the same identity, or nil.
func (k kind[T]) find(list []T, x *T) *T {
	for i := range list {
		if k.matches(&list[i], x) {
			return &list[i]
		}
	}
	return nil
}

// unique reports whether no two items have the same identity.
func (k kind[T]) unique(list []T) bool {
	for i := range list {
		if k.find(list[:i], &list[i]) != nil {
			return false
		}
	}
	return true
}

// laws checks what package reconcile promises for any lists.
func (k kind[T]) laws(t tester, live, last, desired []T, allowed func(reconcile.Op) bool) {
	t.Helper()
	p := k.plan(live, last, desired)
	after := p.Apply(nil, live)
	where := fmt.Sprintf("live %s, last %s, desired %s:\n%s\nafter %s, applied %s",
		k.format(live), k.format(last), k.format(desired), p, k.format(after), k.format(p.Applied))

	again := k.plan(after, p.Applied, desired)
	if len(again.Changes) > 0 || k.format(again.Applied) != k.format(p.Applied) {
		t.Fatalf("%s\nnot idempotent: %s", where, again)
	}
	if retry := k.plan(after, last, desired); k.unique(live) && len(retry.Changes) > 0 {
		t.Fatalf("%s\na retry changes: %s", where, retry)
	}
	for _, c := range p.Changes {
		if !allowed(c.Op) {
			t.Fatalf("%s\nnot allowed", where)
		}
		if old := c.Old; old != nil && (k.find(last, old) == nil || !k.same(k.find(last, old), old)) {
			t.Fatalf("%s\ntouches what others own", where)
		}
		if (c.Old == nil) != (c.Op == reconcile.Add) || (c.New == nil) != (c.Op == reconcile.Remove) || (c.Index == -1) != (c.Old == nil) || c.Index < -1 {
			t.Fatalf("%s\n%+v", where, c)
		}
	}
	for i := range live {
		owned := k.find(last, &live[i])
		if owned != nil && k.same(owned, &live[i]) && k.find(live[:i], &live[i]) == nil {
			continue
		}
		if !slices.ContainsFunc(after, func(x T) bool { return x.String() == live[i].String() }) {
			t.Fatalf("%s\nloses %s, which is another owner's", where, live[i])
		}
	}
	k.outcome(t, where, &p, after, desired, last, k.unique(live))
}

// outcome: what is wanted is there or in a conflict, what is no longer wanted is gone
// or in a conflict, and what is applied is there.
func (k kind[T]) outcome(t tester, where string, p *reconcile.Plan[T], after, desired, last []T, unique bool) {
	t.Helper()
	inConflict := func(x *T) bool {
		return slices.ContainsFunc(p.Conflicts, func(c reconcile.Conflict[T]) bool {
			return c.Desired != nil && k.matches(c.Desired, x) || c.Desired == nil && k.matches(c.Last, x)
		})
	}
	for i := range desired {
		x := k.find(desired, &desired[i]) // the first counts
		if found := k.find(after, x); (found == nil || !k.same(found, x)) && !inConflict(x) {
			t.Fatalf("%s\n%s is missing without a conflict", where, *x)
		}
	}
	for i := range last {
		x := k.find(last, &last[i])
		if k.find(desired, x) == nil && k.find(after, x) != nil && !inConflict(x) && unique {
			t.Fatalf("%s\n%s is left without a conflict", where, *x)
		}
	}
	for i := range p.Applied {
		forbidden := slices.ContainsFunc(p.Conflicts, func(c reconcile.Conflict[T]) bool { return c.Kind >= reconcile.Forbidden })
		if found := k.find(after, &p.Applied[i]); !forbidden && (found == nil || !k.same(found, &p.Applied[i])) {
			t.Fatalf("%s\n%s is not there", where, p.Applied[i])
		}
	}
}

func anything(reconcile.Op) bool { return true }

// noRemoval is what the API server allows for pods.
func noRemoval(a reconcile.Op) bool { return a != reconcile.Remove }

func nothing(reconcile.Op) bool { return false }

var allowedFor = map[reconcile.Object]func(reconcile.Op) bool{
	reconcile.Pod: noRemoval, reconcile.GatedPod: noRemoval, reconcile.SuspendedJob: anything, reconcile.RunningJob: nothing,
}

func TestLawsExhaustively(t *testing.T) {
	var nodes [][]taint.Taint
	items, _ := notation.Taints("a=1:NoSchedule,a=2:NoSchedule,a=1:NoExecute")
	for list := range matchtest.Lists(items, 2) {
		nodes = append(nodes, slices.Clone(list))
	}
	var pods [][]toleration.Toleration
	items2, _ := notation.Tolerations("a:NoExecute,a:NoExecute@5,a>1")
	for list := range matchtest.Lists(items2, 2) {
		pods = append(pods, slices.Clone(list))
	}
	for i, live := range nodes {
		for j, last := range nodes {
			for k, desired := range nodes {
				taints.laws(t, live, last, desired, anything)
				for object, allowed := range allowedFor {
					tolerations(toleration.Rules{}, object).laws(t, pods[i], pods[j], pods[k], allowed)
				}
			}
		}
	}
}

func TestLawsAnyLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		live := matchtest.Taints().Draw(t, "live")
		near := append(live, matchtest.Taints().Draw(t, "others")...)
		near = append(near, taint.Taint{})
		part := rapid.SliceOfN(rapid.SampledFrom(near), 0, 6)
		taints.laws(t, live, part.Draw(t, "last"), part.Draw(t, "desired"), anything)

		pod := matchtest.Tolerations(live).Draw(t, "pod")
		nearPod := append(pod, matchtest.Tolerations(live).Draw(t, "other tolerations")...)
		nearPod = append(nearPod, toleration.Toleration{})
		podPart := rapid.SliceOfN(rapid.SampledFrom(nearPod), 0, 6)
		object := rapid.SampledFrom([]reconcile.Object{reconcile.Pod, reconcile.GatedPod, reconcile.SuspendedJob, reconcile.RunningJob}).Draw(t, "object")
		rules := toleration.Rules{Comparisons: rapid.Bool().Draw(t, "comparisons")}
		tolerations(rules, object).laws(t, pod, podPart.Draw(t, "last pod"), podPart.Draw(t, "desired pod"), allowedFor[object])
	})
}

// Owners that name no common taint lead to the same taints in either order.
func TestDisjointOwnersCommute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		live := unique(matchtest.Taints().Draw(t, "live"))
		var lists [2][2][]taint.Taint // by owner: last, desired
		for owner := range lists {
			for i := range lists[owner] {
				for _, x := range matchtest.Taints().Draw(t, "list") {
					if len(x.Key)%2 == owner {
						lists[owner][i] = append(lists[owner][i], x)
					}
				}
				// Some of what is there is theirs.
				for _, x := range live {
					if len(x.Key)%2 == owner && rapid.Bool().Draw(t, "own") {
						lists[owner][i] = append(lists[owner][i], x)
					}
				}
			}
		}
		run := func(first, second int) []taint.Taint {
			list := live
			for _, owner := range [...]int{first, second} {
				p := reconcile.Taints(list, lists[owner][0], lists[owner][1])
				list = p.Apply(nil, list)
			}
			return list
		}
		if a, b := run(0, 1), run(1, 0); !taint.Equal(inOrder(a), inOrder(b)) {
			t.Fatalf("%s\nand %s", taint.FormatList(a), taint.FormatList(b))
		}
	})
}

// The same for every short list of taints and of tolerations, with every split between two
// owners: a is one's, b and c are the other's.
func TestDisjointOwnersCommuteExhaustively(t *testing.T) {
	items, _ := notation.Taints("a=1:NoSchedule,a=2:NoSchedule,b=1:NoSchedule,b=2:NoSchedule")
	n := commute(t, taints, items, func(x *taint.Taint) bool { return x.Key == "a" })
	pods, _ := notation.Tolerations("a:NoExecute,a:NoExecute@5,b:NoExecute,b:NoExecute@5")
	for _, object := range []reconcile.Object{reconcile.Pod, reconcile.GatedPod, reconcile.SuspendedJob, reconcile.RunningJob} {
		n += commute(t, tolerations(toleration.Rules{}, object), pods, func(x *toleration.Toleration) bool { return x.Key == "a" })
	}
	if n < 5*500 {
		t.Errorf("only %d cases", n)
	}
}

// commute lets two owners act in either order, for all lists of up to two items, and
// returns for how many.
func commute[T fmt.Stringer](t tester, k kind[T], items []T, first func(*T) bool) (n int) {
	t.Helper()
	var all, own, others [][]T
	for list := range matchtest.Lists(items, 2) {
		list = slices.Clone(list)
		if k.unique(list) {
			all = append(all, list)
		}
		if !slices.ContainsFunc(list, func(x T) bool { return !first(&x) }) {
			own = append(own, list)
		}
		if !slices.ContainsFunc(list, func(x T) bool { return first(&x) }) {
			others = append(others, list)
		}
	}
	run := func(live, last1, desired1, last2, desired2 []T) string {
		p := k.plan(live, last1, desired1)
		live = p.Apply(nil, live)
		p = k.plan(live, last2, desired2)
		var lines []string
		for _, x := range p.Apply(nil, live) {
			lines = append(lines, x.String())
		}
		slices.Sort(lines)
		return strings.Join(lines, ",")
	}
	for _, live := range all {
		for _, a := range own {
			for _, b := range own {
				for _, c := range others {
					for _, d := range others[:min(len(others), 4)] {
						n++
						if x, y := run(live, a, b, c, d), run(live, c, d, a, b); x != y {
							t.Fatalf("live %s: one from %s to %s, the other from %s to %s: %s and %s", k.format(live), k.format(a), k.format(b), k.format(c), k.format(d), x, y)
						}
					}
				}
			}
		}
	}
	return n
}

func unique(list []taint.Taint) (out []taint.Taint) {
	for i := range list {
		if _, found := taint.Find(list[:i], &list[i]); !found {
			out = append(out, list[i])
		}
	}
	return out
}

// The table of the package comment, line by line.
func TestTaints(t *testing.T) {
	for _, c := range []struct{ live, last, desired, want, applied string }{
		{"", "", "a=1:NoSchedule", "add a=1:NoSchedule", "a=1:NoSchedule"},
		{"", "a=1:NoSchedule", "a=1:NoSchedule", "add a=1:NoSchedule", "a=1:NoSchedule"},
		{"a=1:NoSchedule", "a=1:NoSchedule", "a=1:NoSchedule", "nothing to do", "a=1:NoSchedule"},
		{"a=1:NoSchedule", "", "a=1:NoSchedule", "shared: a=1:NoSchedule is as wanted and belongs to another owner", ""},
		{"a=1:NoSchedule", "a=1:NoSchedule", "a=2:NoSchedule", "update a=1:NoSchedule to a=2:NoSchedule", "a=2:NoSchedule"},
		{"a=1:NoSchedule", "a=1:NoSchedule", "", "remove a=1:NoSchedule", ""},
		{"", "a=1:NoSchedule", "", "nothing to do", ""},
		{"a=2:NoSchedule", "", "a=1:NoSchedule", "taken: a=2:NoSchedule belongs to another owner; wanted a=1:NoSchedule", ""},
		{"a=2:NoSchedule", "a=1:NoSchedule", "a=1:NoSchedule", "changed: a=2:NoSchedule was a=1:NoSchedule when it was applied; wanted a=1:NoSchedule", ""},
		{"a=2:NoSchedule", "a=1:NoSchedule", "", "changed: a=2:NoSchedule was a=1:NoSchedule when it was applied; wanted nothing", ""},
		{"a=2:NoSchedule", "a=1:NoSchedule", "a=2:NoSchedule", "nothing to do", "a=2:NoSchedule"},
		{"a=1:NoExecute", "", "a=1:NoSchedule", "add a=1:NoSchedule", "a=1:NoSchedule"},
		{"x:NoSchedule,a=1:NoSchedule", "a=1:NoSchedule", "c:NoSchedule,b:NoSchedule", "add c:NoSchedule\nadd b:NoSchedule\nremove a=1:NoSchedule", "c:NoSchedule,b:NoSchedule"},
	} {
		live, last, desired := parse(t, c.live), parse(t, c.last), parse(t, c.desired)
		p := reconcile.Taints(live, last, desired)
		if got := p.String(); got != c.want || taint.FormatList(p.Applied) != c.applied {
			t.Errorf("live %q, last %q, desired %q: %s, applied %s", c.live, c.last, c.desired, got, taint.FormatList(p.Applied))
		}
	}
}

// Updated taints keep their place, others their order; additions come last.
func TestApply(t *testing.T) {
	live := parse(t, "a=1:NoSchedule,x:NoSchedule,b=1:NoSchedule,c:NoSchedule,y:NoSchedule")
	p := reconcile.Taints(live, parse(t, "a=1:NoSchedule,b=1:NoSchedule,c:NoSchedule"), parse(t, "d:NoSchedule,b=2:NoSchedule,a=1:NoSchedule"))
	before := parse(t, "first:NoSchedule")
	got := taint.FormatList(p.Apply(before, live))
	if want := "first:NoSchedule,a=1:NoSchedule,x:NoSchedule,b=2:NoSchedule,y:NoSchedule,d:NoSchedule"; got != want {
		t.Errorf("got %s", got)
	}
	if got := taint.FormatList(p.Apply(nil, live[:1])); got != "a=1:NoSchedule,d:NoSchedule" {
		t.Errorf("of another list: %s", got)
	}
	odd := reconcile.Plan[taint.Taint]{Changes: []reconcile.Operation[taint.Taint]{{Op: reconcile.Add}}}
	if got := odd.Apply(nil, nil); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

// The time of a taint is not what an owner wants.
func TestTimeAddedDoesNotMatter(t *testing.T) {
	live := parse(t, "a=1:NoExecute")
	live[0].TimeAdded = &taint.Time{Time: time.Unix(1_000_000, 0)}
	mine := parse(t, "a=1:NoExecute")
	p := reconcile.Taints(live, mine, mine)
	if len(p.Changes)+len(p.Conflicts) > 0 || len(p.Applied) != 1 {
		t.Errorf("got %s", p)
	}
}

func TestTolerations(t *testing.T) {
	const others = "x"
	for _, c := range []struct {
		object              reconcile.Object
		live, last, desired string
		want, applied       string
	}{
		{reconcile.Pod, others, "", "a", "add a", "a"},
		{reconcile.Pod, "x,a:NoExecute@5", "a:NoExecute@5", "a:NoExecute@6", "update a:NoExecute@5 to a:NoExecute@6", "a:NoExecute@6"},
		{reconcile.Pod, "x,a", "a", "", "forbidden: a cannot be removed here", "a"},
		{reconcile.GatedPod, "x,a", "a", "", "forbidden: a cannot be removed here", "a"},
		{reconcile.SuspendedJob, "x,a", "a", "", "remove a", ""},
		{reconcile.RunningJob, others, "", "a", "forbidden: a cannot be added here", ""},
		{reconcile.RunningJob, "a", "a", "a", "nothing to do", "a"},
	} {
		lists := [3][]toleration.Toleration{}
		for i, text := range [...]string{c.live, c.last, c.desired} {
			lists[i], _ = notation.Tolerations(text)
		}
		p := reconcile.Tolerations(c.object, lists[0], lists[1], lists[2])
		if got := p.String(); got != c.want || toleration.FormatList(p.Applied) != c.applied {
			t.Errorf("%v, live %q, last %q, desired %q: %s, applied %s", c.object, c.live, c.last, c.desired, got, toleration.FormatList(p.Applied))
		}
	}
}

// Long lists take linear time: this would not end otherwise.
func TestLongLists(t *testing.T) {
	var live, desired []taint.Taint
	for i := range 50_000 {
		live = append(live, taint.Taint{Key: "a", Effect: taint.Effect(fmt.Sprint(i))})
		desired = append(desired, taint.Taint{Key: "a", Value: "x", Effect: taint.Effect(fmt.Sprint(i + 25_000))})
	}
	p := reconcile.Taints(live, live, desired)
	if after := p.Apply(nil, live); !taint.Equal(inOrder(after), inOrder(desired)) {
		t.Error("not what is wanted")
	}
}

func TestWords(t *testing.T) {
	x := parse(t, "a:NoSchedule")
	for got, want := range map[fmt.Stringer]string{
		reconcile.Operation[taint.Taint]{}:                              "",
		reconcile.Operation[taint.Taint]{Op: reconcile.Add, New: &x[0]}: "add a:NoSchedule",
		reconcile.Conflict[taint.Taint]{Kind: "odd", Live: &x[0]}:       "odd",
	} {
		if got.String() != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	p := reconcile.Taints(parse(t, "a=1:NoSchedule,b=1:NoSchedule"), parse(t, "a=1:NoSchedule"), parse(t, "b=2:NoSchedule"))
	encoded, err := json.Marshal(p)
	const want = `{"changes":[{"action":"remove","index":0,"old":{"key":"a","value":"1","effect":"NoSchedule"}}],` +
		`"conflicts":[{"kind":"taken","live":{"key":"b","value":"1","effect":"NoSchedule"},"desired":{"key":"b","value":"2","effect":"NoSchedule"}}]}`
	if err != nil || string(encoded) != want {
		t.Errorf("got %s, %v", encoded, err)
	}
}

func parse(t *testing.T, text string) []taint.Taint {
	t.Helper()
	list, err := notation.Taints(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// FuzzTaints checks the laws for any lists.
func FuzzTaints(f *testing.F) {
	f.Add("a=1:NoSchedule", "a=1:NoSchedule", "a=2:NoSchedule")                                // update
	f.Add("a=1:NoSchedule,a=1:NoSchedule,a=2:NoSchedule", "a=1:NoSchedule", "")                // duplicates
	f.Add("a=2:NoSchedule", "a=1:NoSchedule", "a=1:NoSchedule,a=3:NoSchedule,b:PreferNothing") // changed since
	target.Fuzz(f, func(t *testing.T, live, last, desired string) {
		var lists [3][]taint.Taint
		for i, text := range [...]string{live, last, desired} {
			list := input.Taints(text)
			lists[i] = list[:min(len(list), 20)]
		}
		taints.laws(t, lists[0], lists[1], lists[2], anything)
	})
}

// inOrder returns the list sorted by the text of its items.
func inOrder[T fmt.Stringer](list []T) []T {
	return slices.SortedFunc(slices.Values(list), func(a, b T) int { return strings.Compare(a.String(), b.String()) })
}
