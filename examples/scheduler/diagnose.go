package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/compile/index"
)

// diagnosis is why a pod fits nowhere: how many nodes have each reason. Taints come first: a
// node that refuses the pod for a taint is not asked for room.
type diagnosis struct {
	nodes int
	why   map[string]int
}

// diagnose finds out why a pod fits nowhere now.
func (s *scheduler) diagnose(class index.PodClass, request int64) diagnosis {
	fit := s.fit(class)
	d := diagnosis{len(s.cache.byName), make(map[string]int)}
	for _, r := range fit.AppendReasons(nil, -1) { // regardless of the effect, as a scheduler's message is
		d.why[fmt.Sprintf("node(s) had untolerated taint {%s: %s}", r.Taint.Key, r.Taint.Value)] += r.Nodes
	}
	for id := range fit.Nodes() {
		if request > s.cache.byNumber[id.Number()].free() {
			d.why["Insufficient cpu"]++
		}
	}
	return d
}

// String returns what a scheduler reports of a pod that it cannot place, with the reasons of
// most nodes.
func (d diagnosis) String() string {
	const shown = 3
	var lines []string
	for i, why := range byCount(d.why) {
		if i == shown {
			lines = append(lines, fmt.Sprintf("and %d more", len(d.why)-shown))
			break
		}
		lines = append(lines, fmt.Sprintf("%d %s", d.why[why], why))
	}
	if lines == nil {
		return fmt.Sprintf("0/%d nodes are available.", d.nodes)
	}
	return fmt.Sprintf("0/%d nodes are available: %s.", d.nodes, strings.Join(lines, ", "))
}

// byCount returns the texts, those that count most first.
func byCount(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}
