// Package source has the inputs of the vectors that are written by hand.
package source

import (
	"strings"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Case is a question with the rules that it is about.
type Case struct {
	Rules []string
	Ask   string
	About string // what is special, in a few words; no two of a kind are alike
	Input canonical.Input
}

// ID returns the name of the case.
func (c *Case) ID() string {
	return c.Ask + "/" + strings.Trim(strings.Join(strings.FieldsFunc(strings.ToLower(c.About), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "-"), "-")
}

// All returns all cases, in a fixed order.
func All() []Case {
	var l list
	for _, add := range []func(*list){matching, lists, evictions, admission, components, validation, changes, lifecycles, devices} {
		add(&l)
	}
	return l
}

type list []Case

func (l *list) add(rules, ask, about string, in canonical.Input) {
	*l = append(*l, Case{strings.Fields(rules), ask, about, in})
}

var on = &canonical.Gates{Comparisons: true}

// taints and the functions beside it read lists, valid or not.
func taints(text string) []taint.Taint {
	list, err := notation.Taints(text)
	if err != nil {
		panic(err)
	}
	return list
}

func tolerations(text string) []toleration.Toleration {
	list, err := notation.Tolerations(text)
	if err != nil {
		panic(err)
	}
	return list
}

func node(text string) *canonical.Node {
	return &canonical.Node{Spec: canonical.NodeSpec{Taints: taints(text)}}
}

func pod(text string) *canonical.Pod {
	return &canonical.Pod{Spec: canonical.PodSpec{Tolerations: tolerations(text)}}
}

// pair is a pod and a node.
func pair(pods, nodes string) canonical.Input {
	return canonical.Input{Pod: pod(pods), Node: node(nodes)}
}

// gated is a pair with the feature gate on.
func gated(pods, nodes string) canonical.Input {
	in := pair(pods, nodes)
	in.FeatureGates = on
	return in
}
