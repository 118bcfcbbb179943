package scheduler

import (
	"context"
	"sync/atomic"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/toleration"
)

// question is a pod that is asked about many nodes: its tolerations as a set of the
// taints of a fleet. It does not change.
type question struct {
	pod         *v1.Pod
	tolerations []v1.Toleration // those of the pod
	fleet       *fleet
	version     uint32 // of the fleet: what it learned later is not in the set
	set         compile.TaintSet
	cordon      bool // whether the cordon is tolerated
	verbose     bool // whether refusals are logged
}

// about reports whether q asks for this pod, with the tolerations that it has now.
func (q *question) about(pod *v1.Pod) bool {
	return q != nil && q.pod == pod && len(q.tolerations) == len(pod.Spec.Tolerations) &&
		unsafe.SliceData(q.tolerations) == unsafe.SliceData(pod.Spec.Tolerations)
}

// questions holds the last question for each of a few pods: a scheduler asks about one
// at a time, others about some at once.
type questions [32]atomic.Pointer[question]

// of returns the place of a pod.
func (qs *questions) of(pod *v1.Pod) *atomic.Pointer[question] {
	return &qs[uint64(uintptr(unsafe.Pointer(pod)))*spread>>59]
}

// forget takes all questions away.
func (qs *questions) forget() {
	for i := range qs {
		qs[i].Store(nil)
	}
}

// ask returns the question for a pod, or nil if there is none.
func (pl *Plugin) ask(pod *v1.Pod) *question {
	if q := pl.questions.of(pod).Load(); q.about(pod) {
		return q
	}
	return nil
}

// manyNodes is from how many nodes on it pays to compile a pod's tolerations: see
// BenchmarkPrepare.
const manyNodes = 64

// prepare gets ready to be asked about a pod and so many nodes. It does nothing if it
// did that for the pod before.
func (pl *Plugin) prepare(ctx context.Context, pod *v1.Pod, nodes int) {
	if nodes < manyNodes {
		return
	}
	f := pl.fleet.Load()
	if f == nil || f.outgrown(nodes) {
		f = newFleet(nodes)
		pl.fleet.Store(f)
		pl.questions.forget() // they retain the old one
	}
	place := pl.questions.of(pod)
	if q := place.Load(); !q.about(pod) || q.fleet != f || q.version != f.version.Load() {
		place.Store(pl.newQuestion(ctx, pod, f))
	}
}

func (pl *Plugin) newQuestion(ctx context.Context, pod *v1.Pod, f *fleet) *question {
	var buffer [16]toleration.Toleration
	list := kube.AppendTolerations(buffer[:0], pod.Spec.Tolerations)
	q := &question{
		pod: pod, tolerations: pod.Spec.Tolerations, fleet: f,
		cordon:  pl.toleratesCordon(pod.Spec.Tolerations),
		verbose: klog.FromContext(ctx).V(refusalLevel).Enabled(),
	}
	m := new(compile.Matcher) // shares its memory with the set
	f.mu.Lock()
	defer f.mu.Unlock()
	m.CompileActive(&f.vocabulary, pl.rules, list)
	q.set, q.version = m.Set(), f.version.Load()
	return q
}

// first returns the position of a node's entry, and whether it is where it is looked for
// first. It is inlined.
func (q *question) first(node *v1.Node) (entry int, found bool) {
	entry = q.fleet.entry(placeOf(unsafe.Pointer(node), nodeSize))
	return entry, q.fleet.entries.nodes[entry].Load() == node
}

// plain reports whether a node is known to have no soft taint. It is a shortcut: for some
// nodes without soft taints it is false. The node is not nil.
func (q *question) plain(node *v1.Node) bool {
	entry, found := q.first(node)
	return found && q.fleet.entries.plain[entry]
}

// find returns what is remembered of a node, or nil if the node has to be asked itself.
// A node that is met for the first time is remembered.
func (q *question) find(node *v1.Node) *nodeTaints {
	entry, found := q.first(node)
	if !found || node == nil {
		return q.search(node)
	}
	if k := q.fleet.entries.taints[entry]; k.version <= q.version {
		return k
	}
	return nil
}

// search is find for a node that has not its first place, or none.
func (q *question) search(node *v1.Node) *nodeTaints {
	k := q.fleet.find(node)
	switch {
	case k == nil:
		if node != nil {
			q.fleet.learn(node)
		}
	case k.version <= q.version:
		return k
	}
	return nil
}

// count returns how many of a node's soft taints are not tolerated.
func (q *question) count(k *nodeTaints) (count int64) {
	for _, id := range k.soft() {
		if !q.set.Has(id) {
			count++
		}
	}
	return count
}
