package scheduler

import (
	"context"
	"errors"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/tolero-dev/tolero/match/kube"
)

// cordon is the taint that a cordoned node behaves as if it had (rule F7). It is
// only read.
var cordon = v1.Taint{Key: v1.TaintNodeUnschedulable, Effect: v1.TaintEffectNoSchedule}

var errNoNode = errors.New("the node info has no node")

// Filter lets a pod pass if it tolerates the node's hard taints and its cordon
// (rules F2, F7): the status is nil. Otherwise it is UnschedulableAndUnresolvable,
// with the message of the in-tree plugin, or the first taint that is not tolerated
// if [Args.NameTaints] is set. A node that is cordoned is reported as that.
//
// The time is proportional to the number of taints times that of tolerations.
// Filter does not allocate, but for a page of 64 statuses now and then; with
// NameTaints it makes a status and a message for every refusal.
func (pl *Plugin) Filter(ctx context.Context, _ fwk.CycleState, pod *v1.Pod, info fwk.NodeInfo) *fwk.Status {
	if pl.settled(pod) {
		return nil
	}
	node := info.Node()
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
	if logger := klog.FromContext(ctx).V(4); logger.Enabled() {
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
	if node.Spec.Unschedulable && pl.cordons && !pl.tolerates(tolerations, &cordon) {
		return &cordon
	}
	for i := range node.Spec.Taints {
		t := &node.Spec.Taints[i]
		if (t.Effect == v1.TaintEffectNoSchedule || t.Effect == v1.TaintEffectNoExecute) && !pl.tolerates(tolerations, t) {
			return t
		}
	}
	return nil
}

func (pl *Plugin) tolerates(tolerations []v1.Toleration, t *v1.Taint) bool {
	for i := range tolerations {
		v := &tolerations[i]
		if mayShareKey(v.Key, t.Key) && kube.ToleratesTaint(v, klog.Logger{}, t, pl.comparisons) {
			return true
		}
	}
	return false
}

// mayShareKey tells most keys apart without comparing them: those of one owner share
// a prefix and often their length.
func mayShareKey(toleration, taint string) bool {
	return toleration == "" || len(toleration) == len(taint) && toleration[len(toleration)-1] == taint[len(taint)-1]
}
