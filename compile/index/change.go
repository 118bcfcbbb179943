package index

import (
	"iter"

	"github.com/tolero-dev/tolero/compile/internal/bits"
	"github.com/tolero-dev/tolero/taint"
)

// Impact is what a change of a node's taints means to the classes of pods: which of
// them a scheduler has to look at again, and which have to leave.
//
// The zero Impact is ready for [Pods.NodeUpdated] and its like, and means nothing to
// any pod. An Impact must not be copied. One goroutine at a time may fill it; while
// nobody does, any number may ask. It retains no pods and no taints, only buffers.
type Impact struct {
	before, after standing
	nowFit        bits.Set[PodClass]
	fitNoMore     bits.Set[PodClass]
	mustLeave     bits.Set[PodClass]
	tolerating    bits.Set[PodClass] // a buffer
	taints        [2][]taint.Taint   // buffers of Diff
}

// standing is which pod classes fit the taints of a node, and which may stay.
type standing struct {
	fit, stay bits.Set[PodClass]
}

// NowFit iterates, in ascending order, over the classes of pods that may be
// scheduled to the node now, and might not before (rule F2).
func (c *Impact) NowFit() iter.Seq[PodClass] { return c.nowFit.All() }

// FitNoMore iterates, in ascending order, over the classes of pods that might be
// scheduled to the node before, and may not any more.
func (c *Impact) FitNoMore() iter.Seq[PodClass] { return c.fitNoMore.All() }

// MustLeave iterates, in ascending order, over the classes of pods that have to leave
// the node at once if they run there, and did not have to before: a NoExecute taint
// is left untolerated (rule E1). What is tolerated for a time is not looked at:
// [Fit.EvictionDelay] and match.EvictionDelay are.
func (c *Impact) MustLeave() iter.Seq[PodClass] { return c.mustLeave.All() }

// NodeUpdated fills c with what it means to the pods that a node's taints change. The
// time is proportional to the number of taints times that of the pod classes divided
// by 64, and to the number of pod classes that tolerate one with Gt or Lt. It does not
// allocate once c has served for that many pod classes. Neither list is retained.
func (p *Pods) NodeUpdated(c *Impact, before, after []taint.Taint) {
	c.before.fill(c, p, before)
	c.after.fill(c, p, after)
	c.compare()
	c.mustLeave.CopyFrom(&c.before.stay)
	c.mustLeave.AndNot(&c.after.stay)
}

// NodeAdded fills c with what it means to the pods that there is a new node with such
// taints. MustLeave is empty, because no pod runs there yet. It takes as much as [Pods.NodeUpdated].
func (p *Pods) NodeAdded(c *Impact, taints []taint.Taint) {
	c.before.fit.Clear()
	c.after.fill(c, p, taints)
	c.compare()
	c.mustLeave.Clear()
}

// NodeDeleted fills c with what it means to the pods that a node that had such taints
// is gone. No pod has to leave it for its taints. It takes as much as
// [Pods.NodeUpdated].
func (p *Pods) NodeDeleted(c *Impact, taints []taint.Taint) {
	c.before.fill(c, p, taints)
	c.after.fit.Clear()
	c.compare()
	c.mustLeave.Clear()
}

// compare fills in who fits now, or no more.
func (c *Impact) compare() {
	c.nowFit.CopyFrom(&c.after.fit)
	c.nowFit.AndNot(&c.before.fit)
	c.fitNoMore.CopyFrom(&c.before.fit)
	c.fitNoMore.AndNot(&c.after.fit)
}

// fill finds who fits and who may stay: those that tolerate each of the taints that
// matter. The pod classes that tolerate a taint are found in the postings, and each taint
// leaves fewer.
func (s *standing) fill(c *Impact, p *Pods, taints []taint.Taint) {
	s.fit.CopyFrom(&p.live)
	s.stay.CopyFrom(&p.live)
	for i := range taints {
		effects := taints[i].Effect.Set()
		if effects&taint.Hard == 0 {
			continue
		}
		c.tolerating.Clear()
		p.postings.tolerating(&c.tolerating, &taints[i])
		s.fit.And(&c.tolerating)
		if effects == taint.Evicting {
			s.stay.And(&c.tolerating)
		}
	}
}
