package kube_test

import (
	"testing"

	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/toleration"
)

// ptr returns a pointer to a copy of v.
func ptr[T any](v T) *T { return &v }

// Every taint of a small universe beside one of NoExecute, with every toleration
// beside one that limits it, for several seconds and both rules: the verdicts and
// the delays are those of package match (rules E1 to E3, N4).
func TestDecideAgreesWithMatch(t *testing.T) {
	tolerations := everyToleration()
	times := []*int64{nil, ptr(int64(-1)), ptr(int64(0)), ptr(int64(60)), ptr(int64(1 << 62))}
	seen := map[match.Eviction]int{}
	for i, x := range everyTaint() {
		for j := range tolerations {
			first, second := tolerations[j], v1.Toleration{Key: "b", Operator: "Exists", TolerationSeconds: times[(i+j)%len(times)]}
			for _, seconds := range times {
				first.TolerationSeconds = seconds
				for _, taints := range [][]v1.Taint{{x}, {x, {Key: "b", Effect: "NoExecute"}}, {{Key: "b", Value: "7", Effect: "NoExecute"}, x}} {
					seen[checkDecide(t, taints, []v1.Toleration{first, second})]++
					seen[checkDecide(t, taints, []v1.Toleration{second, first})]++
				}
			}
		}
	}
	if len(seen) != 3 || checkDecide(t, nil, nil) != match.Stay {
		t.Errorf("evictions: %v", seen)
	}
}

func checkDecide(t *testing.T, taints []v1.Taint, list []v1.Toleration) (eviction match.Eviction) {
	ours := kube.AppendTaints(nil, taints)
	for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
		tolerations := kube.AppendTolerations(nil, list)
		got, want := kube.Decide(taints, list, rules), match.Decide(ours, tolerations, rules)
		if got != want {
			t.Fatalf("Decide(%v, %v, %v) = %+v, want %+v", taints, list, rules, got, want)
		}
		after, evicted := kube.EvictionDelay(taints, list, rules)
		if wantAfter, want := match.EvictionDelay(ours, tolerations, rules); after != wantAfter || evicted != want {
			t.Fatalf("EvictionDelay(%v, %v, %v) = %v, %t, want %v, %t", taints, list, rules, after, evicted, wantAfter, want)
		}
		eviction = got.Eviction
	}
	return eviction
}
