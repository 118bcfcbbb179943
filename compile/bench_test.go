package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// realKeys are the different keys of real tolerations, in the order in which the
// corpus has them.
func realKeys() []string {
	var keys []string
	seen := map[string]bool{"": true}
	for _, list := range corpus.Tolerations() {
		for _, t := range list.Tolerations {
			if !seen[t.Key] {
				seen[t.Key] = true
				keys = append(keys, t.Key)
			}
		}
	}
	return keys
}

// BenchmarkP2 measures figure P2: the first hard taint of a node that is left
// untolerated, by the number of tolerations, match against compile in one run.
// The tolerations have real keys. There are as many questions as tolerations and
// one more: a node whose only taint the i-th toleration tolerates, for each i,
// and a node with a taint that none tolerates.
func BenchmarkP2(b *testing.B) {
	keys := realKeys()
	for _, n := range []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32} {
		var tolerations []toleration.Toleration
		var nodes [][]taint.Taint
		for i := range n + 1 {
			key := keys[i*7%len(keys)]
			nodes = append(nodes, []taint.Taint{{Key: strings.Clone(key), Value: "true", Effect: taint.Effect(strings.Clone("NoSchedule"))}})
			if i < n {
				tolerations = append(tolerations, toleration.Toleration{Key: key, Operator: toleration.Equal, Value: "true", Effect: taint.NoSchedule})
			}
		}
		m := compile.New(tolerations)
		b.Run(fmt.Sprintf("%02d/match", n), func(b *testing.B) {
			ask(b, nodes, func(node []taint.Taint) bool {
				_, found := match.FirstUntolerated(node, tolerations, taint.Hard)
				return found
			})
		})
		b.Run(fmt.Sprintf("%02d/compile", n), func(b *testing.B) {
			ask(b, nodes, func(node []taint.Taint) bool {
				_, found := m.FirstUntolerated(node, taint.Hard)
				return found
			})
		})
	}
}

// ask times one question about each node, of which only the last has an
// untolerated taint.
func ask(b *testing.B, nodes [][]taint.Taint, found func([]taint.Taint) bool) {
	b.ReportAllocs()
	for b.Loop() {
		for i, node := range nodes {
			if found(node) != (i == len(nodes)-1) {
				b.Fatalf("wrong answer for node %d", i)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(nodes)), "ns/node")
}
