package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	coordination "k8s.io/api/coordination/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// act is something that the kubelets or an administrator did. It is all that the prediction
// is told.
type act struct {
	at   time.Time
	tell func(c *lifecycle.Controller, at time.Time, dst []lifecycle.Action) []lifecycle.Action
	// lease is the version of the lease that node has from then on, if it was renewed.
	node, lease string
}

// kubelets plays the kubelets of a fleet: it makes the nodes, renews their leases, and
// posts their conditions. It also is the administrator who cordons nodes.
type kubelets struct {
	client kubernetes.Interface
	live   []string                       // that renew their leases
	leases map[string]*coordination.Lease // as they were renewed last
	acts   []act
}

func (k *kubelets) did(tell func(*lifecycle.Controller, time.Time, []lifecycle.Action) []lifecycle.Action) {
	k.acts = append(k.acts, act{at: time.Now(), tell: tell})
}

// newKubelet makes a node in a zone. A silent one has no lease.
func (k *kubelets) newKubelet(ctx context.Context, name, zone string, silent bool, conditions ...v1.NodeCondition) error {
	node := newNode(name, nil, false)
	node.Labels = map[string]string{v1.LabelTopologyZone: zone}
	node.Status.Conditions = conditions
	node, err := k.client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	n := kube.LifecycleNode(node)
	k.did(func(c *lifecycle.Controller, at time.Time, dst []lifecycle.Action) []lifecycle.Action {
		return c.Set(dst, at, name, n)
	})
	if !silent {
		k.live = append(k.live, name)
	}
	return nil
}

func (k *kubelets) deleteNode(ctx context.Context, name string) error {
	k.silence(name)
	if err := k.client.CoreV1().Nodes().Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		return err
	}
	k.did(func(c *lifecycle.Controller, at time.Time, dst []lifecycle.Action) []lifecycle.Action {
		return c.Delete(dst, at, name)
	})
	return nil
}

// silence lets kubelets fall silent. speak lets them renew their leases again.
func (k *kubelets) silence(names ...string) {
	k.live = slices.DeleteFunc(k.live, func(name string) bool { return slices.Contains(names, name) })
}

func (k *kubelets) speak(name string) { k.live = append(k.live, name) }

// renew renews the leases of all kubelets that are not silent.
func (k *kubelets) renew(ctx context.Context) error {
	for _, name := range k.live {
		if err := k.renewOne(ctx, name); err != nil {
			return fmt.Errorf("lease of %s: %w", name, err)
		}
	}
	return nil
}

func (k *kubelets) renewOne(ctx context.Context, name string) (err error) {
	leases := k.client.CoordinationV1().Leases(v1.NamespaceNodeLease)
	now := metav1.NewMicroTime(time.Now())
	lease := k.leases[name]
	if lease == nil {
		lease = &coordination.Lease{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: coordination.LeaseSpec{HolderIdentity: &name, RenewTime: &now}}
		lease, err = leases.Create(ctx, lease, metav1.CreateOptions{})
	} else {
		lease.Spec.RenewTime = &now
		lease, err = leases.Update(ctx, lease, metav1.UpdateOptions{})
	}
	if err != nil {
		return err
	}
	k.leases[name] = lease
	renewed, version := lease.Spec.RenewTime.Time, lease.ResourceVersion
	k.did(func(c *lifecycle.Controller, at time.Time, dst []lifecycle.Action) []lifecycle.Action {
		return c.SetLease(dst, at, name, renewed, version)
	})
	last := &k.acts[len(k.acts)-1]
	last.node, last.lease = name, version
	return nil
}

// status returns a condition that a kubelet reports now.
func status(kind v1.NodeConditionType, s v1.ConditionStatus) v1.NodeCondition {
	now := metav1.Now()
	return v1.NodeCondition{Type: kind, Status: s, LastHeartbeatTime: now, LastTransitionTime: now, Reason: "Reported"}
}

// post reports conditions of a node; those that it does not name stay as the kubelet
// reported them before.
func (k *kubelets) post(ctx context.Context, name string, conditions ...v1.NodeCondition) error {
	patch, err := json.Marshal(map[string]any{"status": map[string]any{"conditions": conditions}})
	if err != nil {
		return err
	}
	if _, err := k.client.CoreV1().Nodes().Patch(ctx, name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status"); err != nil {
		return err
	}
	k.did(func(c *lifecycle.Controller, at time.Time, dst []lifecycle.Action) []lifecycle.Action {
		n, _ := c.Node(name)
		for _, condition := range conditions {
			n.Conditions.Set(string(condition.Type), string(condition.Status))
			if condition.Type == v1.NodeReady {
				n.Heartbeat = condition.LastHeartbeatTime.Time
			}
		}
		return c.Set(dst, at, name, n)
	})
	return nil
}

// cordon sets or ends the cordon of a node.
func (k *kubelets) cordon(ctx context.Context, name string, on bool) error {
	patch := fmt.Appendf(nil, `{"spec":{"unschedulable":%t}}`, on)
	if _, err := k.client.CoreV1().Nodes().Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		return err
	}
	k.did(func(c *lifecycle.Controller, at time.Time, dst []lifecycle.Action) []lifecycle.Action {
		n, _ := c.Node(name)
		n.Unschedulable = on
		return c.Set(dst, at, name, n)
	})
	return nil
}
