package whatif

import (
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/toleration"
)

// Pod is a pod as plans see it: where it runs, who owns it and what it tolerates.
//
// The zero Pod is one without a name that waits for a node. A Pod is plain data; a copy
// shares the tolerations.
type Pod struct {
	// Name tells pods apart; namespace and name, or a UID.
	Name string
	// Node is the name of the node that the pod runs on. It is empty if the pod waits for
	// one.
	Node string
	// Owner is whose pod it is, such as "DaemonSet kube-system/agent": pods with the same
	// owner count together for limits, and a plan may change their tolerations. It is
	// empty if nobody owns the pod.
	Owner string
	// Tolerations are those in the spec of the pod, in their order, with what admission
	// and controllers added.
	Tolerations []toleration.Toleration
}

// Pods is the pods of a cluster by name, node and owner: what [Evaluate] needs besides
// the nodes.
//
// The zero Pods is empty and ready for use, and that of a cluster with default settings,
// as that of [NewPods] with the zero Rules. A Pods must not be copied. One goroutine at a
// time may change it; while nobody does, any number may read it and evaluate plans. It
// retains the names, and one copy of each toleration list; in all about 150 bytes a pod
// besides the names.
type Pods struct {
	classes index.Pods
	byName  map[string]*pod
	groups  [2]map[string]*group // by the name of the node, and by that of the owner
}

// The two ways in which pods are grouped.
const (
	byNode = iota
	byOwner
)

// group is the pods on a node, or of an owner: at least one.
type group struct {
	name string
	pods []*pod
}

type pod struct {
	name  string
	class index.PodClass
	at    [2]uint32 // its positions in its groups
	in    [2]*group
}

// NewPods returns an empty Pods for a default cluster, which ignores tolerations with Gt and
// Lt, or for one with the given rules (rule N4).
func NewPods(rules ...toleration.Rules) *Pods { return &Pods{classes: *index.NewPods(rules...)} }

// Len returns the number of pods.
func (p *Pods) Len() int { return len(p.byName) }

// of returns the pods on a node, or of an owner.
func (p *Pods) of(by int, name string) []*pod {
	if g := p.groups[by][name]; g != nil {
		return g.pods
	}
	return nil
}

// Set adds a pod, in the place of the one with the same name if there is one. The node
// need not be known to anybody, and the tolerations need not be valid. It retains the
// strings, and a copy of a list that no other pod has. It takes expected constant time,
// and that of [index.Pods.Add].
func (p *Pods) Set(x Pod) {
	p.Delete(x.Name)
	if p.byName == nil {
		p.byName = make(map[string]*pod)
		p.groups = [2]map[string]*group{make(map[string]*group), make(map[string]*group)}
	}
	added := &pod{name: x.Name, class: p.classes.Add(x.Tolerations)}
	p.byName[x.Name] = added
	for by, name := range [...]string{byNode: x.Node, byOwner: x.Owner} {
		g := p.groups[by][name]
		if g == nil {
			g = &group{name: name}
			p.groups[by][name] = g
		}
		added.in[by], added.at[by] = g, uint32(len(g.pods))
		g.pods = append(g.pods, added)
	}
}

// Delete takes the pod of that name out, and reports whether it was there. It takes
// expected constant time.
func (p *Pods) Delete(name string) bool {
	x, found := p.byName[name]
	if !found {
		return false
	}
	delete(p.byName, name)
	p.classes.Remove(x.class)
	for by, g := range x.in {
		last := len(g.pods) - 1
		moved := g.pods[last]
		g.pods[x.at[by]], moved.at[by] = moved, x.at[by]
		g.pods[last] = nil
		if g.pods = g.pods[:last]; last == 0 {
			delete(p.groups[by], g.name)
		}
	}
	return true
}
