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
	// from the other if that has none or decides as Kubernetes does. It is zero if
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
// Each pair takes the steps of [Profile.Refuses]. The lists must not change meanwhile.
func Compare(a, b *Profile, nodes [][]taint.Taint, pods [][]toleration.Toleration) iter.Seq[Difference] {
	return func(yield func(Difference) bool) {
		for pod, tolerations := range pods {
			inA, inB := a.counting(tolerations), b.counting(tolerations)
			for node, taints := range nodes {
				i, refused := b.refuses(taints, inB, len(tolerations))
				if !refused {
					continue
				}
				if _, refused := a.refuses(taints, inA, len(tolerations)); refused {
					continue
				}
				x := &taints[i]
				number := !b.Considers(x) || b.tolerates(inB, x)
				if !yield(Difference{node, pod, a.Name, b.Name, i, *x, why(a, b, x, number)}) {
					return
				}
			}
		}
	}
}

// why returns the fact that makes a admit a pod that b refuses because of x, or because
// of the number of its tolerations.
func why(a, b *Profile, x *taint.Taint, number bool) Fact {
	// A fact that says what Kubernetes does tells less than one that says what is different.
	topic, asKubernetes := Comparisons, a.Name == kubernetes
	switch {
	case number:
		topic = Matches
	case !a.hasEffect(x):
		topic, asKubernetes = Effects, a.Effects == taint.Hard
	case !a.Considers(x):
		topic = LeftOut
	case a.ByText != b.ByText:
		topic = Matches
	}
	first, second := a, b
	if asKubernetes {
		first, second = b, a
	}
	if f, found := first.fact(topic); found {
		return f
	}
	f, _ := second.fact(topic)
	return f
}

const kubernetes = "kubernetes"
