package kube

import (
	"testing"

	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The words that matching can tell apart, and near misses of each.
var (
	keys      = []string{"", "a", "A", "b", "a/b"}
	operators = []string{"", "Equal", "Exists", "Lt", "Gt", "equal", "exists", "gt", "LT", "Gte", "In"}
	effects   = []string{"", "NoSchedule", "PreferNoSchedule", "NoExecute", "noExecute", "NoScheduleNoAdmit"}
	values    = []string{
		"", "x", "X", "true", " ", "-", "--1", "-0", "0", "00", "01", "-01", "1", "-1", "2", "9", "10", // small, canonical or not
		"+5", " 5", "5 ", "5", "5.0", "5,0", "5_0", "1e3", "0x10", "five", "\u0665", "5\x00", "\uff15", // not numbers, or other digits
		":", "/", "1:", "1/", ":0", "/9", "-:", // what stands next to the digits
		"999999999999999999", "1000000000000000000", "-999999999999999999", // 18 and 19 digits
		"9223372036854775806", "9223372036854775807", "9223372036854775808", // around MaxInt64
		"-9223372036854775807", "-9223372036854775808", "-9223372036854775809", // around MinInt64
		"9999999999999999999", "-9999999999999999999", // 19 digits that overflow
		"10000000000000000000", "18446744073709551615", "18446744073709551616", "-18446744073709551617", // 20 digits
		"18446744073709551621", "00000000000000000005", // 5 but for 64 bits or leading zeros
		"99999999999999999999999999", // 26 digits
	}
)

// TestSingleUniverse holds one toleration against one taint, for every
// combination of the words above (rules M1 to M6, N1 to N4).
func TestSingleUniverse(t *testing.T) {
	keys, effects := keys, effects
	if testing.Short() { // every operator and value still, with a match and a mismatch of the rest
		keys, effects = keys[:2], effects[:2]
	}
	taints := allTaints(keys, values, effects)
	comparisons := 0
	for _, toleration := range allTolerations(keys, operators, values, effects) {
		p := newPod([]v1.Toleration{toleration})
		for i := range taints {
			comparisons += compareSingle(t, p, &taints[i])
		}
	}
	t.Logf("%d answers compared", comparisons)
}

func compareSingle(t *testing.T, p pod, v1Taint *v1.Taint) (comparisons int) {
	x := kube.Taint(v1Taint)
	for _, gate := range [...]bool{true, false} {
		want := p.v1[0].ToleratesTaint(quiet, v1Taint, gate)
		if got := kube.ToleratesTaint(&p.v1[0], quiet, v1Taint, gate); got != want {
			fail(t, newNode([]v1.Taint{*v1Taint}), p, gate, "kube.ToleratesTaint", 0, got, want)
		}
		if got := match.Tolerates(p.ours, &x, rulesOf(gate)...); got != want {
			fail(t, newNode([]v1.Taint{*v1Taint}), p, gate, "match.Tolerates", 0, got, want)
		}
		if p.ours[0].Tolerates(&x, rulesOf(gate)...) != want {
			fail(t, newNode([]v1.Taint{*v1Taint}), p, gate, "Toleration.Tolerates", 0, !want, want)
		}
	}
	return 5
}

// TestListUniverse holds every list of up to three tolerations against every
// list of up to two taints, from a universe reduced to the words that lists can
// tell apart (rules F1 to F4, N4).
func TestListUniverse(t *testing.T) {
	longest := 3
	if testing.Short() {
		longest = 2
	}
	conditions := []v1.Toleration{
		{Operator: "Exists"}, {Operator: "Equal", Value: "5"}, {Operator: "Gt", Value: "4"}, {Operator: "Lt", Value: "5"},
	}
	var tolerations []v1.Toleration
	for _, t := range conditions {
		for _, t.Key = range []string{"", "a"} {
			for _, t.Effect = range []v1.TaintEffect{"", "NoSchedule", "NoExecute"} {
				tolerations = append(tolerations, t)
			}
		}
	}
	taints := append(allTaints([]string{"a"}, []string{"4", "5"}, []string{"NoSchedule", "PreferNoSchedule", "NoExecute"}),
		v1.Taint{Key: "b", Value: "5", Effect: "NoSchedule"}, v1.Taint{Key: "b", Effect: "NoExecute"}, v1.Taint{Key: "a", Value: "5"})
	var nodes []node
	for _, list := range listsUpTo(2, taints) {
		nodes = append(nodes, newNode(distinct(list)))
	}
	comparisons := 0
	for _, list := range listsUpTo(longest, tolerations) {
		p := newPod(list)
		for _, n := range nodes {
			comparisons += compare(t, n, p)
		}
	}
	t.Logf("%d answers compared", comparisons)
}

func allTaints(keys, values, effects []string) (all []v1.Taint) {
	for _, key := range keys {
		for _, value := range values {
			for _, effect := range effects {
				all = append(all, v1.Taint{Key: key, Value: value, Effect: v1.TaintEffect(effect)})
			}
		}
	}
	return all
}

func allTolerations(keys, operators, values, effects []string) (all []v1.Toleration) {
	for _, key := range keys {
		for _, operator := range operators {
			for _, value := range values {
				for _, effect := range effects {
					all = append(all, v1.Toleration{
						Key: key, Operator: v1.TolerationOperator(operator), Value: value, Effect: v1.TaintEffect(effect)})
				}
			}
		}
	}
	return all
}

// listsUpTo returns every list of at most n items, the empty one included.
func listsUpTo[T any](n int, items []T) [][]T {
	lists := [][]T{nil}
	for start := 0; n > 0; n-- {
		end := len(lists)
		for _, list := range lists[start:end] {
			for _, item := range items {
				lists = append(lists, append(list[:len(list):len(list)], item))
			}
		}
		start = end
	}
	return lists
}

// TestUniverseTellsApart makes sure that the universe has a case on each side
// of every rule: a test of equal answers that are all false would prove little.
func TestUniverseTellsApart(t *testing.T) {
	seen := map[toleration.Operator]map[bool]int{}
	for _, v1Toleration := range allTolerations([]string{"", "a"}, operators, values, effects) {
		u := kube.Toleration(&v1Toleration)
		if seen[u.Operator] == nil {
			seen[u.Operator] = map[bool]int{}
		}
		for _, value := range values {
			seen[u.Operator][u.Tolerates(&taint.Taint{Key: "a", Value: value, Effect: taint.NoExecute}, rulesOf(true)...)]++
		}
	}
	for _, operator := range operators[:5] {
		if counts := seen[toleration.Operator(operator)]; counts[true] == 0 || counts[false] == 0 {
			t.Errorf("operator %q: the universe has only one answer: %v", operator, counts)
		}
	}
}
