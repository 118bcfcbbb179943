package gen_test

import (
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/gen/internal/measured/best"
	"github.com/tolero-dev/tolero/compile/gen/internal/measured/byeffect"
	"github.com/tolero-dev/tolero/compile/gen/internal/measured/bykey"
	"github.com/tolero-dev/tolero/compile/gen/internal/measured/bylength"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
)

// BenchmarkP8 measures figure P8: the first hard taint of a node that is left
// untolerated, by the number of tolerations, match against compile against
// generated code in one run, and a comparison of two strings as the floor. The questions are those of figure P2: a node whose
// only taint the i-th toleration tolerates, for each i, and a node with a taint
// that none tolerates.
func BenchmarkP8(b *testing.B) {
	keys := corpus.Keys()
	for _, list := range []struct {
		name      string
		n         int
		generated func(node []taint.Taint) bool
	}{
		{"01", 1, func(node []taint.Taint) bool {
			_, found := best.Pools01{}.FirstUntolerated(node, taint.Hard)
			return found
		}},
		{"02", 2, func(node []taint.Taint) bool {
			_, found := best.Pools02{}.FirstUntolerated(node, taint.Hard)
			return found
		}},
		{"04", 4, func(node []taint.Taint) bool {
			_, found := best.Pools04{}.FirstUntolerated(node, taint.Hard)
			return found
		}},
		{"08", 8, func(node []taint.Taint) bool {
			_, found := best.Pools08{}.FirstUntolerated(node, taint.Hard)
			return found
		}},
		{"16", 16, func(node []taint.Taint) bool {
			_, found := best.Pools16{}.FirstUntolerated(node, taint.Hard)
			return found
		}},
		{"32", 32, func(node []taint.Taint) bool {
			_, found := best.Pools32{}.FirstUntolerated(node, taint.Hard)
			return found
		}},
	} {
		var nodes [][]taint.Taint
		for i := range list.n + 1 { // with strings of their own, as they come from the API server
			nodes = append(nodes, []taint.Taint{{
				Key: strings.Clone(keys[i*7%len(keys)]), Value: strings.Clone("true"), Effect: taint.Effect(strings.Clone("NoSchedule")),
			}})
		}
		tolerations := pools(list.n)
		m := compile.New(tolerations)
		b.Run(list.name+"/match", func(b *testing.B) {
			ask(b, nodes, func(node []taint.Taint) bool {
				_, found := match.FirstUntolerated(node, tolerations, taint.Hard)
				return found
			})
		})
		b.Run(list.name+"/compile", func(b *testing.B) {
			ask(b, nodes, func(node []taint.Taint) bool {
				_, found := m.FirstUntolerated(node, taint.Hard)
				return found
			})
		})
		b.Run(list.name+"/generated", func(b *testing.B) { ask(b, nodes, list.generated) })
		b.Run(list.name+"/floor", func(b *testing.B) { // one comparison with the key that none tolerates
			other := keys[list.n*7%len(keys)]
			ask(b, nodes, func(node []taint.Taint) bool { return node[0].Key == other })
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

// BenchmarkOrder compares the orders of tests, which is what chooseOrder goes
// by: all taints of the corpus, as often as they occur in it, with lists of the
// benchmark and with real ones.
func BenchmarkOrder(b *testing.B) {
	var taints []taint.Taint
	for _, node := range corpus.Taints() {
		taints = append(taints, node.Taints...)
	}
	type tolerates = func(*taint.Taint) bool
	for _, list := range []struct {
		name                      string
		byKey, byEffect, byLength tolerates
	}{
		{"DaemonSet", bykey.DaemonSet{}.Tolerates, byeffect.DaemonSet{}.Tolerates, bylength.DaemonSet{}.Tolerates},
		{"Linstor", bykey.Linstor{}.Tolerates, byeffect.Linstor{}.Tolerates, bylength.Linstor{}.Tolerates},
		{"Neuron", bykey.Neuron{}.Tolerates, byeffect.Neuron{}.Tolerates, bylength.Neuron{}.Tolerates},
		{"Alertmanager", bykey.Alertmanager{}.Tolerates, byeffect.Alertmanager{}.Tolerates, bylength.Alertmanager{}.Tolerates},
		{"Pools01", bykey.Pools01{}.Tolerates, byeffect.Pools01{}.Tolerates, bylength.Pools01{}.Tolerates},
		{"Pools02", bykey.Pools02{}.Tolerates, byeffect.Pools02{}.Tolerates, bylength.Pools02{}.Tolerates},
		{"Pools04", bykey.Pools04{}.Tolerates, byeffect.Pools04{}.Tolerates, bylength.Pools04{}.Tolerates},
		{"Pools08", bykey.Pools08{}.Tolerates, byeffect.Pools08{}.Tolerates, bylength.Pools08{}.Tolerates},
		{"Pools16", bykey.Pools16{}.Tolerates, byeffect.Pools16{}.Tolerates, bylength.Pools16{}.Tolerates},
		{"Pools32", bykey.Pools32{}.Tolerates, byeffect.Pools32{}.Tolerates, bylength.Pools32{}.Tolerates},
	} {
		for _, order := range []struct {
			name      string
			tolerates tolerates
		}{{"key", list.byKey}, {"effect", list.byEffect}, {"length", list.byLength}} {
			b.Run(list.name+"/"+order.name, func(b *testing.B) {
				for b.Loop() {
					for i := range taints {
						order.tolerates(&taints[i])
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(taints)), "ns/taint")
			})
		}
	}
}
