package evict_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

var policies = []match.EvictionPolicy{match.FirstMatch, match.MostLenient, match.SinceAdded, match.SinceAdded + 1}

// Whatever happens, the queue decides what the model decides that looks at every
// pod at every step (rules E1 to E5).
func TestQueueAgreesWithModel(t *testing.T) {
	for _, policy := range policies {
		t.Run(policy.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { runMachine(t, policy) })
		})
	}
}

func runMachine(t *rapid.T, policy match.EvictionPolicy) {
	p := newPair(t, policy, toleration.Rules{Comparisons: rapid.Bool().Draw(t, "comparisons")})
	t.Repeat(map[string]func(*rapid.T){
		"SetNode":    func(t *rapid.T) { p.setNode(nodeNames.Draw(t, "node"), someTaints(t, p)) },
		"clear":      func(t *rapid.T) { p.setNode(nodeNames.Draw(t, "node"), nil) },
		"DeleteNode": func(t *rapid.T) { p.deleteNode(nodeNames.Draw(t, "node")) },
		"SetPod": func(t *rapid.T) {
			node := nodeNames.Draw(t, "node")
			p.setPod(podNames.Draw(t, "pod"), node, someTolerations(t, p, node))
		},
		"pods": func(t *rapid.T) {
			node := nodeNames.Draw(t, "node")
			tolerations := someTolerations(t, p, node)
			for i := range rapid.IntRange(1, 40).Draw(t, "n") {
				p.setPod(fmt.Sprint("many-", i), node, tolerations)
			}
		},
		"DeletePod": func(t *rapid.T) { p.deletePod(podNames.Draw(t, "pod")) },
		"Advance":   func(t *rapid.T) { p.advance(steps.Draw(t, "step")) },
		"to the next": func(t *rapid.T) {
			if due, ok := p.queue.Next(); ok {
				p.advance(due.Sub(p.now) + time.Duration(rapid.IntRange(-1, 1).Draw(t, "ns")))
			}
		},
	})
	p.askAgain()
}

var (
	nodeNames = rapid.SampledFrom([]string{"n1", "n2", "n3", ""})
	podNames  = rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "many-0", "many-1"})
	steps     = rapid.SampledFrom([]time.Duration{-time.Hour, -1, 0, 1, time.Second, 59 * time.Second, time.Minute, 241 * time.Second,
		5 * time.Minute, time.Hour, 1 << 61, 1<<63 - 1, -1 << 63})
)

// someTaints draws taints that the pods of the pair know of, most of the time.
func someTaints(t *rapid.T, p *pair) []taint.Taint {
	taints := matchtest.Taints().Draw(t, "taints")
	for i := range taints {
		if rapid.IntRange(0, 3).Draw(t, "effect") > 0 {
			taints[i].Effect = taint.NoExecute
		}
	}
	if n := p.model.nodes[nodeNames.Draw(t, "like")]; n != nil && rapid.Bool().Draw(t, "more") {
		taints = append(taints, n.taints...)
	}
	return taints
}

// someTolerations draws tolerations for what some node has, and sometimes for all
// the rest.
func someTolerations(t *rapid.T, p *pair, node string) []toleration.Toleration {
	var taints []taint.Taint
	if n := p.model.nodes[node]; n != nil {
		taints = n.taints
	}
	tolerations := matchtest.Tolerations(taints).Draw(t, "tolerations")
	if rapid.IntRange(0, 2).Draw(t, "all") > 0 {
		seconds := rapid.SampledFrom([]int64{1, 60, 300, 1 << 40}).Draw(t, "seconds")
		tolerations = append(tolerations, toleration.Toleration{Operator: toleration.OpExists, TolerationSeconds: &seconds})
	}
	return tolerations
}
