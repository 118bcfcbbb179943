package lint

import (
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/toleration"
)

// tolerationsOf reads a list.
func tolerationsOf(t testing.TB, text string) []toleration.Toleration {
	t.Helper()
	list, err := toleration.ParseListLenient(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestNeededIndexes tries every list of up to three tolerations. Removing those that make
// no difference keeps the meaning of the list. Removing any other changes it.
func TestNeededIndexes(t *testing.T) {
	all := tolerationsOf(t, "a,a==x,a:NoSchedule,a:NoExecute@5,a:NoExecute@6,a@5,a>3,a<7,b,b:NoExecute@5,*,*:NoExecute,*:NoExecute@5")
	for list := range listsOf(all, 3) {
		var left []toleration.Toleration
		needed := neededIndexes(list, rivalsOf(list))
		for i := range list {
			if needed[i] {
				left = append(left, list[i])
			}
		}
		if !toleration.Equivalent(left, list) {
			t.Fatalf("%s is not %s", toleration.FormatList(left), toleration.FormatList(list))
		}
		for i := range left {
			less := append(append([]toleration.Toleration(nil), left[:i]...), left[i+1:]...)
			if toleration.Equivalent(less, list) {
				t.Fatalf("of %s, %s makes no difference", toleration.FormatList(list), left[i])
			}
		}
	}
}

// listsOf iterates over all lists of up to n of the tolerations.
func listsOf(all []toleration.Toleration, n int) func(yield func([]toleration.Toleration) bool) {
	return func(yield func([]toleration.Toleration) bool) {
		var list []toleration.Toleration
		var extend func() bool
		extend = func() bool {
			if !yield(list) {
				return false
			}
			if len(list) == n {
				return true
			}
			for _, x := range all {
				list = append(list, x)
				if !extend() {
					return false
				}
				list = list[:len(list)-1]
			}
			return true
		}
		extend()
	}
}

// Another order of a list gives another time exactly if some permutation does.
func TestOrderDecidesExhaustively(t *testing.T) {
	all := tolerationsOf(t, "a,a==x,a:NoSchedule,a:NoExecute@5,a@6,a>3:NoExecute@7,b:NoExecute@5,b:NoExecute,*@5,*:NoExecute@9,*==x:NoExecute@8")
	for list := range listsOf(all, 3) {
		want := false
		for other := range permutations(list) {
			want = want || !toleration.NewGrants(other).Equal(toleration.NewGrants(list))
		}
		r := Check(&Fleet{Rules: toleration.Rules{Comparisons: true}, Pods: []Pod{{Name: "p", Tolerations: list}}}, Options{})
		if got := r.Counts[OrderDecides] > 0; got != want {
			t.Fatalf("%s: %t, want %t", toleration.FormatList(list), got, want)
		}
	}
}

// permutations iterates over the orders of a list of up to three.
func permutations(list []toleration.Toleration) func(yield func([]toleration.Toleration) bool) {
	return func(yield func([]toleration.Toleration) bool) {
		for _, order := range [...][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			var other []toleration.Toleration
			for _, i := range order {
				if i < len(list) {
					other = append(other, list[i])
				}
			}
			if !yield(other) {
				return
			}
		}
	}
}

// Only tolerations that may match the same taint are merged, which takes the most time of
// what lint does with a list.
func TestMerged(t *testing.T) {
	for text, want := range map[string]int{
		"":                        0,
		"a,b,c==x,d:NoExecute@5":  0,
		"a,b,a==x,c,b":            4,
		"a,b,*:NoExecute,c":       4,
		"a,b,*==x":                3, // invalid, but it matches
		"a,a>5,b":                 0, // a>5 does not count
		"a,a,b,b,c,c,d,d,e,f,g,h": 8,
	} {
		c := newChecker(&Fleet{Pods: []Pod{{Tolerations: tolerationsOf(t, text)}}}, Options{})
		c.check()
		if c.rivals != want {
			t.Errorf("%s: %d, want %d", text, c.rivals, want)
		}
	}
}

// The values that the taints with well-known keys have. Those of the keys that are left out
// are not known: clouds and their autoscalers choose them.
func TestNeverSet(t *testing.T) {
	const none, aTime, any = "no value", "a time as their value", ""
	of := map[string]string{
		"node.kubernetes.io/not-ready": none, "node.kubernetes.io/unreachable": none, "node.kubernetes.io/unschedulable": none,
		"node.kubernetes.io/memory-pressure": none, "node.kubernetes.io/disk-pressure": none, "node.kubernetes.io/pid-pressure": none,
		"node.kubernetes.io/network-unavailable": none, "karpenter.sh/disrupted": none,
		"ToBeDeletedByClusterAutoscaler": aTime, "DeletionCandidateOfClusterAutoscaler": aTime,
	}
	for _, key := range wellKnown {
		for value, never := range map[string]map[string]bool{
			"":             {none: false, aTime: false, any: false}, // with Exists
			"==":           {none: false, aTime: true, any: false},
			"==true":       {none: true, aTime: true, any: false},
			"==1735689600": {none: true, aTime: false, any: false},
			">5":           {none: true, aTime: false, any: false},
		} {
			x := tolerationsOf(t, key+value)[0]
			if got, is := neverSet(&x); got != of[key] || is != never[of[key]] {
				t.Errorf("%s: %q, %t; want %q, %t", x, got, is, of[key], never[of[key]])
			}
		}
	}
}

// Static pods tolerate everything, and DaemonSets may.
func TestEverything(t *testing.T) {
	list := tolerationsOf(t, "*")
	for _, c := range []struct {
		pod  Pod
		want int
	}{{Pod{}, 1}, {Pod{Static: true}, 0}, {Pod{DaemonSet: true}, 0}} {
		c.pod.Tolerations = list
		r := Check(&Fleet{Pods: []Pod{c.pod}}, Options{})
		if r.Counts[Everything] != c.want || c.want > 0 && r.Findings[0].Key != "" {
			t.Errorf("%+v: %+v", c.pod, r)
		}
	}
}

// A toleration is covered by one that is needed, not by one that is to be removed too.
func TestRedundancyNamesWhatStays(t *testing.T) {
	r := Check(&Fleet{Pods: []Pod{{Tolerations: tolerationsOf(t, "a==x:NoSchedule,a:NoSchedule,a")}}}, Options{})
	var reasons []string
	for _, f := range r.Findings {
		if f.ID == Redundant {
			reasons = append(reasons, f.Reason)
		}
	}
	if want := []string{"a==x:NoSchedule is covered by tolerations[2], a", "a:NoSchedule is covered by tolerations[2], a"}; !slices.Equal(reasons, want) {
		t.Errorf("got %q", reasons)
	}
}
