package compile

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// BenchmarkKeys compares scanning the groups of a list with hashing the key, by the
// number of keys. It is what fewKeys was chosen by.
func BenchmarkKeys(b *testing.B) {
	for _, n := range []int{1, 2, 3, 4, 5, 6, 8, 12} {
		list := make([]toleration.Toleration, n)
		for i := range list {
			list[i] = toleration.Toleration{Key: fmt.Sprintf("example.com/pool-%c", 'a'+i), Value: "true", Effect: taint.NoSchedule}
		}
		compareThresholds(b, &fewKeys, n, list)
	}
}

// BenchmarkValues compares scanning the values of a group with a map, by the number
// of values. It is what fewValues was chosen by.
func BenchmarkValues(b *testing.B) {
	for _, n := range []int{2, 4, 6, 8, 12, 16, 24} {
		list := make([]toleration.Toleration, n+1) // a group holds the first apart
		for i := range list {
			list[i] = toleration.Toleration{Key: "example.com/pool", Value: fmt.Sprintf("team-%c", 'a'+i), Effect: taint.NoSchedule}
		}
		compareThresholds(b, &fewValues, n, list)
	}
}

// compareThresholds times a list with the threshold at n, where it is scanned, and
// below. The questions are about a taint for each toleration, and one that none of
// them tolerates.
func compareThresholds(b *testing.B, threshold *int, n int, list []toleration.Toleration) {
	var taints []taint.Taint
	for i := range list {
		taints = append(taints, taint.Taint{Key: list[i].Key, Value: list[i].Value, Effect: list[i].Effect})
	}
	taints = append(taints, taint.Taint{Key: "example.com/pool", Value: "nobody", Effect: taint.NoSchedule})
	for _, side := range []struct {
		name      string
		threshold int
	}{{"scan", n}, {"lookup", n - 1}} {
		b.Run(fmt.Sprintf("%02d/%s", n, side.name), func(b *testing.B) {
			defer func(old int) { *threshold = old }(*threshold)
			*threshold = side.threshold
			m := New(list)
			for b.Loop() {
				for i := range taints {
					if m.Tolerates(&taints[i]) != (i < len(list)) {
						b.Fatal("wrong answer")
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(taints)), "ns/taint")
		})
	}
}
