package match_test

import (
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

func isStartup(t *taint.Taint) bool { return strings.HasPrefix(t.Key, "startup/") }

func TestF1FilterFunc(t *testing.T) {
	const taints = "startup/a:NoSchedule,a:NoSchedule,startup/b:PreferNoSchedule,b:PreferNoSchedule,c:NoExecute"
	notStartup := func(t *taint.Taint) bool { return !isStartup(t) }
	for _, c := range []struct {
		tolerations string
		effects     taint.EffectSet
		keep        func(*taint.Taint) bool
		want        string
	}{
		{"", taint.AllEffects, nil, taints},
		{"", taint.Hard, nil, "startup/a:NoSchedule,a:NoSchedule,c:NoExecute"},
		{"", taint.AllEffects, notStartup, "a:NoSchedule,b:PreferNoSchedule,c:NoExecute"},
		{"", taint.Hard, notStartup, "a:NoSchedule,c:NoExecute"},
		{"a", taint.Hard, notStartup, "c:NoExecute"},
		{"startup/a", taint.AllEffects, isStartup, "startup/b:PreferNoSchedule"},
		{"*", taint.AllEffects, isStartup, ""},
		{"", 0, notStartup, ""},
	} {
		list, tolerations := node(t, taints), pod(t, c.tolerations)
		prefix := node(t, "z=1:NoSchedule")
		left := match.FilterFunc(prefix, list, tolerations, c.effects, c.keep)
		if taint.FormatList(left[:1]) != "z=1:NoSchedule" || taint.FormatList(left[1:]) != c.want {
			t.Errorf("%q, %v: got %v, want %q", c.tolerations, c.effects, left, c.want)
		}
		first, ok := match.FirstUntoleratedFunc(list, tolerations, c.effects, c.keep)
		if ok != (c.want != "") || !ok && first != 0 || ok && !list[first].Equal(&left[1]) {
			t.Errorf("%q, %v: the first is %d, %v, want that of %q", c.tolerations, c.effects, first, ok, c.want)
		}
		if inPlace := match.FilterFunc(list[:0], list, tolerations, c.effects, c.keep); taint.FormatList(inPlace) != c.want {
			t.Errorf("%q, %v: in place: got %v, want %q", c.tolerations, c.effects, inPlace, c.want)
		}
	}
}

// The predicate is asked at most once for each taint, in the order of the node.
func TestPredicateIsAskedOnce(t *testing.T) {
	taints := node(t, "a:NoSchedule,b:PreferNoSchedule,c:NoSchedule,d:NoExecute")
	for _, effects := range []taint.EffectSet{taint.AllEffects, taint.Hard, 0} {
		asked := ""
		keep := func(t *taint.Taint) bool { asked += t.Key; return true }
		match.FilterFunc(nil, taints, pod(t, "c"), effects, keep)
		if want := map[taint.EffectSet]string{taint.AllEffects: "abcd", taint.Hard: "acd"}[effects]; asked != want {
			t.Errorf("%v: asked about %q, want %q", effects, asked, want)
		}
	}
}

func TestNilPredicateKeepsAll(t *testing.T) {
	if i, ok := match.FirstUntoleratedFunc(node(t, "a:NoSchedule,b:NoExecute"), pod(t, "a"), taint.Hard, nil); i != 1 || !ok {
		t.Errorf("got %d, %v", i, ok)
	}
	if left := match.FilterFunc(nil, nil, nil, taint.AllEffects, nil); left != nil {
		t.Errorf("no taints: got %v", left)
	}
}
