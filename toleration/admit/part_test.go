package admit_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// parts is one of each kind, and more than one where settings matter.
var parts = map[string]admit.Part{
	"default seconds": admit.DefaultSeconds{},
	"own seconds":     admit.DefaultSeconds{NotReady: ptr(int64(0)), Unreachable: ptr(int64(7))},
	"DaemonSet":       admit.DaemonSet{HostNetwork: true, OutOfDisk: true},
	"static pod":      admit.StaticPod{},
	"extended":        admit.ExtendedResources{Names: []string{"example.com/a", "example.com/b"}},
	"many resources":  admit.ExtendedResources{Names: []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "a"}},
	"restriction": admit.Restriction{Class: admit.Burstable, Defaults: []toleration.Toleration{
		toleration.MustParse("a"), toleration.MustParse("b=x"),
	}},
	"runtime class": admit.RuntimeClass{Tolerations: []toleration.Toleration{toleration.MustParse("runtime"), toleration.MustParse("a")}},
	"exact":         admit.Restriction{Class: admit.Burstable, Exact: true, Defaults: []toleration.Toleration{toleration.MustParse("a")}},
	"chain":         admit.Chain{admit.DaemonSet{}, admit.DefaultSeconds{}, admit.Restriction{Class: admit.Guaranteed}},
}

// Every part appends: what is in dst stays, and dst may be the list itself,
// with or without room.
func TestPartsAppend(t *testing.T) {
	before := toleration.MustParse("before")
	rapid.Check(t, func(t *rapid.T) {
		given := matchtest.Tolerations(matchtest.Taints().Draw(t, "taints")).Draw(t, "tolerations")
		for name, part := range parts {
			kept := slices.Clone(given)
			want := part.Append(nil, given)
			if got := part.Append([]toleration.Toleration{before}, given); !got[0].Equal(&before) || !toleration.Equal(got[1:], want) {
				t.Fatalf("%s: %q after another, want %q", name, got, want)
			}
			if !toleration.Equal(given, kept) {
				t.Fatalf("%s: the list %q has become %q", name, kept, given)
			}
			for _, room := range []int{0, 100} {
				list := append(make([]toleration.Toleration, 0, len(given)+room), given...)
				if got := part.Append(list[:0], list); !toleration.Equal(got, want) {
					t.Fatalf("%s: %q in place, want %q", name, got, want)
				}
			}
		}
	})
}

// The zero value of each part adds what Kubernetes adds by default, or nothing, and
// never evicts at once.
func TestZeroParts(t *testing.T) {
	for name, part := range map[string]admit.Part{
		"": admit.Chain{}, "none": admit.Chain(nil), "restriction": admit.Restriction{}, "resources": admit.ExtendedResources{},
	} {
		if got := part.Append(nil, nil); len(got) != 0 {
			t.Errorf("%s adds %q", name, got)
		}
	}
	for _, part := range []admit.Part{admit.DefaultSeconds{}, admit.DaemonSet{}, admit.StaticPod{}} {
		for _, added := range part.Append(nil, nil) {
			if added.TolerationSeconds != nil && *added.TolerationSeconds != 300 {
				t.Errorf("%T adds %s", part, added)
			}
		}
	}
}

// A chain is its parts in order.
func TestChain(t *testing.T) {
	for _, given := range []string{"", "a", "node.kubernetes.io/not-ready:NoExecute@5"} {
		one, two := admit.DefaultSeconds{}, admit.DaemonSet{}
		if got, want := (admit.Chain{one, two}).Append(nil, list(t, given)), two.Append(nil, one.Append(nil, list(t, given))); !toleration.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", given, got, want)
		}
		if got, want := (admit.Chain{two, one}).Append(nil, list(t, given)), one.Append(nil, two.Append(nil, list(t, given))); !toleration.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", given, got, want)
		}
	}
}

// allOperators is the rules of a cluster in which every operator counts.
var allOperators = toleration.Rules{Comparisons: true}

// Adding twice is adding once, and no taint is tolerated less than before, except
// in seconds (rules A1 to A6, A8). Of a list that is not valid, merging may drop what the
// next part adds again: Exists with a value takes the place of Exists without one.
func TestAddingTwiceIsAddingOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		taints := matchtest.Taints().Draw(t, "taints")
		given := matchtest.Tolerations(taints).Draw(t, "tolerations")
		for name, part := range parts {
			once := part.Append(nil, given)
			merges := name == "exact" || name == "chain"
			if twice := part.Append(nil, once); !toleration.Equal(once, twice) && !(merges && allOperators.Validate(given) != nil) {
				t.Fatalf("%s: once %q, twice %q", name, once, twice)
			}
			for i := range taints {
				if match.Tolerates(given, &taints[i]) && !match.Tolerates(once, &taints[i]) {
					t.Fatalf("%s: %q tolerate %q, %q do not", name, given, taints[i], once)
				}
			}
		}
	})
}

// Huge and hostile lists take linear time: with 100,000 of each, anything else
// would not end.
func TestHugeLists(t *testing.T) {
	const n = 100_000
	given := make([]toleration.Toleration, n)
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint("example.com/", i)
	}
	for i := range given {
		given[i] = toleration.Toleration{Key: names[n-1-i/2], Operator: toleration.OpExists, Effect: taint.NoSchedule}
	}
	got := admit.Chain{admit.DefaultSeconds{}, admit.DaemonSet{}, admit.StaticPod{}, admit.ExtendedResources{Names: names}}.Append(nil, given)
	if want := n + 6 + 1 + n/2; len(got) != want { // DaemonSet updates what DefaultSeconds added
		t.Errorf("%d tolerations, want %d", len(got), want)
	}
}
