package figures

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// BenchmarkP12 measures figure P12: crafted input against harmless input of the same size.
// That the work grows in proportion is a test of package index, which counts steps.
func BenchmarkP12(b *testing.B) {
	b.Run("equal tolerations", func(b *testing.B) {
		s := twoTaints(200).Snapshot()
		compare(b, 1, fits(s, repeated(400, toleration.Toleration{Key: "nowhere", Operator: toleration.OpExists})),
			fits(s, repeated(400, toleration.Toleration{Operator: toleration.OpExists, Effect: taint.NoSchedule})))
	})
	b.Run("long lists", func(b *testing.B) {
		s := twoTaints(10_000).Snapshot()
		var foreign, own []toleration.Toleration
		for i := range 10_000 {
			foreign = append(foreign, toleration.Toleration{Key: "a", Value: fmt.Sprint("x", i)})
			own = append(own, toleration.Toleration{Key: "a", Value: strconv.Itoa(i)})
		}
		compare(b, 10_000, fits(s, foreign), fits(s, own))
	})
	b.Run("lists that collide", func(b *testing.B) {
		lists := func(crafted bool) func() int {
			var lists [][]toleration.Toleration
			for i := range int64(8000) {
				one, two := i, i+1_000_000
				if crafted { // the highest bit of both
					one, two = i/4|i&1<<63, i/4|i>>1&1<<63
				}
				lists = append(lists, []toleration.Toleration{
					{Key: "a", Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: &one},
					{Key: "b", Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: &two},
				})
			}
			return func() int {
				var pods index.Pods
				for _, list := range lists {
					pods.Add(list)
				}
				return pods.Len()
			}
		}
		compare(b, 8000, lists(false), lists(true))
	})
	b.Run("numbers in order", func(b *testing.B) {
		load := func(number func(i int) int) func() int {
			return func() int {
				var ix index.Index
				for i := range 4000 {
					ix.Set(strconv.Itoa(i), []taint.Taint{{Key: "k", Value: strconv.Itoa(number(i)), Effect: taint.NoSchedule}})
				}
				return ix.Len()
			}
		}
		compare(b, 4000, load(func(i int) int { return i * (2654435761 % 4001) % 4001 }), load(func(i int) int { return i }))
	})
	b.Run("long nodes", func(b *testing.B) {
		of := func(key func(i int) string) func() int {
			var taints []taint.Taint
			for i := range 10_000 {
				taints = append(taints, taint.Taint{Key: key(i), Value: strconv.Itoa(i), Effect: taint.NoSchedule})
			}
			return func() int {
				var ix index.Index
				ix.Set("node", taints)
				var fit index.Fit
				ix.Snapshot().FitList(&fit, []toleration.Toleration{{Key: key(0), Operator: toleration.OpExists}})
				return ix.Len()
			}
		}
		compare(b, 10_000, of(strconv.Itoa), of(func(int) string { return "k" }))
	})
}

// compare times harmless and crafted work.
func compare(b *testing.B, units int, harmless, crafted func() int) {
	r := ratio.Measure(b, "unit", ratio.Side{Name: "harmless", Units: units, Do: harmless}, ratio.Side{Name: "crafted", Units: units, Do: crafted})
	r.Report(b, "crafted", "harmless")
}

// twoTaints is an index of nodes with two taints of their own.
func twoTaints(n int) *index.Index {
	var ix index.Index
	for i := range n {
		ix.Set(strconv.Itoa(i), []taint.Taint{{Key: "a", Value: strconv.Itoa(i), Effect: taint.NoSchedule}, {Key: "b", Value: strconv.Itoa(i), Effect: taint.NoExecute}})
	}
	return &ix
}

func repeated(n int, t toleration.Toleration) (list []toleration.Toleration) {
	for range n {
		list = append(list, t)
	}
	return list
}

func fits(s *index.Snapshot, list []toleration.Toleration) func() int {
	var fit index.Fit
	return func() int {
		s.FitList(&fit, list)
		return fit.Len()
	}
}
