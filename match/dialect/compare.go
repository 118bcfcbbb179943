package dialect

import (
	"fmt"
	"iter"

	"github.com/tolero-dev/tolero/match"
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
// Each pair takes log n steps for each taint, with n tolerations, and each pod n log n
// once; a pair of a pod whose tolerations are not valid takes n steps for each taint. The lists must not change meanwhile.
func Compare(a, b *Profile, nodes [][]taint.Taint, pods [][]toleration.Toleration) iter.Seq[Difference] {
	return func(yield func(Difference) bool) {
		for pod := range pods {
			inA, inB := a.judge(pods[pod]), b.judge(pods[pod])
			for node, taints := range nodes {
				i, refused := inB.refuses(taints)
				if !refused {
					continue
				}
				if _, refused := inA.refuses(taints); refused {
					continue
				}
				d := Difference{node, pod, a.Name, b.Name, i, taints[i], why(a, b, &taints[i], inB.by(&taints[i]))}
				if !yield(d) {
					return
				}
			}
		}
	}
}

// Matrix returns, for each pair of profiles, how many pairs of a pod and a node the first
// admits and the second refuses: m[i][j] is the number of differences that Compare finds
// for profiles[i] and profiles[j]. It takes, for k profiles, k times the steps of asking
// one about each pair, and k*k for each pair on which they differ.
func Matrix(profiles []Profile, nodes [][]taint.Taint, pods [][]toleration.Toleration) [][]int {
	m := make([][]int, len(profiles))
	for i := range m {
		m[i] = make([]int, len(profiles))
	}
	judges := make([]judge, len(profiles))
	admits := make([]bool, len(profiles))
	for _, pod := range pods {
		for i := range profiles {
			judges[i] = profiles[i].judge(pod)
		}
		for _, taints := range nodes {
			for i := range judges {
				_, refused := judges[i].refuses(taints)
				admits[i] = !refused
			}
			count(m, admits)
		}
	}
	return m
}

// count adds the differences of one pair.
func count(m [][]int, admits []bool) {
	for i := range m {
		for j := range m {
			if admits[i] && !admits[j] {
				m[i][j]++
			}
		}
	}
}

// judge is a profile with the tolerations of one pod.
type judge struct {
	*Profile
	meaning *toleration.Meaning // of the tolerations that count; nil if they are not valid
	list    []toleration.Toleration
	texts   map[[2]string]bool // keys and values, with ByText
}

func (p *Profile) judge(tolerations []toleration.Toleration) judge {
	j := judge{Profile: p, list: tolerations}
	if !p.ByText {
		j.meaning, _ = toleration.NewMeaning(p.Rules.Active(nil, tolerations))
		return j
	}
	j.texts = make(map[[2]string]bool, len(tolerations))
	for i := range tolerations {
		j.texts[[2]string{tolerations[i].Key, tolerations[i].Value}] = true
	}
	return j
}

// refuses is Refuses.
func (j *judge) refuses(taints []taint.Taint) (index int, refused bool) {
	for i := range taints {
		if x := &taints[i]; j.Considers(x) && !j.tolerates(x) {
			return i, true
		}
	}
	return j.counted(index, false, taints, len(j.list))
}

func (j *judge) tolerates(x *taint.Taint) bool {
	switch {
	case j.ByText:
		return j.texts[[2]string{x.Key, x.Value}]
	case j.meaning == nil:
		return match.Tolerates(j.list, x, j.Rules)
	}
	return j.meaning.Level(x) != toleration.NotTolerated
}

// by returns whether it is the number of tolerations that refuses.
func (j *judge) by(x *taint.Taint) bool {
	return !j.Considers(x) || j.tolerates(x)
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
