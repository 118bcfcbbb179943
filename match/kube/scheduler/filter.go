package scheduler

import (
	"context"
	"errors"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
)

// cordon is the taint that a cordoned node behaves as if it had (rule F7). It is
// only read.
var cordon = v1.Taint{Key: v1.TaintNodeUnschedulable, Effect: v1.TaintEffectNoSchedule}

var errNoNode = errors.New("the node info has no node")

// refusalLevel is the level at which refusals are logged, as by the in-tree plugin.
const refusalLevel = 4

// Filter lets a pod pass if it tolerates the node's hard taints and its cordon
// (rules F2, F7): the status is nil. Otherwise it is UnschedulableAndUnresolvable,
// with the message of the in-tree plugin, or the first taint that is not tolerated
// if [Args.NameTaints] is set. A node that is cordoned is reported as that.
//
// After PreFilter for the same pod and many nodes, a node that was met before takes
// about a nanosecond for a taint. Otherwise the time is proportional to the number of
// taints times that of tolerations. Filter allocates a page of statuses now and
// then, and what it remembers of a new node; with NameTaints it makes a status and a
// message for every refusal.
func (pl *Plugin) Filter(ctx context.Context, _ fwk.CycleState, pod *v1.Pod, info fwk.NodeInfo) *fwk.Status {
	if pl.settled(pod) {
		return nil
	}
	node := nodeOf(info)
	q := pl.latest.Load()
	if !q.about(pod) {
		if q = pl.ask(pod); q == nil {
			return pl.filter(ctx, pod, node)
		}
	}
	k := q.find(node)
	if k == nil {
		return pl.filter(ctx, pod, node)
	}
	if k.cordoned && pl.cordons && !q.cordon {
		return pl.cordoned.status()
	}
	if _, refused := q.set.FirstUntolerated(k.hard(), taint.Hard); !refused {
		return nil
	}
	if pl.named || q.verbose {
		return pl.filter(ctx, pod, node)
	}
	return pl.unfit.status()
}

// nodeOf returns the node of a node info, or nil if there is none.
func nodeOf(info fwk.NodeInfo) *v1.Node {
	if info == nil {
		return nil
	}
	return info.Node()
}

// filter is Filter for a node that is not remembered.
func (pl *Plugin) filter(ctx context.Context, pod *v1.Pod, node *v1.Node) *fwk.Status {
	if node == nil {
		return fwk.AsStatus(errNoNode)
	}
	switch t := pl.refusing(node, pod.Spec.Tolerations); t {
	case nil:
		return nil
	case &cordon:
		return pl.cordoned.status()
	default:
		return pl.refuse(ctx, pod, node, t)
	}
}

func (pl *Plugin) refuse(ctx context.Context, pod *v1.Pod, node *v1.Node, t *v1.Taint) *fwk.Status {
	if logger := klog.FromContext(ctx).V(refusalLevel); logger.Enabled() {
		logger.Info("node had untolerated taints", "node", klog.KObj(node), "pod", klog.KObj(pod), "untoleratedTaint", *t)
	}
	if pl.named {
		return fwk.NewStatus(fwk.UnschedulableAndUnresolvable, reasonNamed(t))
	}
	return pl.unfit.status()
}

// refusing returns the taint for which a node refuses a pod, &cordon if it is
// cordoned, or nil if it does not refuse it.
func (pl *Plugin) refusing(node *v1.Node, tolerations []v1.Toleration) *v1.Taint {
	if node.Spec.Unschedulable && pl.cordons && !pl.toleratesCordon(tolerations) {
		return &cordon
	}
	for i := range node.Spec.Taints {
		x := &node.Spec.Taints[i]
		if (x.Effect == v1.TaintEffectNoSchedule || x.Effect == v1.TaintEffectNoExecute) && !pl.tolerates(tolerations, x) {
			return x
		}
	}
	return nil
}

func (pl *Plugin) toleratesCordon(tolerations []v1.Toleration) bool {
	return pl.tolerates(tolerations, &cordon)
}

// tolerates reports whether a list tolerates a taint.
func (pl *Plugin) tolerates(tolerations []v1.Toleration, x *v1.Taint) bool {
	return kube.TolerationsTolerateTaint(klog.Logger{}, tolerations, x, pl.rules.Comparisons)
}
