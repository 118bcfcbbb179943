package scheduler

import (
	"context"
	"fmt"
	"reflect"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/tolero-dev/tolero/taint"
)

// EventsToRegister returns the events that can make a pod fit that the plugin has
// refused: a new node, a change of a node's taints, which includes the end of a
// cordon, and a new toleration of the pod itself. Each has a hint that wakes the
// pod only if its answer has changed.
func (pl *Plugin) EventsToRegister(context.Context) ([]fwk.ClusterEventWithHint, error) {
	return []fwk.ClusterEventWithHint{
		{
			Event:          fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add | fwk.UpdateNodeTaint},
			QueueingHintFn: pl.nodeHint(),
		},
		{
			Event:          fwk.ClusterEvent{Resource: ownPod(), ActionType: fwk.UpdatePodToleration},
			QueueingHintFn: pl.afterTolerationChange,
		},
	}, nil
}

// ownPod is the resource of events about the waiting pod itself. Frameworks before 0.37 know
// none and would refuse its name. There the events are those of all pods, and the hint
// ignores the others. What tells the frameworks apart is what else came with 0.37.
func ownPod() fwk.EventResource {
	if _, found := reflect.TypeFor[fwk.CycleState]().MethodByName("GetPlacementCycleState"); found {
		return "TargetPod"
	}
	return fwk.Pod
}

// nodeHint returns the hint for changes of nodes. Most answers are known already: the
// closure looks them up itself, which saves the call that a method value costs.
func (pl *Plugin) nodeHint() fwk.QueueingHintFn {
	return func(logger klog.Logger, pod *v1.Pod, oldObject, newObject any) (fwk.QueueingHint, error) {
		if logger.GetSink() == nil || !logger.V(hintLevel).Enabled() { // a nil sink saves two calls
			switch pl.pending.answer(pod.Spec.Tolerations, oldObject, newObject) {
			case lets:
				return fwk.Queue, nil
			case letsNot:
				return fwk.QueueSkip, nil
			}
		}
		return pl.afterNodeChange(logger, pod, oldObject, newObject)
	}
}

// hintLevel is the level at which hints are logged, as by the in-tree plugin.
const hintLevel = 5

// afterNodeChange wakes a pod that the node takes now and that it did not take
// before.
func (pl *Plugin) afterNodeChange(logger klog.Logger, pod *v1.Pod, oldObject, newObject any) (fwk.QueueingHint, error) {
	before, after, err := pair[v1.Node](oldObject, newObject)
	if err != nil {
		return fwk.Queue, err
	}
	hint := fwk.QueueSkip
	if pl.lets(pod.Spec.Tolerations, before, after) {
		hint = fwk.Queue
	}
	if logger := logger.V(hintLevel); logger.Enabled() {
		logger.Info("node was created or updated", "pod", klog.KObj(pod), "node", klog.KObj(after), "hint", hint)
	}
	return hint, nil
}

// lets reports whether a change of a node, before which there may have been none, lets in
// pods with these tolerations.
func (pl *Plugin) lets(tolerations []v1.Toleration, before, after *v1.Node) bool {
	c, l := pl.pending.look(tolerations, before, after)
	if l == nil {
		return pl.decide(tolerations, before, after)
	}
	answer := l.answer.Load()
	if answer>>1 != c.serial {
		answer = c.serial<<1 | bit(pl.decide(tolerations, before, after))
		l.answer.Store(answer)
	}
	return answer&1 != 0
}

// decide is lets for a change that is not remembered. The new node is looked at first:
// most changes leave most pods refused.
func (pl *Plugin) decide(tolerations []v1.Toleration, before, after *v1.Node) bool {
	return pl.refusing(after, tolerations) == nil && (before == nil || pl.refusing(before, tolerations) != nil)
}

// afterTolerationChange wakes a pod that tolerates a hard taint now that it did not
// tolerate before. The in-tree plugin wakes it after every change.
func (pl *Plugin) afterTolerationChange(logger klog.Logger, pod *v1.Pod, oldObject, newObject any) (fwk.QueueingHint, error) {
	before, after, err := pair[v1.Pod](oldObject, newObject)
	if err != nil {
		return fwk.Queue, err
	}
	hint := fwk.QueueSkip
	switch {
	case after.UID != pod.UID: // the event is that of another pod
	case before == nil || pl.widened(before.Spec.Tolerations, after.Spec.Tolerations):
		hint = fwk.Queue
	}
	if logger := logger.V(hintLevel); logger.Enabled() {
		logger.Info("tolerations of the pod were changed", "pod", klog.KObj(pod), "hint", hint)
	}
	return hint, nil
}

// widened reports whether a hard taint is tolerated after a change that was not before: in
// doubt, if the tolerations are not valid. How long the pod may stay on a node says nothing
// of whether it may go there (rule M6).
func (pl *Plugin) widened(before, after []v1.Toleration) bool {
	if sameWords(before, after) {
		return false
	}
	old, _ := tolerated(before, pl.rules)
	new, _ := tolerated(after, pl.rules)
	return old == nil || new == nil || !old.Restrict(taint.Hard).Covers(new.Restrict(taint.Hard))
}

// pair returns the objects of an event as what they are. There is no old object if
// the new one was added.
func pair[T any](oldObject, newObject any) (before, after *T, err error) {
	if oldObject != nil {
		old, ok := oldObject.(*T)
		if !ok {
			return nil, nil, fmt.Errorf("old object: want %T, got %T", before, oldObject)
		}
		before = old
	}
	if after, _ = newObject.(*T); after == nil {
		return nil, nil, fmt.Errorf("new object: want a %T, got %T", after, newObject)
	}
	return before, after, nil
}
