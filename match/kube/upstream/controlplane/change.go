package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
)

// change does what wakes pending pods, to the same objects each time: ends some
// cordons, changes the taints of some nodes, adds a node, and lets some pods tolerate
// that. What stays pending has to stay so.
func (c *cluster) change(ctx context.Context, client kubernetes.Interface, o outcome) error {
	for i, node := range c.nodes {
		var patch string
		switch {
		case node.Spec.Taints[0].Effect != v1.TaintEffectNoSchedule: // it might be left to every pod
			continue
		case node.Spec.Unschedulable:
			patch = `{"spec":{"unschedulable":null}}`
		case i%8 == 1:
			patch = fmt.Sprintf(`{"spec":{"taints":[{"key":%q,"value":"changed","effect":%q}]}}`, node.Spec.Taints[0].Key, node.Spec.Taints[0].Effect)
		default:
			continue
		}
		if _, err := client.CoreV1().Nodes().Patch(ctx, node.Name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
			return err
		}
	}
	added := newNode("added", []v1.Taint{{Key: "dedicated", Value: "added", Effect: v1.TaintEffectNoSchedule}}, false)
	if _, err := client.CoreV1().Nodes().Create(ctx, added, metav1.CreateOptions{}); err != nil {
		return err
	}
	return tolerateMore(ctx, client, slices.Sorted(maps.Keys(o.pending)))
}

// tolerateMore adds to every fifth of the pods a toleration for the node that was added.
func tolerateMore(ctx context.Context, client kubernetes.Interface, pods []string) error {
	for i, name := range pods {
		if i%5 != 0 {
			continue
		}
		if err := retry.RetryOnConflict(retry.DefaultRetry, func() error { return tolerateAdded(ctx, client, name) }); err != nil {
			return err
		}
	}
	return nil
}

func tolerateAdded(ctx context.Context, client kubernetes.Interface, name string) error {
	pods := client.CoreV1().Pods(metav1.NamespaceDefault)
	pod, err := pods.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	pod.Spec.Tolerations = append(pod.Spec.Tolerations, v1.Toleration{Key: "dedicated", Value: "added", Effect: v1.TaintEffectNoSchedule})
	_, err = pods.Update(ctx, pod, metav1.UpdateOptions{})
	return err
}
