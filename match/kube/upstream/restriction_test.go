package upstream

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	core "k8s.io/kubernetes/pkg/apis/core"
	upstream "k8s.io/kubernetes/pkg/util/tolerations"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// upstreamIsSuperset asks the private isSuperset: with one item each, a list
// satisfies a whitelist if the whitelist's item is a superset.
func upstreamIsSuperset(ss, t *toleration.Toleration) bool {
	return upstream.VerifyAgainstWhitelist([]core.Toleration{coreToleration(t)}, []core.Toleration{coreToleration(ss)})
}

// TestA5UpstreamIsSuperset holds every toleration of a small universe against every
// other one, and against its equal at other addresses.
func TestA5UpstreamIsSuperset(t *testing.T) {
	all := allTolerations(fewKeys, fewOperators, fewValues, effectWords[:4], secondsWords)
	others := allTolerations(fewKeys, fewOperators, fewValues, effectWords[:4], []*int64{nil, seconds(-1), seconds(0), seconds(1), seconds(300)})
	for i := range all {
		for j := range others {
			if got, want := admit.UpstreamIsSuperset(&all[i], &others[j]), upstreamIsSuperset(&all[i], &others[j]); got != want {
				t.Fatalf("UpstreamIsSuperset(%q, %q) = %t, want %t", all[i], others[j], got, want)
			}
		}
	}
	t.Logf("%d answers compared", len(all)*len(others))
}

// TestA5UpstreamIsSupersetGenerated does so for any words.
func TestA5UpstreamIsSupersetGenerated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := anyToleration.Draw(t, "ss"), anyToleration.Draw(t, "t")
		if rapid.Bool().Draw(t, "alike") {
			y.Key, y.Value = x.Key, x.Value
		}
		if got, want := admit.UpstreamIsSuperset(&x, &y), upstreamIsSuperset(&x, &y); got != want {
			t.Fatalf("UpstreamIsSuperset(%q, %q) = %t, want %t", x, y, got, want)
		}
	})
}

// TestA5UpstreamMerge merges every two lists of up to two tolerations of a
// small universe.
func TestA5UpstreamMerge(t *testing.T) {
	items := append(allTolerations([]string{"", "a"}, fewOperators[:3], []string{"5"}, fewEffects[2:], secondsWords[:2]),
		toleration.MustParse("a>5"))
	lists := listsUpTo(2, items)
	for _, first := range lists {
		for _, second := range lists {
			compareMerge(t, first, second)
		}
	}
	t.Logf("%d lists compared", len(lists)*len(lists))
}

// TestA5UpstreamMergeGenerated merges longer lists.
func TestA5UpstreamMergeGenerated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		compareMerge(t, tolerationLists.Draw(t, "first"), tolerationLists.Draw(t, "second"))
	})
}

func compareMerge(t rapid.TB, first, second []toleration.Toleration) {
	got := coreTolerations(admit.UpstreamMerge(nil, first, second))
	want := upstream.MergeTolerations(slices.Clip(coreTolerations(first)), coreTolerations(second))
	if !slices.EqualFunc(got, want, sameCoreToleration) {
		t.Fatalf("UpstreamMerge(%q, %q) = %v, want %v", first, second, got, want)
	}
}

func sameCoreToleration(a, b core.Toleration) bool {
	sameSeconds := a.TolerationSeconds == b.TolerationSeconds ||
		a.TolerationSeconds != nil && b.TolerationSeconds != nil && *a.TolerationSeconds == *b.TolerationSeconds
	a.TolerationSeconds, b.TolerationSeconds = nil, nil
	return sameSeconds && a == b
}

// TestA5CoversDifference shows each way in which the superset test of upstream
// errs, with the right answer beside it if both tolerations are valid.
func TestA5CoversDifference(t *testing.T) {
	for _, test := range []struct {
		why             string
		ss, t           string
		upstream, right bool
	}{
		{"an empty operator is Equal", "a==x", "a=x", false, true},
		{"an empty operator is Equal, on both sides", "a=x", "a=x:NoSchedule", false, true},
		{"a smaller bound of Gt covers a greater one", "a>5", "a>6", false, true},
		{"Gt covers Equal with a greater number", "a>5", "a==6", false, true},
		{"an unknown operator matches nothing", "a==x", "a?In x", false, true},
		{"even for one that matches nothing either", "a?In x", "a?In y", false, true},
		{"a malformed bound matches nothing", "a==x", "a<y", false, true},
		{"an empty key with Equal matches every key", "*==x", "a==x", false, true},
		{"an empty effect takes in NoExecute, where seconds count", "a@5", "a:NoExecute", true, false},
		{"and where more seconds are not covered", "a@5", "a:NoExecute@6", true, false},
		{"negative seconds are as good as none", "a:NoExecute@-1", "a:NoExecute@0", false, true},
	} {
		ss, _ := notation.Toleration(test.ss)
		u, _ := notation.Toleration(test.t)
		if got := upstreamIsSuperset(&ss, &u); got != test.upstream {
			t.Errorf("%s: upstream: %q covers %q: %t, want %t", test.why, ss, u, got, test.upstream)
		}
		if got := admit.UpstreamIsSuperset(&ss, &u); got != test.upstream {
			t.Errorf("%s: UpstreamIsSuperset(%q, %q) = %t, want %t", test.why, ss, u, got, test.upstream)
		}
		if got, valid := covers(&ss, &u); valid && got != test.right {
			t.Errorf("%s: %q covers %q: %t, want %t", test.why, ss, u, got, test.right)
		}
	}
}

// covers reports whether ss tolerates what u does, for as long, and whether both are valid.
func covers(ss, u *toleration.Toleration) (right, valid bool) {
	m, err := toleration.NewMeaning([]toleration.Toleration{*ss})
	if err != nil || (toleration.Rules{Comparisons: true}).Validate([]toleration.Toleration{*u}) != nil {
		return false, false
	}
	_, right = m.Allows(u)
	return right, true
}

// TestA5MergeDifference shows what follows for merging: upstream keeps a
// redundant toleration, and drops one that grants more time.
func TestA5MergeDifference(t *testing.T) {
	for _, test := range []struct{ why, list, upstream, right string }{
		{"redundant, but not seen", "a=x,a=x:NoSchedule", "a=x,a=x:NoSchedule", "a=x"},
		{"redundant, but Gt is not supported", "a>5,a>6", "a>5,a>6", "a>5"},
		{"not redundant: it grants 6 seconds", "a:NoExecute@6,a@5", "a@5", "a:NoExecute@6,a@5"},
		{"redundant: the first match grants 5 seconds", "a@5,a:NoExecute@6", "a@5", "a@5"},
	} {
		list, err := notation.Tolerations(test.list)
		if err != nil {
			t.Fatal(err)
		}
		compareMerge(t, list, nil)
		if got := toleration.FormatList(admit.UpstreamMerge(nil, list, nil)); got != test.upstream {
			t.Errorf("%s: upstream merges %s to %s, want %s", test.why, test.list, got, test.upstream)
		}
		if (toleration.Rules{Comparisons: true}).Validate(list) != nil {
			continue // only valid lists are merged
		}
		if merged, err := toleration.Minimize(nil, list); err != nil || toleration.FormatList(merged) != test.right {
			t.Errorf("%s: Merge makes %s of %s, want %s: %v", test.why, merged, test.list, test.right, err)
		}
	}
}

// TestA5DifferencesAreDocumented looks at every pair of a small universe for
// which the two answers differ, and makes sure that the documentation of
// IsSuperset tells why.
func TestA5DifferencesAreDocumented(t *testing.T) {
	all := allTolerations(fewKeys, fewOperators, fewValues, effectWords[:4], secondsWords)
	matchesNothing := func(u *toleration.Toleration) bool { return u.Values().Kind == toleration.NoValue }
	differences := 0
	for i := range all {
		for j := range all {
			ss, u := &all[i], &all[j]
			right, valid := covers(ss, u)
			parity := admit.UpstreamIsSuperset(ss, u)
			if !valid || parity == right {
				continue
			}
			differences++
			equals := ss.Operator == toleration.OpEqual || ss.Operator == ""
			documented := matchesNothing(u) ||
				equals && u.Operator != toleration.OpEqual ||
				!equals && ss.Operator != toleration.OpExists ||
				equals && ss.Key == "" && u.Key != "" ||
				ss.TolerationSeconds != nil && *ss.TolerationSeconds < 0
			if parity { // upstream lets through what grants more time
				documented = ss.Effect == "" && ss.TolerationSeconds != nil
			}
			if !documented {
				t.Fatalf("UpstreamIsSuperset(%q, %q) = %t, Covers = %t", ss, u, parity, right)
			}
		}
	}
	t.Logf("%d of %d pairs differ", differences, len(all)*len(all))
}
