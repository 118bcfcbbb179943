// Package affinity answers whether a node has the labels and the name that a pod requires:
// its nodeSelector, its required node affinity and that of its volumes, as kube-scheduler reads
// them. Taints keep pods off nodes; without this second half a program that asks only about
// taints sends pods to nodes where they cannot run.
//
//	a := affinity.Required{NodeSelector: map[string]string{"pool": "gpu"}}
//	ok := a.Matches(node.Name, node.Labels)
//
// Preferred affinity is not here: it ranks nodes and excludes none.
//
// All types are plain data: copies share memory, and concurrent reads are safe. Any input has
// an answer, and nothing panics except methods of nil pointers. The tests in
// match/kube/upstream compare the answers with k8s.io/component-helpers.
package affinity

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
)

// nameField is the only field of a node that matchFields can ask for.
const nameField = "metadata.name"

// Required is what a pod requires of its node by labels and by name. The zero Required
// requires nothing. Its JSON form has the names that Kubernetes uses.
type Required struct {
	// NodeSelector is spec.nodeSelector.
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
	// Terms are the nodeSelectorTerms of spec.affinity.nodeAffinity.
	// requiredDuringSchedulingIgnoredDuringExecution, of which one has to hold. If it is
	// nil, there is no required affinity, and if it is empty, no node will do.
	Terms []Term `json:"nodeSelectorTerms,omitzero"`
	// Volumes are the nodeSelectorTerms of spec.nodeAffinity.required of each PersistentVolume
	// that the pod uses and that has some: of each, one has to hold. Their Fields count as if
	// the name of the node were not known, as for kube-scheduler.
	Volumes [][]Term `json:"volumes,omitempty"`
}

// Term is a nodeSelectorTerm: all of its requirements have to hold. One without any, such
// as the zero Term, holds for no node.
type Term struct {
	Expressions []Requirement `json:"matchExpressions,omitempty"`
	Fields      []Requirement `json:"matchFields,omitempty"`
}

// Requirement is one of the requirements of a term, about one label or, in Fields, about
// the name of the node. No node meets the zero Requirement.
type Requirement struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"` // In, NotIn, Exists, DoesNotExist, Gt or Lt
	Values   []string `json:"values,omitempty"`
}

// IsZero reports whether a requires nothing, so that every node is as required.
func (a *Required) IsZero() bool {
	return len(a.NodeSelector) == 0 && a.Terms == nil && len(a.Volumes) == 0
}

// Matches reports whether a node with that name and those labels is as required. The labels
// must have all of NodeSelector, and if Terms is not nil, one of Terms
// must hold, and one of each of Volumes. A term holds if all of its requirements do.
//
// A term holds for no node if it has no requirements, or one that the API server would
// refuse: an unknown operator, In or NotIn without values, Exists or DoesNotExist with
// values, Gt or Lt without exactly one integer, or a key or value that no label can have.
// Fields can ask only for metadata.name, by In or NotIn with one value. If name is empty,
// because it is not known, the node meets all valid requirements of Fields.
//
// NotIn and DoesNotExist also hold if the node does not have the label. Gt and Lt compare
// the label with the value as 64-bit integers, and do not hold for any other label.
//
// These are the rules of k8s.io/component-helpers/scheduling/corev1/nodeaffinity. The time
// is proportional to the size of a, in bytes. Matches retains nothing.
func (a *Required) Matches(name string, labels map[string]string) bool {
	for key, value := range a.NodeSelector {
		if got, found := labels[key]; !found || got != value {
			return false
		}
	}
	for _, terms := range a.Volumes {
		if !anyMatches(terms, "", labels) {
			return false
		}
	}
	return a.Terms == nil || anyMatches(a.Terms, name, labels)
}

func anyMatches(terms []Term, name string, labels map[string]string) bool {
	return slices.ContainsFunc(terms, func(t Term) bool { return t.matches(name, labels) })
}

// Keys iterates over the keys of the labels that a asks for, in no fixed order, and over
// those of Fields, such as "metadata.name" for the name of the node. A key may come more
// than once.
func (a *Required) Keys(yield func(key string) bool) {
	for key := range a.NodeSelector {
		if !yield(key) {
			return
		}
	}
	for r := range a.requirements {
		if !yield(r.Key) {
			return
		}
	}
}

// requirements iterates over the requirements of all terms, in their order.
func (a *Required) requirements(yield func(*Requirement) bool) {
	for _, terms := range append([][]Term{a.Terms}, a.Volumes...) {
		for i := range terms {
			for _, list := range [...][]Requirement{terms[i].Expressions, terms[i].Fields} {
				for j := range list {
					if !yield(&list[j]) {
						return
					}
				}
			}
		}
	}
}

func (t *Term) matches(name string, labels map[string]string) bool {
	for i := range t.Expressions {
		if !t.Expressions[i].matches(labels) {
			return false
		}
	}
	for i := range t.Fields {
		if !t.Fields[i].matchesName(name) {
			return false
		}
	}
	return len(t.Expressions)+len(t.Fields) > 0
}

// matches reports whether the API server accepts r as a requirement for labels, and whether
// these meet it.
func (r *Requirement) matches(labels map[string]string) bool {
	if taint.CheckKey(r.Key) != nil || slices.ContainsFunc(r.Values, func(v string) bool { return taint.CheckValue(v) != nil }) {
		return false
	}
	value, found := labels[r.Key]
	listed := found && slices.Contains(r.Values, value)
	switch r.Operator {
	case "In":
		return listed
	case "NotIn":
		return !listed && len(r.Values) > 0
	case "Exists":
		return found && len(r.Values) == 0
	case "DoesNotExist":
		return !found && len(r.Values) == 0
	case "Gt":
		return r.compare(value) > 0
	case "Lt":
		return r.compare(value) < 0
	}
	return false
}

// compare compares the value of a label with the only one of r. It returns zero, which is
// neither greater nor less, unless both are integers.
func (r *Requirement) compare(value string) int {
	if len(r.Values) != 1 {
		return 0
	}
	got, err := strconv.ParseInt(value, 10, 64)
	limit, invalid := strconv.ParseInt(r.Values[0], 10, 64)
	if err != nil || invalid != nil {
		return 0
	}
	return cmp.Compare(got, limit)
}

// matchesName reports whether the API server accepts r as a requirement for fields, and
// whether a node with the name meets it. An empty name is an unknown one.
func (r *Requirement) matchesName(name string) bool {
	field := "" // what a node has in all other fields
	if r.Key == nameField {
		field = name
	}
	switch {
	case len(r.Values) != 1:
		return false
	case r.Operator == "In":
		return name == "" || field == r.Values[0]
	case r.Operator == "NotIn":
		return name == "" || field != r.Values[0]
	}
	return false
}
