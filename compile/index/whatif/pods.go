package whatif

import (
	"sync"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
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
// besides the names. It shares memory with the results of plans, which retain the pods of the
// nodes from which some are evicted. It also retains the snapshots of its last evaluations, and what these
// have looked up, for the next evaluation with the same snapshot and the same pods; the
// garbage collector frees them if no evaluation uses them for a while.
type Pods struct {
	classes index.Pods
	limits  []limit // by class: those that there ever were
	pods    []pod
	free    []uint32
	byName  map[string]uint32
	nodes   directory[resident]
	owners  directory[uint32] // the positions of the pods
	texts   texts

	changes uint64    // how many there have been
	caches  sync.Pool // of *cache
}

// pod is where a pod is to be found.
type pod struct {
	node, onNode   uint32 // the place of its node, and its index among the pods there
	owner, ofOwner uint32
}

// resident is a pod on a node: side by side with the other pods there, so that an
// evaluation reads the memory of the nodes that change and no other.
type resident struct {
	name string
	pod  uint32
	kind
}

// kind is what decides about a pod. Pods of the same kind have the same fate on a node.
type kind struct {
	owner uint32
	class index.PodClass
	limit limit // of the class
}

// NewPods returns an empty Pods for a cluster with these rules: unless they have
// Comparisons, tolerations with Gt and Lt count for nothing (rule N4).
func NewPods(rules toleration.Rules) *Pods { return &Pods{classes: *index.NewPods(rules)} }

// Len returns the number of pods.
func (p *Pods) Len() int { return len(p.byName) }

// Running returns the number of pods that have a node.
func (p *Pods) Running() int { return p.Len() - len(p.nodes.of("")) }

// Classes returns the pods by their toleration lists. The result is p's own and must
// not be changed; it follows what is done to p later.
func (p *Pods) Classes() *index.Pods { return &p.classes }

// Set adds a pod, in the place of the one with the same name if there is one. The node
// need not be known to anybody, and the tolerations need not be valid. It retains the
// strings, and a copy of a list that no other pod has. It takes expected constant time,
// and that of [index.Pods.Add]; if there is a pod of that name, also that of [Pods.Delete].
func (p *Pods) Set(x Pod) {
	p.Delete(x.Name)
	p.changes++
	position := p.place()
	class := p.classes.Add(x.Tolerations)
	p.noteLimit(class)
	at := &p.pods[position]
	at.owner, at.ofOwner = p.owners.add(x.Owner, position)
	if at.ofOwner == 0 {
		p.texts.setOwner(at.owner, x.Owner)
	}
	at.node, at.onNode = p.nodes.add(x.Node, resident{x.Name, position, kind{at.owner, class, p.limits[class]}})
	if p.byName == nil {
		p.byName = make(map[string]uint32)
	}
	p.byName[x.Name] = position
}

// limit is what the seconds of a list can mean to an eviction. The seconds of tolerations
// that do not count in the cluster are among them: then the list is looked at.
type limit uint8

const (
	unlimited limit = iota // there are none for NoExecute
	notAtOnce              // all are more than zero
	atOnce
)

// noteLimit notes the limit of a class that has just got a pod.
func (p *Pods) noteLimit(class index.PodClass) {
	for int(class) >= len(p.limits) {
		p.limits = append(p.limits, unlimited)
	}
	if p.classes.Count(class) == 1 {
		list := p.classes.Tolerations(class)
		p.limits[class] = limitOf(list)
		p.texts.setList(class, list)
	}
}

func limitOf(tolerations []toleration.Toleration) (l limit) {
	for i := range tolerations {
		t := &tolerations[i]
		switch {
		case t.TolerationSeconds == nil || t.Effect != "" && t.Effect != taint.NoExecute:
		case *t.TolerationSeconds <= 0:
			return atOnce
		default:
			l = notAtOnce
		}
	}
	return l
}

// place returns a free position among the pods.
func (p *Pods) place() uint32 {
	if n := len(p.free); n > 0 {
		position := p.free[n-1]
		p.free = p.free[:n-1]
		return position
	}
	p.pods = append(p.pods, pod{})
	return uint32(len(p.pods) - 1)
}

// Delete takes the pod of that name out, and reports whether it was there. It takes
// expected constant time; the first time after a plan that asked who is evicted from the node
// of the pod, that of copying the pods there.
func (p *Pods) Delete(name string) bool {
	position, found := p.byName[name]
	if !found {
		return false
	}
	p.changes++
	at := p.pods[position]
	class := p.nodes.groups.At(at.node).members[at.onNode].class
	if p.classes.Remove(class); p.classes.Count(class) == 0 {
		p.texts.setList(class, nil)
	}
	if moved, ok := p.nodes.remove(at.node, at.onNode); ok {
		p.pods[moved.pod].onNode = at.onNode
	}
	if moved, ok := p.owners.remove(at.owner, at.ofOwner); ok {
		p.pods[moved].ofOwner = at.ofOwner
	}
	if len(p.owners.groups.At(at.owner).members) == 0 {
		p.texts.setOwner(at.owner, "")
	}
	delete(p.byName, name)
	p.free = append(p.free, position)
	return true
}
