package match_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/fuzz/notation"
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

var comparisons = toleration.Rules{Comparisons: true}

func pod(t testing.TB, text string) []toleration.Toleration {
	t.Helper()
	list, err := notation.Tolerations(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The canonical functions agree with a second, independent reading of the rules
// on everything that the proof kit can think of.
func TestCanonicalAgreesWithSpec(t *testing.T) {
	t.Run("default", func(t *testing.T) { matchtest.Run(t, matchtest.Spec()) })
	t.Run("comparisons", func(t *testing.T) { matchtest.Run(t, matchtest.Spec(comparisons), comparisons) })
}

func FuzzSpec(f *testing.F) { matchtest.Fuzz(f, matchtest.Spec(comparisons), comparisons) }

// N4: the shortest call answers for a default cluster, in which Gt and Lt match nothing;
// the zero Rules is the same, and only Rules with Comparisons count them.
func TestN4TheGateIsOffUnlessRulesSayOtherwise(t *testing.T) {
	taints, tolerations := node(t, "a=6:NoExecute"), pod(t, "a<5,a>5@60")
	for name, c := range map[string]struct {
		rules []toleration.Rules
		want  bool
	}{
		"none": {nil, false},
		"zero": {[]toleration.Rules{{}}, false},
		"on":   {[]toleration.Rules{comparisons}, true},
		"two":  {[]toleration.Rules{{}, comparisons}, false}, // the first counts
	} {
		first, tolerates := match.FirstTolerating(tolerations, &taints[0], c.rules...)
		_, left := match.FirstUntolerated(taints, tolerations, taint.Hard, c.rules...)
		_, leftFunc := match.FirstUntoleratedFunc(taints, tolerations, taint.Hard, nil, c.rules...)
		after, _ := match.EvictionDelay(taints, tolerations, c.rules...)
		lenient, _ := match.MostLenient.Delay(taints, tolerations, time.Time{}, c.rules...)
		run, keep := match.DaemonSetPlacement(taints, tolerations, c.rules...)
		verdict := match.Decide(taints, tolerations, c.rules...)
		for question, got := range map[string]bool{
			"Tolerates":             match.Tolerates(tolerations, &taints[0], c.rules...),
			"FirstTolerating":       tolerates && first == 1, // an index of the whole list
			"Filter":                len(match.Filter(nil, taints, tolerations, taint.AllEffects, c.rules...)) == 0,
			"FirstUntolerated":      !left,
			"FirstUntoleratedFunc":  !leftFunc,
			"CountUntolerated":      match.CountUntolerated(taints, tolerations, taint.AllEffects, c.rules...) == 0,
			"EvictionDelay":         after == time.Minute,
			"EvictionPolicy.Delay":  lenient == time.Minute,
			"Decide":                verdict.Scheduling == match.Schedulable && verdict.After == time.Minute,
			"EvictionPolicy.Decide": match.FirstMatch.Decide(taints, tolerations, time.Time{}, c.rules...).After == time.Minute,
			"KubeletAdmits":         match.KubeletAdmits(taints, tolerations, c.rules...),
			"DaemonSetPlacement":    run && keep,
		} {
			if got != c.want {
				t.Errorf("%s with rules %s: %v", question, name, got)
			}
		}
	}
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
		if got := taint.FormatList(match.Filter(nil, taints, tolerations, taint.AllEffects)); got != c.want {
			t.Errorf("%q left by %q: got %q, want %q", c.taints, c.tolerations, got, c.want)
		}
		prefix := node(t, "z=1:NoSchedule")
		if got := match.Filter(prefix, taints, tolerations, taint.AllEffects); taint.FormatList(got[:1]) != "z=1:NoSchedule" || taint.FormatList(got[1:]) != c.want {
			t.Errorf("after a prefix: got %q", taint.FormatList(got))
		}
		if got := taint.FormatList(match.Filter(taints[:0], taints, tolerations, taint.AllEffects)); got != c.want {
			t.Errorf("in place: got %q, want %q", got, c.want)
		}
	}
}

func TestF1FilterByEffects(t *testing.T) {
	const taints = "a:PreferNoSchedule,b:NoExecute,c:NoSchedule,d:NoExecute"
	for _, c := range []struct {
		tolerations string
		effects     taint.EffectSet
		want        string
	}{
		{"", taint.AllEffects, taints},
		{"", taint.Hard, "b:NoExecute,c:NoSchedule,d:NoExecute"},
		{"", taint.Soft, "a:PreferNoSchedule"},
		{"b", taint.Evicting, "d:NoExecute"},
		{"*", taint.AllEffects, ""},
		{"", taint.OtherEffects, ""},
		{"", 0, ""},
	} {
		if got := taint.FormatList(match.Filter(nil, node(t, taints), pod(t, c.tolerations), c.effects)); got != c.want {
			t.Errorf("%q, %v: got %q, want %q", c.tolerations, c.effects, got, c.want)
		}
		switch err := match.Check(node(t, taints), pod(t, c.tolerations), c.effects); {
		case c.want == "" && err != nil:
			t.Errorf("%q, %v: %v", c.tolerations, c.effects, err)
		case c.want != "" && (err == nil || err.Error() != "not tolerated: "+strings.ReplaceAll(c.want, ",", ", ")):
			t.Errorf("%q, %v: error %v, want all of %s", c.tolerations, c.effects, err, c.want)
		}
	}
	above := pod(t, "a>4")
	if x := node(t, "a=5:NoSchedule"); match.Check(x, above, taint.Hard) == nil || match.Check(x, above, taint.Hard, toleration.Rules{Comparisons: true}) != nil {
		t.Error("Check does not go by the rules")
	}
	unknown := []taint.Taint{{Key: "a", Effect: "Other"}, {Key: "b"}}
	if got := match.Filter(nil, unknown, nil, taint.OtherEffects); !taint.Equal(got, unknown) {
		t.Errorf("unknown effects: got %v", got)
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

func TestF4CountUntolerated(t *testing.T) {
	twice := []taint.Taint{{Key: "a", Effect: taint.PreferNoSchedule}, {Key: "a", Effect: taint.PreferNoSchedule}}
	const all = "a:PreferNoSchedule,b:PreferNoSchedule,c:NoSchedule,d:NoExecute"
	for _, c := range []struct {
		taints      []taint.Taint
		tolerations string
		effects     taint.EffectSet
		want        int64
	}{
		{nil, "", taint.AllEffects, 0},
		{node(t, "a:NoSchedule,b:NoExecute"), "", taint.Soft, 0},
		{node(t, all), "", taint.Soft, 2},
		{node(t, all), "", taint.Hard, 2},
		{node(t, all), "", taint.Evicting, 1},
		{node(t, all), "", taint.AllEffects, 4},
		{node(t, all), "", 0, 0},
		{node(t, all), "a:NoSchedule", taint.Soft, 2},
		{node(t, all), "a", taint.Soft, 1},
		{node(t, all), "d,c,a", taint.AllEffects, 1},
		{twice, "", taint.Soft, 2}, // duplicates count
		{twice, "a", taint.Soft, 0},
		{[]taint.Taint{{Key: "a", Effect: "prefernoschedule"}}, "", taint.Soft, 0},
		{[]taint.Taint{{Key: "a", Effect: "prefernoschedule"}}, "", taint.OtherEffects, 1},
	} {
		if got := match.CountUntolerated(c.taints, pod(t, c.tolerations), c.effects); got != c.want {
			t.Errorf("%v with %q, %v: got %d, want %d", c.taints, c.tolerations, c.effects, got, c.want)
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
		want                bool
	}{
		{"", "", true},
		{"a:NoSchedule,b:PreferNoSchedule", "", true}, // NoSchedule does not keep it out
		{"a:NoExecute", "", false},
		{"a:NoExecute", "a:NoSchedule", false},
		{"a:NoExecute", "a:NoExecute@0", true},
		{"a:NoExecute,b:NoExecute", "a", false},
	} {
		if got := match.KubeletAdmits(node(t, c.taints), pod(t, c.tolerations)); got != c.want {
			t.Errorf("%q with %q: got %v", c.taints, c.tolerations, got)
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
