package scheduler

import (
	"context"
	"slices"
	"testing"

	fwk "k8s.io/kube-scheduler/framework"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
)

func TestF4Score(t *testing.T) {
	node := nodeInfo{node: newNode("n", mustTaints(t, "a=x:PreferNoSchedule,b:NoSchedule,c:PreferNoSchedule,d:PreferNoSchedule"), true)}
	for _, test := range []struct {
		tolerations string
		want        int64
	}{
		{"", 3},
		{"b,c:NoSchedule,a:NoExecute", 3},
		{"a", 2},
		{"b:NoSchedule,a,b:NoExecute", 2},
		{"a:PreferNoSchedule,b:NoSchedule,d,c", 0},
		{"b:NoSchedule,*:NoExecute,*:PreferNoSchedule", 0},
		{"a=y,c=", 2},
	} {
		got, status := NewPlugin(Args{}).Score(context.Background(), nil, newPod(mustTolerations(t, test.tolerations)), node)
		if got != test.want || status != nil {
			t.Errorf("pod %q: %d, %v, want %d", test.tolerations, got, status, test.want)
		}
	}
}

// TestF4Normalize is about counts, and about other numbers only so far that nothing is
// divided by zero.
func TestF4Normalize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOf(rapid.Int64Range(-3, 12)).Draw(t, "counts")
		scores := make(fwk.NodeScoreList, len(counts))
		for i := range counts {
			scores[i].Score = counts[i]
		}
		want := slices.Clone(counts)
		match.NormalizeScores(want)
		if status := NewPlugin(Args{}).ScoreExtensions().NormalizeScore(context.Background(), nil, nil, scores); status != nil {
			t.Fatal(status)
		}
		for i := range scores {
			if scores[i].Score != want[i] {
				t.Fatalf("counts %v give %v, want %v", counts, scores, want)
			}
		}
	})
}
