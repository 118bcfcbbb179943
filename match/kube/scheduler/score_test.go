package scheduler

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
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
		counts := rapid.SliceOf(rapid.Int64Range(-3, 40)).Draw(t, "counts")
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

// TestF4NormalizeGreatest: the greatest number that there is makes no other count bad.
func TestF4NormalizeGreatest(t *testing.T) {
	scores := fwk.NodeScoreList{{Score: math.MaxInt64}, {Score: 0}, {Score: 15}, {Score: 16}}
	NewPlugin(Args{}).NormalizeScore(context.Background(), nil, nil, scores)
	for _, s := range scores[1:] {
		if s.Score != maxScore {
			t.Errorf("got %v", scores)
		}
	}
}

// TestF4NormalizeFew: nothing to prefer, counts that are looked up and counts that are divided.
func TestF4NormalizeFew(t *testing.T) {
	for _, counts := range [][]int64{nil, {0}, {0, 0, 0}, {1}, {0, 1}, {1, 0, 1}, {3, 1, 2}, {16, 15}, {15, 14, 0}, {40, 16, 17, 0, 1}} {
		scores := make(fwk.NodeScoreList, len(counts))
		for i := range counts {
			scores[i].Score = counts[i]
		}
		want := slices.Clone(counts)
		match.NormalizeScores(want)
		NewPlugin(Args{}).NormalizeScore(context.Background(), nil, nil, scores)
		for i := range scores {
			if scores[i].Score != want[i] {
				t.Errorf("counts %v give %v, want %v", counts, scores, want)
			}
		}
	}
}

// TestScoreOfManySoftTaints: the fleet numbers only the first lists of soft taints, and the
// answers are right for all.
func TestScoreOfManySoftTaints(t *testing.T) {
	a, pod := newAsking(Args{}), newPod(mustTolerations(t, "a,b0,b300"))
	var nodes []*v1.Node
	var infos []fwk.NodeInfo
	for i := range 400 {
		taints := mustTaints(t, fmt.Sprintf("a:PreferNoSchedule,b%d:PreferNoSchedule,h%d:NoSchedule", i, i))
		for j := range i % 2 * (unnumbered - 2) { // every second node has more than there is room for
			taints = append(taints, mustTaints(t, fmt.Sprintf("c%d:PreferNoSchedule", j))...)
		}
		nodes = append(nodes, newNode("n", taints, i%3 == 0))
		infos = append(infos, nodeInfo{node: nodes[i]})
	}
	for range 2 {
		a.pl.remember(pod, infos)
		for _, node := range nodes {
			a.compare(t, pod, node)
		}
	}
	f := a.pl.fleet.Load()
	if n := len(f.numbered); f.room != 0 || n != 1+unnumbered/2 {
		t.Errorf("%d lists have a number, with room for %d taints more", n, f.room)
	}
	q, numbered := a.pl.ask(pod), 0
	for _, node := range nodes {
		if count, known := q.score(node); known {
			if want, _ := a.plain.Score(context.Background(), nil, pod, nodeInfo{node: node}); int64(count) != want {
				t.Errorf("%v: count %d, want %d", node.Spec.Taints, count, want)
			}
			numbered++
		}
	}
	if numbered < unnumbered/4 { // of unnumbered/2, most have their first place
		t.Errorf("the counts of %d nodes are known", numbered)
	}
}

// TestScoreOfOneNode: a list of nearly as many taints as there is room for is counted, and no
// count is mistaken for unnumbered.
func TestScoreOfOneNode(t *testing.T) {
	for _, soft := range []int{0, 1, unnumbered - 1, unnumbered, unnumbered + 1} {
		var taints []taint.Taint
		for i := range soft {
			taints = append(taints, mustTaints(t, fmt.Sprintf("a%d:PreferNoSchedule", i))...)
		}
		pl, pod, node := NewPlugin(Args{}), newPod(nil), newNode("n", taints, false)
		pl.remember(pod, []fwk.NodeInfo{nodeInfo{node: node}})
		if count, known := pl.ask(pod).score(node); known != (soft < unnumbered) || known && int(count) != soft {
			t.Errorf("%d soft taints: %d, %t", soft, count, known)
		}
		if got, _ := pl.Score(context.Background(), nil, pod, nodeInfo{node: node}); got != int64(soft) {
			t.Errorf("%d soft taints: score %d", soft, got)
		}
	}
}

// TestPreScoreSkips: scoring is skipped if and only if no node has a soft taint that is not
// tolerated, whether or not the plugin has numbers for the taints.
func TestPreScoreSkips(t *testing.T) {
	ctx := context.Background()
	for _, nodes := range []int{1, manyNodes, 2 * unnumbered} {
		var infos []fwk.NodeInfo
		for i := range nodes {
			infos = append(infos, nodeInfo{node: newNode("n", mustTaints(t, fmt.Sprintf("a=%d:PreferNoSchedule,b:NoSchedule", i)), false)})
		}
		for text, want := range map[string]bool{"a": true, "*:PreferNoSchedule": true, "": false, "a:NoSchedule": false, fmt.Sprint("a==", nodes/2): nodes == 1} {
			pl, pod := NewPlugin(Args{}), newPod(mustTolerations(t, text))
			for range 3 { // what is learned in one round is known in the next
				if got := pl.PreScore(ctx, nil, pod, infos); got.IsSkip() != want {
					t.Errorf("%q and %d nodes: %v, want skip %t", text, nodes, got, want)
				}
			}
		}
	}
}

// TestScoreOfEarlierPods: a pod that was not prepared last has its own scores.
func TestScoreOfEarlierPods(t *testing.T) {
	pl, ctx := NewPlugin(Args{}), context.Background()
	info := nodeInfo{node: newNode("n", mustTaints(t, "a:PreferNoSchedule,b:PreferNoSchedule"), false)}
	for range 3 {
		for want, text := range []string{"a,b", "a", ""} {
			pod, other := newPod(mustTolerations(t, text)), newPod(mustTolerations(t, "b"))
			pl.remember(pod, []fwk.NodeInfo{info})
			pl.prepare(ctx, other, manyNodes)
			for range 2 {
				if got, _ := pl.Score(ctx, nil, pod, info); got != int64(want) {
					t.Errorf("%q: %d, want %d", text, got, want)
				}
				if got, _ := pl.Score(ctx, nil, other, info); got != 1 {
					t.Errorf("the other pod: %d", got)
				}
			}
		}
	}
}
