package kube

import (
	"time"

	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// SetNode is [evict.Queue.SetNode] for a node as the API server has it: with its
// spec.taints. A cordon evicts nobody.
func SetNode[P comparable](q *evict.Queue[P], dst []evict.Decision[P], now time.Time, node *v1.Node) []evict.Decision[P] {
	var buffer [16]taint.Taint
	return q.SetNode(dst, now, node.Name, AppendTaints(buffer[:0], node.Spec.Taints))
}

// SetPod is [evict.Queue.SetPod] for a pod as the API server has it: with its
// spec.nodeName and spec.tolerations. id is what decisions name the pod by: the pod
// itself, its UID, or its name with the namespace.
//
// A pod that has come to its end, or is being deleted, is set like any other: the
// controller of Kubernetes evicts it too, as long as the API server has it. The mirror of
// a static pod has the toleration that the kubelet gave it (rule A8), so it stays.
func SetPod[P comparable](q *evict.Queue[P], dst []evict.Decision[P], now time.Time, id P, pod *v1.Pod) []evict.Decision[P] {
	var buffer [16]toleration.Toleration
	return q.SetPod(dst, now, id, pod.Spec.NodeName, AppendTolerations(buffer[:0], pod.Spec.Tolerations))
}
