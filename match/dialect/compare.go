package dialect

import (
	"fmt"
	"iter"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Difference is a pod that one profile admits to a node and the other refuses. It is
// plain data.
type Difference struct {
	Node, Pod int // indexes of the lists
	// Admits and Refuses are the names of the profiles.
	Admits, Refuses string
	// Index is that of the first taint in the node's list for which Refuses refuses the pod.
	Index int
	Taint taint.Taint
	// Fact is why the two differ. It comes from the profile that admits the pod, or
	// from the other if that has none or is the one of Kubernetes. It is zero if
	// neither has a fact about it.
	Fact Fact
}

// String returns one line. Do not parse the text.
func (d Difference) String() string {
	text := fmt.Sprintf("pods[%d]: %s admits it to nodes[%d], %s refuses it because of %s", d.Pod, d.Admits, d.Node, d.Refuses, d.Taint)
	if d.Fact.Text != "" {
		text += ": " + d.Fact.Text
	}
	return text
}

// Compare iterates over the pairs of a pod and a node that a admits and b refuses; for
// the others, swap the two. nodes are lists of taints and pods lists of tolerations,
// best each distinct one once. The pairs come pod by pod, in the order of the lists.
//
// Each pair takes log n steps for each taint, with n tolerations, and each pod n log n
// once. The lists must not change meanwhile.
func Compare(a, b *Profile, nodes [][]taint.Taint, pods [][]toleration.Toleration) iter.Seq[Difference] {
	return func(yield func(Difference) bool) {
		for pod := range pods {
			inA := toleration.NewSet(a.Rules.Active(nil, pods[pod]))
			inB := toleration.NewSet(b.Rules.Active(nil, pods[pod]))
			for node, taints := range nodes {
				i, refused := b.refusal(taints, inB)
				if !refused {
					continue
				}
				if _, refused := a.refusal(taints, inA); refused {
					continue
				}
				d := Difference{node, pod, a.Name, b.Name, i, taints[i], why(a, b, &taints[i])}
				if !yield(d) {
					return
				}
			}
		}
	}
}

// refusal is Refuses for a set.
func (p *Profile) refusal(taints []taint.Taint, tolerated toleration.Set) (index int, refused bool) {
	for i := range taints {
		if x := &taints[i]; p.Considers(x) && !tolerated.Contains(x) {
			return i, true
		}
	}
	return 0, false
}

// why returns the fact that makes a admit a pod that b refuses because of x.
func why(a, b *Profile, x *taint.Taint) Fact {
	topic := Comparisons
	switch {
	case !a.Effects.Has(x.Effect):
		topic = Effects
	case !a.Considers(x):
		topic = LeftOut
	}
	// Kubernetes has facts too, that say what it does; those of others tell more.
	first, second := a, b
	if a.Name == kubernetes {
		first, second = b, a
	}
	if f, found := first.fact(topic); found {
		return f
	}
	f, _ := second.fact(topic)
	return f
}

const kubernetes = "kubernetes"
