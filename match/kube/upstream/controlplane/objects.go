package main

import (
	"context"
	"fmt"
	"sync"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/toleration"
)

// cluster is the objects of a comparison. There is room for everything everywhere, but
// for the pods that want more than any node has.
type cluster struct {
	nodes []*v1.Node
	pods  []*v1.Pod
}

// newCluster makes a cluster of which half comes from each of two scenarios. Nodes
// that would take every pod are dedicated, and every second of them is cordoned too, so
// that pods stay pending for many reasons. The API server accepts Gt and Lt with
// comparisons only; without, pods that have them are left out.
func newCluster(nodes, pods int, comparisons bool) *cluster {
	c := &cluster{}
	for _, name := range []string{"pools", "numeric"} {
		maker, _ := scenario.Find(name)
		half := maker(1, nodes/2, pods/2)
		for i, node := range half.Nodes {
			c.nodes = append(c.nodes, newNode(fmt.Sprintf("%s-%d", name, i), kube.AppendV1Taints(nil, node.Taints), i%10 == 9))
		}
		for i, pod := range half.Pods {
			if valid(pod.Tolerations, comparisons) {
				c.pods = append(c.pods, newPod(fmt.Sprintf("%s-%d", name, i), kube.AppendV1Tolerations(nil, pod.Tolerations)))
			}
		}
	}
	for i, node := range c.nodes {
		if len(node.Spec.Taints) == 0 {
			node.Spec.Taints = []v1.Taint{general}
			node.Spec.Unschedulable = i%2 == 0
		}
	}
	for i, pod := range c.pods {
		if i%3 == 0 {
			pod.Spec.Tolerations = append(pod.Spec.Tolerations, v1.Toleration{Key: general.Key, Value: general.Value, Effect: general.Effect})
		}
		if i%7 == 0 {
			pod.Spec.Tolerations = append(pod.Spec.Tolerations, v1.Toleration{Key: v1.TaintNodeUnschedulable, Operator: v1.TolerationOpExists})
		}
		if i%11 == 0 { // fits no node for another reason, which must not come first
			pod.Spec.Containers[0].Resources.Requests = v1.ResourceList{v1.ResourceCPU: resource.MustParse("2000")}
		}
	}
	return c
}

// general is the taint of the nodes that have no other. It is only read.
var general = v1.Taint{Key: "pool", Value: "general", Effect: v1.TaintEffectNoSchedule}

func valid(tolerations []toleration.Toleration, comparisons bool) bool {
	if comparisons {
		return toleration.Rules{Comparisons: true}.Validate(tolerations) == nil
	}
	return toleration.Rules{}.Validate(tolerations) == nil
}

func newNode(name string, taints []v1.Taint, unschedulable bool) *v1.Node {
	room := v1.ResourceList{v1.ResourcePods: resource.MustParse("10000"), v1.ResourceCPU: resource.MustParse("1000"), v1.ResourceMemory: resource.MustParse("1Ti")}
	return &v1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       v1.NodeSpec{Taints: taints, Unschedulable: unschedulable},
		Status: v1.NodeStatus{Capacity: room, Allocatable: room,
			Conditions: []v1.NodeCondition{{Type: v1.NodeReady, Status: v1.ConditionTrue}}},
	}
}

func newPod(name string, tolerations []v1.Toleration) *v1.Pod {
	return &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: metav1.NamespaceDefault},
		Spec:       v1.PodSpec{Tolerations: tolerations, Containers: []v1.Container{{Name: "pause", Image: "pause"}}},
	}
}

func (c *cluster) createNodes(ctx context.Context, client kubernetes.Interface) error {
	return each(c.nodes, func(node *v1.Node) error {
		_, err := client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
		return err
	})
}

func (c *cluster) createPods(ctx context.Context, client kubernetes.Interface) error {
	return each(c.pods, func(pod *v1.Pod) error {
		_, err := client.CoreV1().Pods(pod.Namespace).Create(ctx, pod, metav1.CreateOptions{})
		return err
	})
}

// clear deletes all nodes and pods, so that the next scheduler finds what this one
// found.
func clear(ctx context.Context, client kubernetes.Interface) error {
	now := int64(0)
	options := metav1.DeleteOptions{GracePeriodSeconds: &now}
	if err := client.CoreV1().Pods(metav1.NamespaceDefault).DeleteCollection(ctx, options, metav1.ListOptions{}); err != nil {
		return err
	}
	return client.CoreV1().Nodes().DeleteCollection(ctx, options, metav1.ListOptions{})
}

// each calls do for all items, some at a time, and returns the first error.
func each[T any](items []T, do func(T) error) error {
	var group sync.WaitGroup
	slots, errs := make(chan struct{}, 16), make(chan error, len(items))
	for _, item := range items {
		slots <- struct{}{}
		group.Go(func() {
			if err := do(item); err != nil {
				errs <- err
			}
			<-slots
		})
	}
	group.Wait()
	close(errs)
	return <-errs
}
