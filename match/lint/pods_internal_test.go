package lint

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// tolerationsOf reads a list.
func tolerationsOf(t testing.TB, text string) []toleration.Toleration {
	t.Helper()
	list, err := notation.Tolerations(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestRemovals tries every list of up to three tolerations, and of four fewer kinds. Each fix
// that removes something, applied alone, changes nothing for any taint and removes its finding.
// If no toleration is redundant, each is needed.
func TestRemovals(t *testing.T) {
	all := tolerationsOf(t, "a,a==x,a:NoSchedule,a:NoExecute@5,a:NoExecute@6,a==x:NoExecute@5,a>3,a<7,a<0,b,b:NoExecute@5,*,*:NoExecute,*:NoExecute@5")
	few := tolerationsOf(t, "a==x,a==x:NoExecute,a:NoExecute@7,*:NoExecute@7,*:NoExecute,*")
	found := map[string]int{}
	for _, lists := range []func(func([]toleration.Toleration) bool){listsOf(all, 3), listsOf(few, 4)} {
		for list := range lists {
			checkFixes(t, list, found)
		}
	}
	for _, fix := range []string{"redundant: remove it", "useless-seconds: remove it", "never-matches: correct or remove it", "redundant: remove it together with tolerations[1] and tolerations[2]"} {
		if found[fix] == 0 {
			t.Errorf("no fix is %q: %v", fix, found)
		}
	}
}

// checkFixes applies each fix of the list alone.
func checkFixes(t *testing.T, list []toleration.Toleration, found map[string]int) {
	t.Helper()
	text := toleration.FormatList(list)
	r := lintOf(list)
	for _, f := range r.Findings {
		remove := map[int]bool{}
		for i := range list {
			place := fmt.Sprintf("tolerations[%d]", i)
			remove[i] = f.Field == place && strings.Contains(f.Fix, "remove") || strings.Contains(f.Fix, place)
		}
		if f.ID == Everything {
			continue // it asks what is meant
		}
		if f.ID == OrderDecides && !strings.HasPrefix(f.Fix, "remove ") {
			checkSameSeconds(t, list, f)
			continue
		}
		found[string(f.ID)+": "+f.Fix]++
		var left []toleration.Toleration
		for i := range list {
			if !remove[i] {
				left = append(left, list[i])
			}
		}
		for x, l := range mean(t, left).Compare(mean(t, list)) {
			if l[0] == l[1] {
				continue
			}
			if f.ID != NeverMatches || taint.Validate([]taint.Taint{x}) == nil {
				t.Fatalf("%s: %s: leaves %s, which differs for %s", text, f, toleration.FormatList(left), x)
			}
		}
		if after := lintOf(left); removals(after, f.ID) >= removals(r, f.ID) {
			t.Fatalf("%s: %s: remains in %s: %v", text, f, toleration.FormatList(left), after.Findings)
		}
	}
	for i := range list {
		if removals(r, Redundant) == 0 && r.Counts[NeverMatches] == 0 && mean(t, slices.Delete(slices.Clone(list), i, i+1)).Equal(mean(t, list)) {
			t.Fatalf("of %s, %s makes no difference", text, list[i])
		}
	}
}

func lintOf(list []toleration.Toleration) Report {
	return Check(&Fleet{Rules: toleration.Rules{Comparisons: true}, Pods: []Pod{{Name: "p", Tolerations: list}}}, Options{})
}

// checkSameSeconds gives all tolerations that match the taint of a finding the seconds of the
// first. Then no order decides about this taint.
func checkSameSeconds(t *testing.T, list []toleration.Toleration, f Finding) {
	t.Helper()
	text, _, _ := strings.Cut(strings.TrimPrefix(f.Reason, "for "), ",")
	x, err := notation.Taint(text) // no valid taint may differ
	if err != nil || f.Fix != "keep the order, or give all that match it the same seconds" {
		t.Fatalf("%s: %v", f, err)
	}
	first := slices.IndexFunc(list, func(u toleration.Toleration) bool { return u.Tolerates(&x, toleration.Rules{Comparisons: true}) })
	same := slices.Clone(list)
	for i := range same {
		if same[i].Tolerates(&x, toleration.Rules{Comparisons: true}) {
			if same[i].TolerationSeconds = list[first].TolerationSeconds; same[i].Effect == "" && list[first].TolerationSeconds != nil {
				same[i].Effect = taint.NoExecute // others cannot have seconds
			}
		}
	}
	for _, after := range lintOf(same).Findings {
		if after.ID == OrderDecides && strings.HasPrefix(after.Reason, "for "+text+",") {
			t.Fatalf("%s: %s: remains in %s", toleration.FormatList(list), f, toleration.FormatList(same))
		}
	}
}

// removals counts the findings of a kind: of those about redundant tolerations one can become
// the other.
func removals(r Report, id ID) int {
	if id == NeverMatches || id == OrderDecides {
		return r.Counts[id]
	}
	return r.Counts[Redundant] + r.Counts[UselessSeconds]
}

func mean(t *testing.T, list []toleration.Toleration) *toleration.Meaning {
	t.Helper()
	m, err := toleration.NewMeaning(list)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What the findings say of lists whose fixes were wrong.
func TestRedundantTogether(t *testing.T) {
	for list, want := range map[string][]string{
		// Without the first, the seconds of the second count.
		"*:NoExecute,gpu:NoExecute@30,*": {
			"tolerations[1]: the seconds of gpu:NoExecute@30 never count: those before it match all of its taints; remove it",
			"tolerations[0]: *:NoExecute makes no difference without tolerations[1]; remove it together with tolerations[1]",
		},
		// Nothing comes before the first.
		"foo/one:NoExecute@30,*:NoExecute@30": {
			"tolerations[0]: foo/one:NoExecute@30 is covered by tolerations[1], *:NoExecute@30; remove it",
		},
		"*:NoExecute,a:NoExecute@1,b:NoExecute@2,c:NoExecute@3,*,d:NoSchedule": {
			"tolerations[1]: the seconds of a:NoExecute@1 never count: those before it match all of its taints; remove it",
			"tolerations[2]: the seconds of b:NoExecute@2 never count: those before it match all of its taints; remove it",
			"tolerations[3]: the seconds of c:NoExecute@3 never count: those before it match all of its taints; remove it",
			"tolerations[0]: *:NoExecute makes no difference without tolerations[1], tolerations[2] and tolerations[3]; remove it together with tolerations[1], tolerations[2] and tolerations[3]",
			"tolerations[5]: d:NoSchedule is covered by tolerations[4], *; remove it",
		},
		"*:NoExecute,a:NoExecute@1,b:NoExecute@2,c:NoExecute@3,d:NoExecute@4,*": {
			"tolerations[1]: the seconds of a:NoExecute@1 never count: those before it match all of its taints; remove it",
			"tolerations[2]: the seconds of b:NoExecute@2 never count: those before it match all of its taints; remove it",
			"tolerations[3]: the seconds of c:NoExecute@3 never count: those before it match all of its taints; remove it",
			"tolerations[4]: the seconds of d:NoExecute@4 never count: those before it match all of its taints; remove it",
			"tolerations[0]: *:NoExecute makes no difference without tolerations[1], tolerations[2], tolerations[3] and 1 more; " +
				"remove it together with all after it that make no difference: tolerations[1], tolerations[2], tolerations[3] and 1 more",
		},
		// The DaemonSet controller adds the second again.
		"node.kubernetes.io/not-ready:NoExecute@30,node.kubernetes.io/not-ready:NoExecute,*:NoExecute@30": nil,
		"a:NoExecute@5,a==x:NoExecute@6": {
			"tolerations[1]: the seconds of a==x:NoExecute@6 never count: those before it match all of its taints; remove it",
		},
		// Invalid lists are said to be invalid; what matches less than others is not found.
		"a==x,*==x,a==x": nil,
	} {
		var got []string
		for _, f := range lintOf(tolerationsOf(t, list)).Findings {
			if f.ID == Redundant || f.ID == UselessSeconds {
				got = append(got, f.Field+": "+f.Reason+"; "+f.Fix)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", list, got)
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
	all := tolerationsOf(t, "a,a==x,a:NoSchedule,a:NoExecute@5,a:NoExecute@6,a>3:NoExecute@7,b:NoExecute@5,b:NoExecute,*:NoExecute@5,*:NoExecute@9")
	for list := range listsOf(all, 3) {
		want := false
		for other := range permutations(list) {
			want = want || !mean(t, other).Equal(mean(t, list))
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
