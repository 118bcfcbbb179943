package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/golden"
)

// dump is what kubectl get nodes,pods -A -o json prints for a small cluster, cut to
// one container each: the pods of a Deployment belong to a ReplicaSet, which is not in it.
const dump = `{"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": [
{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1", "uid": "n1", "labels": {"kubernetes.io/hostname": "node-1"}},
 "spec": {"podCIDR": "10.244.0.0/24"}, "status": {"phase": "Running"}},
{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-2", "uid": "n2", "labels": {"kubernetes.io/hostname": "node-2"}},
 "spec": {"taints": [{"key": "dedicated", "value": "shop", "effect": "NoSchedule"}]}},
{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "cart-7d4b9c6f5d-x2kqp", "namespace": "shop", "uid": "p1", "generateName": "cart-7d4b9c6f5d-",
  "labels": {"app": "cart", "pod-template-hash": "7d4b9c6f5d"},
  "ownerReferences": [{"apiVersion": "apps/v1", "blockOwnerDeletion": true, "controller": true, "kind": "ReplicaSet", "name": "cart-7d4b9c6f5d", "uid": "r1"}]},
 "spec": {"containers": [{"image": "cart", "name": "cart"}], "nodeName": "node-1", "tolerations": [
  {"effect": "NoExecute", "key": "node.kubernetes.io/not-ready", "operator": "Exists", "tolerationSeconds": 300},
  {"effect": "NoExecute", "key": "node.kubernetes.io/unreachable", "operator": "Exists", "tolerationSeconds": 300}]}, "status": {"phase": "Running"}},
{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "cart-7d4b9c6f5d-m9s4z", "namespace": "shop", "uid": "p2", "generateName": "cart-7d4b9c6f5d-",
  "labels": {"app": "cart", "pod-template-hash": "7d4b9c6f5d"},
  "ownerReferences": [{"apiVersion": "apps/v1", "blockOwnerDeletion": true, "controller": true, "kind": "ReplicaSet", "name": "cart-7d4b9c6f5d", "uid": "r1"}]},
 "spec": {"containers": [{"image": "cart", "name": "cart"}], "nodeName": "node-1", "tolerations": []}, "status": {"phase": "Running"}}
]}`

const replicaSet = `{"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "cart-7d4b9c6f5d", "namespace": "shop", "uid": "r1",
 "ownerReferences": [{"apiVersion": "apps/v1", "controller": true, "kind": "Deployment", "name": "cart-main", "uid": "d1"}]},
 "spec": {"replicas": 2, "template": {"spec": {}}}}`

// A plan names the Deployment of a dump that has pods and no workloads, and the command
// patches that. If the ReplicaSet is there, its owner counts and not its name.
func TestDeploymentsOfADump(t *testing.T) {
	for name, c := range map[string]struct{ input, deployment string }{
		"pods alone":       {dump, "cart"},
		"with ReplicaSets": {dump + replicaSet, "cart-main"},
	} {
		plan := []string{"-f", "-", "taint nodes node-1 maintenance:NoExecute", "tolerations maintenance Deployment shop/" + c.deployment}
		r := start(c.input, append(plan, "-o", "kubectl")...)
		want := `kubectl --namespace shop patch deployment ` + c.deployment + ` --type merge --patch '{"spec":{"template":{"spec":{"tolerations":[{"key":"maintenance","operator":"Exists"}]}}}}'
rollout shop deployment/` + c.deployment + `
kubectl taint nodes node-1 maintenance:NoExecute`
		if r.status != 0 || r.stderr != "" || strings.Join(commandsOf(r.stdout), "\n") != want {
			t.Errorf("%s: status %d, %s%s\nwant %s", name, r.status, r.stdout, r.stderr, want)
		}
		var answer struct {
			Summary struct {
				EvictedNow, Stay int
			}
		}
		r = start(c.input, append(plan, "-o", "json")...)
		if err := json.Unmarshal(golden.Result(r.stdout), &answer); err != nil || answer.Summary.EvictedNow != 0 || answer.Summary.Stay != 2 {
			t.Errorf("%s: %+v, %v", name, answer, err)
		}
	}
	r := start(dump, "-f", "-", "tolerations maintenance Deployment shop/other")
	if r.status != 2 || !strings.Contains(r.stderr, "there are those of Deployment shop/cart") {
		t.Errorf("%+v", r)
	}
}
