package gentest

import (
	"testing"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Fuzz compares m with package match for nodes with any two taints. The seeds
// are taints that get different answers.
func Fuzz(f *testing.F, tolerations []toleration.Toleration, m Matcher) {
	taints, _ := universe(tolerations)
	seeds := different(taints, tolerations)
	for i := range seeds {
		a, b := &seeds[i], &seeds[(i+1)%len(seeds)]
		f.Add(a.Key, a.Value, string(a.Effect), b.Key, b.Value, string(b.Effect))
	}
	f.Fuzz(func(t *testing.T, key1, value1, effect1, key2, value2, effect2 string) {
		node := []taint.Taint{
			{Key: key1, Value: value1, Effect: taint.Effect(effect1)},
			{Key: key2, Value: value2, Effect: taint.Effect(effect2)},
		}
		if err := compare(node, tolerations, m); err != nil {
			t.Error(err)
		}
	})
}

// Benchmark times the scheduler's question, the first hard taint of a node that
// is left untolerated, for package match and for m, about nodes with one taint
// of each toleration and one of none.
func Benchmark(b *testing.B, tolerations []toleration.Toleration, m Matcher) {
	nodes := [][]taint.Taint{{{Key: "example.com/other", Effect: taint.NoSchedule}}}
	for i := range tolerations {
		t := &tolerations[i]
		node := []taint.Taint{{Key: t.Key, Value: t.Value, Effect: t.Effect}}
		if t.Effect == "" {
			node[0].Effect = taint.NoSchedule
		}
		nodes = append(nodes, node)
	}
	ask := func(b *testing.B, ask func(taints []taint.Taint)) {
		b.ReportAllocs()
		for b.Loop() {
			for _, node := range nodes {
				ask(node)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(nodes)), "ns/node")
	}
	b.Run("match", func(b *testing.B) {
		ask(b, func(node []taint.Taint) { match.FirstUntolerated(node, tolerations, taint.Hard, rules) })
	})
	b.Run("generated", func(b *testing.B) {
		ask(b, func(node []taint.Taint) { m.FirstUntolerated(node, taint.Hard) })
	})
}
