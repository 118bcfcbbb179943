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
	entries     entries         // those of the fleet
	counts      softCounts      // how many soft taints are not tolerated, by number of the list
	fleet       *fleet
	version     uint32 // of the fleet: what it learned later is not in the set
	set         compile.TaintSet
	cordon      bool // whether the cordon is tolerated
	verbose     bool // whether refusals are logged
}

// softCounts has a count for each number of a list of soft taints, and unnumbered for a
// number that was not known.
type softCounts [unnumbered + 1]uint8

var noCounts = func() (c softCounts) {
	for number := range c {
		c[number] = unnumbered
	}
	return c
}()

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

// ask returns the question for a pod, or nil if there is none. Try pl.latest first: that
// takes less time.
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
		pl.latest.Store(nil)
	}
	place := pl.questions.of(pod)
	q := place.Load()
	if !q.about(pod) || q.fleet != f || q.version != f.version.Load() {
		q = pl.newQuestion(ctx, pod, f)
		place.Store(q)
	}
	if pl.latest.Load() != q {
		pl.latest.Store(q)
	}
}

func (pl *Plugin) newQuestion(ctx context.Context, pod *v1.Pod, f *fleet) *question {
	var buffer [16]toleration.Toleration
	list := kube.AppendTolerations(buffer[:0], pod.Spec.Tolerations)
	q := &question{
		pod: pod, tolerations: pod.Spec.Tolerations, fleet: f, entries: f.entries,
		counts:  noCounts,
		cordon:  pl.toleratesCordon(pod.Spec.Tolerations),
		verbose: klog.FromContext(ctx).V(refusalLevel).Enabled(),
	}
	m := new(compile.Matcher) // shares its memory with the set
	f.mu.Lock()
	defer f.mu.Unlock()
	m.Compile(&f.vocabulary, list, pl.rules)
	q.set, q.version = m.Set(), f.version.Load()
	for number, soft := range f.numbered {
		q.counts[number] = uint8(q.untolerated(soft))
	}
	return q
}

// first returns the first place where a node's entry may be, and whether it is there. It is
// inlined.
func (q *question) first(node *v1.Node) (entry uint64, found bool) {
	entry = placeOf(unsafe.Pointer(node), nodeBits).number & uint64(len(q.entries.nodes)-1)
	return entry, q.entries.nodes[entry].Load() == node
}

// score returns how many of a node's soft taints are not tolerated, if that is known
// without looking at them, as for nearly all nodes that were met before. Otherwise count
// means nothing. The node must not be nil. It is inlined.
func (q *question) score(node *v1.Node) (count uint8, known bool) {
	if entry, found := q.first(node); found {
		count = q.counts[q.entries.soft[entry]]
		return count, count != unnumbered
	}
	return 0, false
}

// find returns what is remembered of a node, or nil if the node has to be asked itself.
// A node that is met for the first time is remembered.
func (q *question) find(node *v1.Node) *nodeTaints {
	entry, found := q.first(node)
	if !found || node == nil {
		return q.search(node)
	}
	if k := q.entries.taints[entry]; k.version <= q.version {
		return k
	}
	return nil
}

// search is find for a node that is not in its first place, and for nil.
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

// untolerated returns how many of some taints are not tolerated.
func (q *question) untolerated(taints []compile.TaintID) (count int64) {
	for _, id := range taints {
		if !q.set.Has(id) {
			count++
		}
	}
	return count
}
