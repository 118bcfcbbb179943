package main

import (
	"context"
	"fmt"
	"slices"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// stage is the cluster of the script, and what acts on it.
type stage struct {
	*kubelets
	client  kubernetes.Interface
	devices *drivers
}

// step is what happens between two looks of the node life-cycle controller, the first of
// which has this number.
type step struct {
	look int
	do   func(ctx context.Context, s *stage) error
}

// ticks is how many looks the script takes.
const ticks = 85

// maintenance is the key of an administrator's taints.
const maintenance = "maintenance"

// zones is the nodes of each zone but the canary and the one that never reports. In
// zone c those of the pods with devices are left out.
var zones = map[string][]string{
	"a": {"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a9", "a10", "a11"},
	"b": {"b0", "b1", "b2", "b3"},
	"c": {"c0", "c1", "c2"},
}

// crowded is the nodes that have a pod of each kind. The others have none.
var crowded = []string{"a0", "a1", "a2", "a3", "a6", "a7", "a9", "a10", "b0", "b1", "b2", "c0", "c1"}

// script is what happens to nodes. A kubelet that falls silent at a look is lost at the
// tenth after it. Nothing is left to chance:
//
//   - No two nodes of a zone wait for their taints at a time, because their order would be.
//   - When a node is lost, its zone has no token: another node has just taken it, which
//     reported that it is not ready. A pass between the look and the informer would find
//     the node ready still, and drop it, and the token with it.
//   - What brings a zone into another state does not come when it could give a node its
//     taint, and no pod's time is up when its eviction is cancelled.
func script() []step {
	steps := []step{
		{3, post("a2", v1.NodeReady, v1.ConditionFalse)}, // before a8 is lost, at some look after this
		{3, post("a4", v1.NodeMemoryPressure, v1.ConditionTrue)},
		{3, cordon("a5", true)},
		{5, silent("a0")},
		{8, taintNode("a6", maintenance)},
		{9, taintNode("a7", maintenance)},
		{9, silent("a1")},
		{10, post("a3", v1.NodeReady, v1.ConditionFalse)},
		{10, post("a4", v1.NodeDiskPressure, v1.ConditionTrue)},
		{10, taintNode("a9", maintenance)},
		{10, taintNode("a7", maintenance, "maintenance-soon")}, // would be sooner for some, which does not count (rule E5)
		{13, post("a4", v1.NodeMemoryPressure, v1.ConditionFalse)},
		{13, cordon("a5", false)},
		{14, func(ctx context.Context, s *stage) error { return s.deleteNode(ctx, "a9") }}, // its evictions stay
		{14, func(ctx context.Context, s *stage) error { return s.newPods(ctx, "a6", "a6-new") }},
		{16, silent("a2", "b0")}, // a2 changes from not ready to unreachable
		{17, post("a3", v1.NodeReady, v1.ConditionTrue)},
		{18, taintNode("a6")},
		{19, patient("a7-later")},
		{21, silent("b1")},
		{22, post("b3", v1.NodeReady, v1.ConditionFalse)}, // takes the token, before b0 is lost
		{23, silent("b2")},                                // partial disruption of zone b when it is lost: it waits
		{24, post("b3", v1.NodeReady, v1.ConditionTrue)},
		{24, taintNode("a7", "untolerated")},
		{27, silent("b3")}, // full disruption when it is lost
		{29, post("a1", v1.NodeReady, v1.ConditionTrue)},
		{29, speaks("a1")},
		{29, silent("c0")},
		{33, silent("c1")},
		{35, removeNodes("b2")}, // normal again; its turn still costs a token
		{36, silent("a10")},
		{36, post("c2", v1.NodeReady, v1.ConditionFalse)},
		{38, post("c2", v1.NodeReady, v1.ConditionTrue)},
		{38, silent("c2")},    // full disruption of zone c when it is lost
		{40, silent("a11")},   // partial disruption of zone a when it is lost
		{43, everybodySilent}, // full disruption of all zones when they are lost: everything stops
		{44, post("a3", v1.NodeReady, v1.ConditionFalse)},
		{57, removeNodes("b1", "b3", "c1", "c2")},
		{60, post("a4", v1.NodeReady, v1.ConditionTrue)},
		{60, speaks("a4")},
	}
	return slices.Concat(steps, deviceSteps())
}

func silent(names ...string) func(context.Context, *stage) error {
	return func(_ context.Context, s *stage) error {
		s.silence(names...)
		return nil
	}
}

func speaks(name string) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error {
		s.speak(name)
		return nil
	}
}

// everybodySilent is a network that is down.
func everybodySilent(_ context.Context, s *stage) error {
	s.live = nil
	return nil
}

func post(node string, kind v1.NodeConditionType, is v1.ConditionStatus) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error { return s.post(ctx, node, status(kind, is)) }
}

func cordon(node string, on bool) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error { return s.cordon(ctx, node, on) }
}

func removeNodes(names ...string) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error {
		for _, name := range names {
			if err := s.deleteNode(ctx, name); err != nil {
				return err
			}
		}
		return nil
	}
}

// taintNode gives a node NoExecute taints with these keys, in place of others that are
// not the controller's.
func taintNode(name string, keys ...string) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error {
		nodes := s.client.CoreV1().Nodes()
		return retry.RetryOnConflict(retry.DefaultRetry, func() error {
			node, err := nodes.Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			node.Spec.Taints = slices.DeleteFunc(node.Spec.Taints, func(t v1.Taint) bool { return !managed(t) })
			for _, key := range keys {
				node.Spec.Taints = append(node.Spec.Taints, v1.Taint{Key: key, Value: "x", Effect: v1.TaintEffectNoExecute})
			}
			_, err = nodes.Update(ctx, node, metav1.UpdateOptions{})
			return err
		})
	}
}

// patient gives the seconds of a pod's first toleration another number.
func patient(name string) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error {
		pods := s.client.CoreV1().Pods(metav1.NamespaceDefault)
		return retry.RetryOnConflict(retry.DefaultRetry, func() error {
			pod, err := pods.Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			*pod.Spec.Tolerations[0].TolerationSeconds = 40
			_, err = pods.Update(ctx, pod, metav1.UpdateOptions{})
			return err
		})
	}
}

// kinds is the tolerations of the pods that each crowded node has, by the end of their
// names.
var kinds = map[string][]v1.Toleration{
	"bare":  nil, // admission gives it 300 s for nodes that are not ready or not reachable
	"soon":  {tolerates("", 3)},
	"later": {tolerates("", 12)},
	"ever":  {{Operator: v1.TolerationOpExists}},
	"keyed": {tolerates(v1.TaintNodeUnreachable, 5), tolerates(v1.TaintNodeNotReady, 2), tolerates(maintenance, 2)},
	"first": {tolerates("", 14), tolerates(v1.TaintNodeUnreachable, 2), tolerates(maintenance, 2)}, // the first counts (rule E2)
	"value": {{Key: maintenance, Value: "x", Effect: v1.TaintEffectNoExecute}, tolerates("maintenance-soon", 1), tolerates(v1.TaintNodeUnreachable, 6)},
	"wrong": {{Key: maintenance, Value: "y", Effect: v1.TaintEffectNoExecute}, tolerates(v1.TaintNodeUnreachable, 0)},
}

func tolerates(key string, seconds int64) v1.Toleration {
	return v1.Toleration{Key: key, Operator: v1.TolerationOpExists, Effect: v1.TaintEffectNoExecute, TolerationSeconds: &seconds}
}

// build makes the nodes and the pods.
func (s *stage) build(ctx context.Context) error {
	ready := []v1.NodeCondition{status(v1.NodeReady, v1.ConditionTrue), status(v1.NodeMemoryPressure, v1.ConditionFalse),
		status(v1.NodeDiskPressure, v1.ConditionFalse), status(v1.NodePIDPressure, v1.ConditionFalse)}
	for _, zone := range []string{"a", "b", "c"} {
		for _, name := range zones[zone] {
			if err := s.newKubelet(ctx, name, zone, false, ready...); err != nil {
				return err
			}
		}
	}
	if err := s.newKubelet(ctx, "a8", "a", true); err != nil { // never reports anything
		return err
	}
	if err := s.newKubelet(ctx, canary, "a", true, status(v1.NodeReady, v1.ConditionFalse)); err != nil {
		return err
	}
	for _, name := range crowded {
		if err := s.newPods(ctx, name, name); err != nil {
			return err
		}
	}
	return s.devices.build(ctx)
}

// newPods makes a pod of each kind on a node.
func (s *stage) newPods(ctx context.Context, node, prefix string) error {
	for kind, tolerations := range kinds {
		pod := newPod(fmt.Sprintf("%s-%s", prefix, kind), tolerations)
		if _, err := s.client.CoreV1().Pods(pod.Namespace).Create(ctx, placed(pod, node), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// placed puts a pod on a node. It ends as soon as it is deleted, without a kubelet.
func placed(pod *v1.Pod, node string) *v1.Pod {
	now := int64(0)
	pod.Spec.NodeName, pod.Spec.TerminationGracePeriodSeconds = node, &now
	return pod
}

// managed reports whether a taint is the controller's to add and to take off.
func managed(t v1.Taint) bool { return lifecycle.Of([]taint.Taint{kube.Taint(&t)}) != 0 }
