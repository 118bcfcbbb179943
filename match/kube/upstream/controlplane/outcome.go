package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// outcome is what became of each pod.
type outcome struct {
	bound   map[string]string // the node of each pod that has one
	pending map[string]string // why each other pod has none
}

// backoff is how long the schedulers let a pod wait at most before they try again, and
// quiet how long nothing may change for a cluster to count as settled: every pod that was
// to be tried again has been, with time to spare.
const (
	backoff = 2 * time.Second
	quiet   = 2*backoff + time.Second
)

// settle waits until every pod is bound or has been refused, and nothing changes.
func settle(ctx context.Context, client kubernetes.Interface) (outcome, error) {
	last, since := outcome{}, time.Now()
	for {
		now, complete, err := look(ctx, client)
		if err != nil {
			return now, err
		}
		if !complete || !maps.Equal(now.bound, last.bound) || !maps.Equal(now.pending, last.pending) {
			last, since = now, time.Now()
		}
		if time.Since(since) > quiet {
			return now, nil
		}
		select {
		case <-ctx.Done():
			return now, fmt.Errorf("%d pods bound, %d pending, not settled: %w", len(now.bound), len(now.pending), ctx.Err())
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// look reads the outcome so far, and whether it says something of every pod.
func look(ctx context.Context, client kubernetes.Interface) (o outcome, complete bool, err error) {
	list, err := client.CoreV1().Pods(metav1.NamespaceDefault).List(ctx, metav1.ListOptions{})
	if err != nil {
		return o, false, err
	}
	o = outcome{bound: make(map[string]string), pending: make(map[string]string)}
	complete = true
	for i := range list.Items {
		pod := &list.Items[i]
		reason, refused := refusal(pod)
		switch {
		case pod.Spec.NodeName != "":
			o.bound[pod.Name] = pod.Spec.NodeName
		case refused:
			o.pending[pod.Name] = reason
		default:
			complete = false
		}
	}
	return o, complete, nil
}

func refusal(pod *v1.Pod) (reason string, refused bool) {
	for _, c := range pod.Status.Conditions {
		if c.Type == v1.PodScheduled && c.Status == v1.ConditionFalse {
			return c.Message, true
		}
	}
	return "", false
}

// verify holds an outcome against package match: a pod that was bound since fits its
// node, and a pending one fits none (rules F2, F7).
func (o outcome) verify(ctx context.Context, client kubernetes.Interface, since outcome, comparisons bool) error {
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	pods, err := client.CoreV1().Pods(metav1.NamespaceDefault).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		var fits []string
		for j := range nodes.Items {
			if takes(&nodes.Items[j], pod, comparisons) {
				fits = append(fits, nodes.Items[j].Name)
			}
		}
		node, bound := o.bound[pod.Name]
		if bound && since.bound[pod.Name] == "" && !slices.Contains(fits, node) {
			return fmt.Errorf("pod %s is on node %s, which does not take it", pod.Name, node)
		}
		if wantsTooMuch := len(pod.Spec.Containers[0].Resources.Requests) > 0; !bound && !wantsTooMuch && len(fits) > 0 {
			return fmt.Errorf("pod %s is pending, although %d nodes take it: %s", pod.Name, len(fits), o.pending[pod.Name])
		}
	}
	return nil
}

func takes(node *v1.Node, pod *v1.Pod, comparisons bool) bool {
	tolerations := kube.AppendTolerations(nil, pod.Spec.Tolerations)
	_, refused := match.FirstUntolerated(kube.AppendTaints(nil, node.Spec.Taints), tolerations, taint.Hard, toleration.Rules{Comparisons: comparisons})
	return !refused && !(node.Spec.Unschedulable && match.Cordoned(tolerations))
}

// compare returns an error if two outcomes differ in which pods are pending, and, if
// the reasons are to be compared, in why.
func compare(a, b outcome, reasons bool) error {
	if len(a.bound)+len(a.pending) != len(b.bound)+len(b.pending) {
		return fmt.Errorf("%d and %d pods", len(a.bound)+len(a.pending), len(b.bound)+len(b.pending))
	}
	for _, pod := range slices.Sorted(maps.Keys(a.pending)) {
		reason, pending := b.pending[pod]
		if !pending {
			return fmt.Errorf("pod %s is bound to %s by the one and pending with the other: %s", pod, b.bound[pod], a.pending[pod])
		}
		if reasons && reason != a.pending[pod] {
			return fmt.Errorf("pod %s is pending for different reasons:\n%s\n%s", pod, a.pending[pod], reason)
		}
	}
	if len(a.pending) != len(b.pending) {
		return fmt.Errorf("%d pods are pending with the one and %d with the other", len(a.pending), len(b.pending))
	}
	return nil
}

// print writes how many pods are pending for each reason, the most common ones first,
// and leaves out all but a few.
func (o outcome) print(w io.Writer, most int) {
	counts := make(map[string]int)
	for _, reason := range o.pending {
		counts[reason]++
	}
	reasons := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b))
	})
	for i, reason := range reasons {
		if i == most {
			fmt.Fprintf(w, "%6d other reasons\n", len(reasons)-most)
			return
		}
		fmt.Fprintf(w, "%6d pods: %s\n", counts[reason], reason)
	}
}
