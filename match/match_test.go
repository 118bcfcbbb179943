package match_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// node and pod read lists from their text forms.
func node(t testing.TB, text string) []taint.Taint {
	t.Helper()
	list, err := taint.ParseList(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func pod(t testing.TB, text string) []toleration.Toleration {
	t.Helper()
	list, err := toleration.ParseListLenient(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The canonical functions agree with a second, independent reading of the rules
// on everything that the proof kit can think of.
func TestCanonicalAgreesWithSpec(t *testing.T) {
	matchtest.Run(t, matchtest.Spec)
}

func FuzzSpec(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		matchtest.CheckGenerated(t, matchtest.Spec)
	}))
}

func TestF1FilterDropsWhatIsTolerated(t *testing.T) {
	for _, c := range []struct{ taints, tolerations, want string }{
		{"", "", ""},
		{"", "*", ""},
		{"a=1:NoSchedule,b=2:NoExecute", "", "a=1:NoSchedule,b=2:NoExecute"},
		{"a=1:NoSchedule,b=2:NoExecute", "*", ""},
		{"a=1:NoSchedule,b=2:NoExecute", "a", "b=2:NoExecute"},
		{"a=1:NoSchedule,b=2:NoExecute", "b=2,a=2", "a=1:NoSchedule"},
		{"a=1:NoSchedule,a=1:NoExecute,a=1:PreferNoSchedule", "a:NoExecute", "a=1:NoSchedule,a=1:PreferNoSchedule"},
	} {
		taints, tolerations := node(t, c.taints), pod(t, c.tolerations)
		if got := taint.FormatList(match.Filter(nil, taints, tolerations)); got != c.want {
			t.Errorf("%q left by %q: got %q, want %q", c.taints, c.tolerations, got, c.want)
		}
		prefix := node(t, "z=1:NoSchedule")
		if got := match.Filter(prefix, taints, tolerations); taint.FormatList(got[:1]) != "z=1:NoSchedule" || taint.FormatList(got[1:]) != c.want {
			t.Errorf("behind a prefix: got %q", taint.FormatList(got))
		}
		if got := taint.FormatList(match.Filter(taints[:0], taints, tolerations)); got != c.want {
			t.Errorf("in place: got %q, want %q", got, c.want)
		}
	}
}

func TestF2Scheduling(t *testing.T) {
	for _, c := range []struct {
		taints, tolerations string
		want                match.Scheduling
	}{
		{"", "", match.Schedulable},
		{"a:NoSchedule", "", match.Unschedulable},
		{"a:NoExecute", "", match.Unschedulable},
		{"a:PreferNoSchedule", "", match.Avoid},
		{"a:PreferNoSchedule,b:NoSchedule", "", match.Unschedulable},
		{"a:PreferNoSchedule,b:NoSchedule", "b", match.Avoid},
		{"a:PreferNoSchedule,b:NoSchedule", "a", match.Unschedulable},
		{"a:PreferNoSchedule,b:NoSchedule", "a,b", match.Schedulable},
		// Effects of one key are independent.
		{"a:NoSchedule,a:NoExecute", "a:NoSchedule", match.Unschedulable},
		{"a:NoSchedule,a:NoExecute", "a:NoExecute", match.Unschedulable},
		{"a:NoSchedule,a:NoExecute", "a:NoExecute,a:NoSchedule", match.Schedulable},
	} {
		if got := match.Decide(node(t, c.taints), pod(t, c.tolerations)).Scheduling; got != c.want {
			t.Errorf("%q with %q: got %v, want %v", c.taints, c.tolerations, got, c.want)
		}
	}
	// An unknown effect neither refuses nor repels.
	other := []taint.Taint{{Key: "a", Effect: "Other"}}
	if got := match.Decide(other, nil); got != (match.Verdict{}) {
		t.Errorf("an unknown effect: %v", got)
	}
}

func TestF3FirstUntoleratedIsFirstOnTheNode(t *testing.T) {
	const taints = "a:PreferNoSchedule,b:NoExecute,c:NoSchedule,d:NoExecute"
	for _, c := range []struct {
		tolerations string
		effects     taint.EffectSet
		want        int // -1 for none
	}{
		{"", taint.AllEffects, 0},
		{"", taint.Hard, 1},
		{"", taint.Soft, 0},
		{"", taint.Evicting, 1},
		{"", taint.OtherEffects, -1},
		{"", 0, -1},
		{"", taint.NoSchedule.Set(), 2},
		{"d,b", taint.Hard, 2},
		{"c,b", taint.Hard, 3},
		{"c,b", taint.Evicting, 3},
		{"d,c,b", taint.Hard, -1},
		{"d,c,b", taint.AllEffects, 0},
		{"*", taint.AllEffects, -1},
	} {
		i, ok := match.FirstUntolerated(node(t, taints), pod(t, c.tolerations), c.effects)
		if ok != (c.want >= 0) || i != max(0, c.want) {
			t.Errorf("%q, %v: got %d, %v; want %d", c.tolerations, c.effects, i, ok, c.want)
		}
	}
	unknown := []taint.Taint{{Key: "a", Effect: "Other"}, {Key: "b"}}
	if i, ok := match.FirstUntolerated(unknown, pod(t, "a"), taint.OtherEffects); i != 1 || !ok {
		t.Errorf("unknown effects: got %d, %v", i, ok)
	}
}

func TestF4Score(t *testing.T) {
	twice := []taint.Taint{{Key: "a", Effect: taint.PreferNoSchedule}, {Key: "a", Effect: taint.PreferNoSchedule}}
	for _, c := range []struct {
		taints      []taint.Taint
		tolerations string
		want        int64
	}{
		{nil, "", 0},
		{node(t, "a:NoSchedule,b:NoExecute"), "", 0},
		{node(t, "a:PreferNoSchedule,b:PreferNoSchedule,c:NoSchedule"), "", 2},
		{node(t, "a:PreferNoSchedule,b:PreferNoSchedule,c:NoSchedule"), "a:NoSchedule", 2},
		{node(t, "a:PreferNoSchedule,b:PreferNoSchedule,c:NoSchedule"), "a", 1},
		{twice, "", 2}, // duplicates count
		{twice, "a", 0},
		{[]taint.Taint{{Key: "a", Effect: "prefernoschedule"}}, "", 0},
	} {
		if got := match.Score(c.taints, pod(t, c.tolerations)); got != c.want {
			t.Errorf("%v with %q: got %d, want %d", c.taints, c.tolerations, got, c.want)
		}
	}
}

func TestF4NormalizeScores(t *testing.T) {
	for _, c := range []struct{ counts, want []int64 }{
		{nil, nil},
		{[]int64{0}, []int64{100}},
		{[]int64{0, 0, 0}, []int64{100, 100, 100}},
		{[]int64{5}, []int64{0}},
		{[]int64{1, 0}, []int64{0, 100}},
		{[]int64{0, 1, 2}, []int64{100, 50, 0}},
		{[]int64{3, 1, 2, 0}, []int64{0, 67, 34, 100}}, // 100 - 33, 100 - 66
		{[]int64{7, 6}, []int64{0, 15}},                // 100 - 85
	} {
		got := append([]int64(nil), c.counts...)
		match.NormalizeScores(got)
		if len(got) != len(c.want) {
			t.Fatalf("%v: got %v", c.counts, got)
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%v: got %v, want %v", c.counts, got, c.want)
				break
			}
		}
	}
}

func TestF6Kubelet(t *testing.T) {
	for _, c := range []struct {
		taints, tolerations string
		static, want        bool
	}{
		{"", "", false, true},
		{"a:NoSchedule,b:PreferNoSchedule", "", false, true}, // NoSchedule does not keep it out
		{"a:NoExecute", "", false, false},
		{"a:NoExecute", "", true, true}, // static pods are excepted
		{"a:NoExecute", "a:NoSchedule", false, false},
		{"a:NoExecute", "a:NoExecute@0", false, true},
		{"a:NoExecute,b:NoExecute", "a", false, false},
	} {
		if got := match.KubeletAdmits(node(t, c.taints), pod(t, c.tolerations), c.static); got != c.want {
			t.Errorf("%q with %q, static %v: got %v", c.taints, c.tolerations, c.static, got)
		}
	}
}

func TestF7Cordon(t *testing.T) {
	for tolerations, want := range map[string]bool{
		"": true,
		"node.kubernetes.io/unschedulable:NoSchedule":   false,
		"node.kubernetes.io/unschedulable":              false,
		"node.kubernetes.io/unschedulable=:NoSchedule":  false, // the value is empty
		"node.kubernetes.io/unschedulable=true":         true,
		"node.kubernetes.io/unschedulable:NoExecute":    true,
		"node.kubernetes.io/not-ready":                  true,
		"*:NoSchedule":                                  false,
		"a,b,node.kubernetes.io/unschedulable,c":        false,
		"node.kubernetes.io/unschedulable:PreferNoShed": true,
	} {
		if got := match.Cordoned(pod(t, tolerations)); got != want {
			t.Errorf("%q: got %v", tolerations, got)
		}
	}
}

func TestF8DaemonSet(t *testing.T) {
	for _, c := range []struct {
		taints, tolerations string
		run, keep           bool
	}{
		{"", "", true, true},
		{"a:PreferNoSchedule", "", true, true},
		{"a:NoSchedule", "", false, true}, // not placed, but not removed either
		{"a:NoExecute", "", false, false},
		{"a:NoSchedule,a:NoExecute", "a:NoSchedule", false, false},
		{"a:NoSchedule,a:NoExecute", "a:NoExecute", false, true},
		{"a:NoSchedule,a:NoExecute", "a", true, true},
	} {
		run, keep := match.DaemonSetPlacement(node(t, c.taints), pod(t, c.tolerations))
		if run != c.run || keep != c.keep {
			t.Errorf("%q with %q: got %v, %v", c.taints, c.tolerations, run, keep)
		}
	}
}

func TestFirstTolerating(t *testing.T) {
	x := taint.MustParse("a=1:NoSchedule")
	for tolerations, want := range map[string]int{"": -1, "b": -1, "a": 0, "b,a=2,a=1,a": 2, "b,*": 1} {
		i, ok := match.FirstTolerating(pod(t, tolerations), &x)
		if ok != (want >= 0) || i != max(0, want) {
			t.Errorf("%q: got %d, %v", tolerations, i, ok)
		}
	}
}

func TestStrings(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{match.Verdict{}.String(), "schedulable, stay"},
		{match.Verdict{Scheduling: match.Avoid, Eviction: match.LeaveNow}.String(), "avoid, leave now"},
		{match.Verdict{Scheduling: match.Unschedulable, Eviction: match.LeaveAfter, After: 3e11}.String(), "unschedulable, leave after 5m0s"},
		{match.Scheduling(9).String(), "Scheduling(9)"},
		{match.Eviction(9).String(), "Eviction(9)"},
		{match.FirstMatch.String() + "," + match.MostLenient.String() + "," + match.SinceAdded.String(), "first match,most lenient,since added"},
		{match.EvictionPolicy(9).String(), "EvictionPolicy(9)"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// 10,000 taints on a node and 10,000 tolerations on a pod are slow, not wrong.
func TestEnormousLists(t *testing.T) {
	taints := make([]taint.Taint, 10_000)
	tolerations := make([]toleration.Toleration, 10_000)
	for i := range taints {
		taints[i] = taint.Taint{Key: "k", Value: string(rune('a' + i)), Effect: taint.NoSchedule}
		tolerations[i] = toleration.Toleration{Key: "k", Value: string(rune('b' + i))}
	}
	if left := match.Filter(nil, taints, tolerations); len(left) != 1 || left[0].Value != "a" {
		t.Errorf("%d taints left", len(left))
	}
}
