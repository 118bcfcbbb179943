package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/compile/index"
)

// diagnosis is why a pod fits nowhere. Taints come first: a node that refuses the
// pod for a taint is not asked for room. A node may lack both resources.
type diagnosis struct {
	nodes       int
	taints      []index.Reason // the most frequent first, regardless of effects
	cpu, memory int            // nodes that lack it
}

// diagnose finds out why a pod fits nowhere now.
func (s *scheduler) diagnose(class index.PodClass, request resources) diagnosis {
	fit := s.fit(class)
	d := diagnosis{nodes: len(s.cache.byName), taints: regardless(fit.AppendReasons(nil, -1))}
	for id := range fit.Nodes() {
		free := s.cache.byNumber[id.Number()].free()
		if request.cpu > free.cpu {
			d.cpu++
		}
		if request.memory > free.memory {
			d.memory++
		}
	}
	return d
}

// regardless merges reasons that differ only in the effect of the taint, which a
// scheduler's message does not tell.
func regardless(reasons []index.Reason) []index.Reason {
	for i := range reasons {
		reasons[i].Taint.Effect = ""
	}
	slices.SortFunc(reasons, byTaint)
	merged := reasons[:0]
	for _, r := range reasons {
		if n := len(merged); n > 0 && byTaint(merged[n-1], r) == 0 {
			merged[n-1].Nodes += r.Nodes
		} else {
			merged = append(merged, r)
		}
	}
	slices.SortStableFunc(merged, func(a, b index.Reason) int { return cmp.Compare(b.Nodes, a.Nodes) })
	return merged
}

func byTaint(a, b index.Reason) int {
	return cmp.Or(cmp.Compare(a.Taint.Key, b.Taint.Key), cmp.Compare(a.Taint.Value, b.Taint.Value))
}

// shownTaints is how many taints a message names.
const shownTaints = 3

// lines returns the reasons one by one, with at most limit taints by name.
func (d *diagnosis) lines(limit int) []string {
	var lines []string
	for _, r := range d.taints[:min(limit, len(d.taints))] {
		lines = append(lines, r.String())
	}
	if rest := d.taints[len(lines):]; len(rest) > 0 {
		nodes := 0
		for _, r := range rest {
			nodes += r.Nodes
		}
		lines = append(lines, fmt.Sprintf("%d node(s) had one of %d other untolerated taints", nodes, len(rest)))
	}
	if d.cpu > 0 {
		lines = append(lines, fmt.Sprintf("%d Insufficient cpu", d.cpu))
	}
	if d.memory > 0 {
		lines = append(lines, fmt.Sprintf("%d Insufficient memory", d.memory))
	}
	return lines
}

// String returns what a scheduler reports of a pod that it cannot place.
func (d *diagnosis) String() string {
	text := fmt.Sprintf("0/%d nodes are available", d.nodes)
	if lines := d.lines(shownTaints); len(lines) > 0 {
		text += ": " + strings.Join(lines, ", ")
	}
	return text + "."
}
