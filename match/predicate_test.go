package match_test

import (
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

func isStartup(t *taint.Taint) bool { return strings.HasPrefix(t.Key, "startup/") }

func TestF3FirstUntoleratedFunc(t *testing.T) {
	const taints = "startup/a:NoSchedule,a:NoSchedule,startup/b:PreferNoSchedule,b:PreferNoSchedule,c:NoExecute"
	notStartup := func(t *taint.Taint) bool { return !isStartup(t) }
	for _, c := range []struct {
		tolerations string
		effects     taint.EffectSet
		keep        func(*taint.Taint) bool
		want        int // -1 is none
	}{
		{"", taint.AllEffects, nil, 0},
		{"", taint.Soft, nil, 2},
		{"", taint.AllEffects, notStartup, 1},
		{"", taint.Soft, notStartup, 3},
		{"a", taint.Hard, notStartup, 4},
		{"a", taint.AllEffects, notStartup, 3},
		{"startup/a", taint.AllEffects, isStartup, 2},
		{"*", taint.AllEffects, isStartup, -1},
		{"", 0, notStartup, -1},
	} {
		i, ok := match.FirstUntoleratedFunc(node(t, taints), pod(t, c.tolerations), c.effects, c.keep)
		if ok != (c.want >= 0) || i != max(0, c.want) {
			t.Errorf("%q, %v: the first is %d, %v, want %d", c.tolerations, c.effects, i, ok, c.want)
		}
	}
}

// The predicate is asked at most once for each taint, in the order of the node.
func TestPredicateIsAskedOnce(t *testing.T) {
	taints := node(t, "a:NoSchedule,b:PreferNoSchedule,c:NoSchedule,d:NoExecute")
	for _, effects := range []taint.EffectSet{taint.AllEffects, taint.Hard, 0} {
		asked := ""
		keep := func(t *taint.Taint) bool { asked += t.Key; return true }
		match.FirstUntoleratedFunc(taints, pod(t, "a,b,c,d"), effects, keep)
		if want := map[taint.EffectSet]string{taint.AllEffects: "abcd", taint.Hard: "acd"}[effects]; asked != want {
			t.Errorf("%v: asked about %q, want %q", effects, asked, want)
		}
	}
}

func TestNilPredicateKeepsAll(t *testing.T) {
	if i, ok := match.FirstUntoleratedFunc(node(t, "a:NoSchedule,b:NoExecute"), pod(t, "a"), taint.Hard, nil); i != 1 || !ok {
		t.Errorf("got %d, %v", i, ok)
	}
}
