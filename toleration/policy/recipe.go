package policy

import (
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// Recipe is what a pod has of the recipe for dedicated nodes, or what a node has:
// see [admit.Dedicated]. The zero Recipe has neither half. A Recipe is plain data,
// free to copy and to share.
type Recipe struct {
	// Taint is whether the pod tolerates the taint, or whether the node has it.
	Taint bool
	// Label is whether the pod can go only to nodes with the label, or whether the node
	// has it.
	Label bool
}

// Whole reports whether both halves are there.
func (r Recipe) Whole() bool { return r.Taint && r.Label }

// PodProblem says what half a recipe does to a pod of the group, and is empty if the
// recipe is whole.
func (r Recipe) PodProblem() string {
	switch {
	case r.Whole():
		return ""
	case r.Taint:
		return "tolerates the taint but does not require the label: it can run on other nodes too"
	case r.Label:
		return "requires the label but does not tolerate the taint: it cannot run on the dedicated nodes"
	}
	return "neither tolerates the taint nor requires the label: it runs on other nodes"
}

// NodeProblem says what half a recipe does to a node of the group, and is empty if
// the recipe is whole.
func (r Recipe) NodeProblem() string {
	switch {
	case r.Whole():
		return ""
	case r.Taint:
		return "has the taint but not the label: pods of the group do not find it"
	case r.Label:
		return "has the label but not the taint: other pods can run on it"
	}
	return "has neither the taint nor the label: it is not dedicated"
}

// Pod returns what a pod has of the recipe. The tolerations that count are those of a
// cluster with the rules.
func Pod(d admit.Dedicated, rules toleration.Rules, tolerations []toleration.Toleration, a Attraction) Recipe {
	x := d.Taint()
	tolerated := slices.ContainsFunc(tolerations, func(t toleration.Toleration) bool { return t.Tolerates(&x, rules) })
	return Recipe{tolerated, a.Requires(d.Label())}
}

// Node returns what a node has of the recipe. A taint with the key and value of the
// group counts if it keeps other pods off the node: with NoSchedule or NoExecute.
func Node(d admit.Dedicated, taints []taint.Taint, labels map[string]string) Recipe {
	tainted := slices.ContainsFunc(taints, func(x taint.Taint) bool {
		return x.Key == d.Key && x.Value == d.Value && taint.Hard.Has(x.Effect)
	})
	key, value := d.Label()
	got, labeled := labels[key]
	return Recipe{tainted, labeled && got == value}
}

// Attraction is what a pod requires of the labels of its node. The zero Attraction
// requires nothing. It is plain data: it may be read concurrently, and a copy shares its
// memory. Its JSON form has the names that Kubernetes uses.
type Attraction struct {
	// NodeSelector is spec.nodeSelector.
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
	// Terms are the nodeSelectorTerms of spec.affinity.nodeAffinity.
	// requiredDuringSchedulingIgnoredDuringExecution, of which one has to hold. If it is
	// nil, there is no required affinity, and if it is empty, no node will do.
	Terms []Term `json:"nodeSelectorTerms,omitzero"`
}

// Term is a nodeSelectorTerm: all of its requirements have to hold. One without any, such
// as the zero Term, holds for no node. [Attraction.Requires] does not look at Fields,
// which can only narrow a term. A Term is plain data; a copy shares its memory.
type Term struct {
	Expressions []Requirement `json:"matchExpressions,omitempty"`
	Fields      []Requirement `json:"matchFields,omitempty"`
}

// Requirement is one of the requirements of a term, about one label or, in Fields, about
// the name of the node. It is plain data; a copy shares Values. No node meets the zero
// Requirement.
type Requirement struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"` // In, NotIn, Exists, DoesNotExist, Gt or Lt
	Values   []string `json:"values,omitempty"`
}

// Requires reports whether every node that a pod with the attraction can go to has the
// label key with that value. The node selector says so, or every term does: by In,
// after what other requirements of the term for the label exclude. (Gt and Lt are
// not looked at. They could leave a single number too, in ways that nobody writes.) The
// time is proportional to the size of a.
func (a *Attraction) Requires(key, value string) bool {
	if got, found := a.NodeSelector[key]; found && got == value {
		return true
	}
	return a.Terms != nil && !slices.ContainsFunc(a.Terms, func(t Term) bool { return !t.requires(key, value) })
}

// requires reports whether every node that t holds for has the label.
func (t *Term) requires(key, value string) bool {
	if len(t.Expressions) == 0 {
		return len(t.Fields) == 0 // it holds for no node
	}
	var possible map[string]bool // the values that every In has; nil for any value
	for i := range t.Expressions {
		if r := &t.Expressions[i]; r.Key == key && r.Operator == "In" {
			possible = r.listed(possible)
		}
	}
	for i := range t.Expressions {
		if r := &t.Expressions[i]; r.Key == key {
			r.exclude(possible)
		}
	}
	delete(possible, value)
	return possible != nil && len(possible) == 0
}

// exclude removes the values that r excludes.
func (r *Requirement) exclude(possible map[string]bool) {
	switch r.Operator {
	case "DoesNotExist":
		clear(possible)
	case "NotIn":
		for _, v := range r.Values {
			delete(possible, v)
		}
	}
}

// listed returns the values of r that are among the given ones, which may be nil for any.
func (r *Requirement) listed(among map[string]bool) map[string]bool {
	list := make(map[string]bool)
	for _, v := range r.Values {
		if among == nil || among[v] {
			list[v] = true
		}
	}
	return list
}
