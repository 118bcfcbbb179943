package manifest_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

const pools = `
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpu-spot}
spec:
  limits: {cpu: 1000}
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 30s}
  template:
    metadata: {labels: {team: ml}, annotations: {a: b}}
    spec:
      expireAfter: 720h
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements:
      - {key: karpenter.sh/capacity-type, operator: In, values: [spot]}
      - {key: karpenter.k8s.aws/instance-cpu, operator: Gte, values: ["8"], minValues: 2}
      - {key: karpenter.k8s.aws/instance-cpu, operator: Lte, values: ["64"]}
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
      startupTaints: [{key: node.cilium.io/agent-not-ready, value: "true", effect: NoExecute}]
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: static}
spec: {replicas: 3, template: {spec: {requirements: []}}}
---
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata:
  name: gpu-spot-x7
  labels: {karpenter.sh/nodepool: gpu-spot}
  ownerReferences: [{apiVersion: karpenter.sh/v1, kind: NodePool, name: gpu-spot, controller: true}]
spec:
  requirements: [{key: kubernetes.io/arch, operator: In, values: [arm64]}]
  resources: {requests: {cpu: 100m}}
  taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
  startupTaints: [{key: s, effect: NoSchedule}]
status: {nodeName: ip-10-0-0-7, conditions: [{type: Launched, status: "True"}]}
---
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata: {name: gpu-spot-new}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: workers
  namespace: capi
  annotations:
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: "0"
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "5"
    capacity.cluster-autoscaler.kubernetes.io/labels: disk=ssd,empty=,nothing
    capacity.cluster-autoscaler.kubernetes.io/taints: dedicated=demo:NoSchedule,spot:NoExecute,broken
spec:
  replicas: 0
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {node-role.kubernetes.io/worker: "", pool.node.cluster.x-k8s.io/x: b, cluster.x-k8s.io/own: z}}
    spec:
      clusterName: c
      taints: [{key: dedicated, value: old, effect: NoSchedule, propagation: Always}, {key: once, effect: NoSchedule, propagation: OnInitialization}]
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineSet
metadata: {name: workers, namespace: capi, ownerReferences: [{kind: MachineDeployment, name: workers, controller: true}]}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineSet
metadata: {name: alone, namespace: capi, ownerReferences: [{kind: Cluster, name: c, controller: true}]}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachinePool
metadata: {name: mp, namespace: capi, annotations: {cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "0"}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: spot}
spec:
  nodeLabels: {type: spot}
  nodeTaints: [{key: spot, value: "true", effect: NoSchedule}]
  tolerations: [{key: spot, operator: Exists, effect: NoSchedule}, {key: x, operator: exists}]
---
apiVersion: readiness.node.x-k8s.io/v1alpha1
kind: NodeReadinessRule
metadata: {name: storage}
spec:
  conditions: [{type: csi.example.com/Ready, requiredStatus: "True"}, {type: DiskPressure, requiredStatus: "False"}]
  taint: {key: readiness.k8s.io/storage, effect: NoSchedul, value: pending}
  enforcementMode: bootstrap-only
  dryRun: true
  nodeSelector: {matchLabels: {type: spot}, matchExpressions: [{key: old, operator: DoesNotExist}]}
---
apiVersion: example.com/v1
kind: NodePool
metadata: {name: of another project}
spec: {template: {spec: {taints: wrong}}, nodeSelector: {matchLabels: {}}}
`

// Each kind of pool is read as its project's types say, and what is wrong is told.
func TestPools(t *testing.T) {
	c := loadState(t, pools)
	gpu := []taint.Taint{{Key: "nvidia.com/gpu", Effect: "NoSchedule"}}
	exists := func(key, operator string, values ...string) affinity.Requirement {
		return affinity.Requirement{Key: key, Operator: operator, Values: values}
	}
	object := func(kind, namespace, name string) manifest.Object {
		return manifest.Object{Kind: kind, Namespace: namespace, Name: name}
	}
	want := []manifest.Pool{
		{
			Object: object("NodePool", "", "gpu-spot"), Taints: gpu, OnDemand: true,
			StartupTaints: []taint.Taint{{Key: "node.cilium.io/agent-not-ready", Value: "true", Effect: "NoExecute"}},
			Labels: affinity.Template{
				Labels: map[string]string{"team": "ml", "karpenter.sh/nodepool": "gpu-spot"},
				Requirements: []affinity.Requirement{
					exists("karpenter.sh/capacity-type", "In", "spot"),
					exists("karpenter.k8s.aws/instance-cpu", "Gt", "7"), exists("karpenter.k8s.aws/instance-cpu", "Lt", "65"),
				},
			},
		},
		{Object: object("NodePool", "", "static"), Labels: affinity.Template{Labels: map[string]string{"karpenter.sh/nodepool": "static"}}},
		{
			Object: object("NodeClaim", "", "gpu-spot-x7"), Taints: gpu, StartupTaints: []taint.Taint{{Key: "s", Effect: "NoSchedule"}},
			NodeName: "ip-10-0-0-7",
			Labels: affinity.Template{
				Labels:       map[string]string{"karpenter.sh/nodepool": "gpu-spot"},
				Requirements: []affinity.Requirement{exists("kubernetes.io/arch", "In", "arm64")},
			},
		},
		{Object: object("NodeClaim", "", "gpu-spot-new"), OnDemand: true},
		{
			Object: object("MachineDeployment", "capi", "workers"), OnDemand: true,
			Taints: []taint.Taint{{Key: "dedicated", Value: "demo", Effect: "NoSchedule"}, {Key: "once", Effect: "NoSchedule"}, {Key: "spot", Effect: "NoExecute"}},
			Labels: affinity.Template{Labels: map[string]string{"disk": "ssd", "empty": "", "node-role.kubernetes.io/worker": "", "pool.node.cluster.x-k8s.io/x": "b"}},
		},
		{Object: object("MachineSet", "capi", "alone")},
		{Object: object("MachinePool", "capi", "mp")},
		{
			Object: object("ResourceFlavor", "", "spot"), Taints: []taint.Taint{{Key: "spot", Value: "true", Effect: "NoSchedule"}},
			Tolerations: []toleration.Toleration{{Key: "spot", Operator: "Exists", Effect: "NoSchedule"}, {Key: "x", Operator: "exists"}},
			Labels:      affinity.Template{Labels: map[string]string{"type": "spot"}, Open: []string{""}},
		},
	}
	places := cmp.Comparer(func(a, b manifest.Object) bool { return a.ID() == b.ID() })
	open := cmp.Comparer(func(a, b affinity.Template) bool { // what stays open is tested by what it lets in
		return maps.Equal(a.Labels, b.Labels) && cmp.Equal(a.Requirements, b.Requirements)
	})
	if diff := cmp.Diff(want, c.Pools, places, open); diff != "" {
		t.Error(diff)
	}
	rule := []manifest.ReadinessRule{{
		Object: object("NodeReadinessRule", "", "storage"), Taint: taint.Taint{Key: "readiness.k8s.io/storage", Value: "pending", Effect: "NoSchedul"},
		Selector: affinity.Required{
			NodeSelector: map[string]string{"type": "spot"}, Terms: []affinity.Term{{Expressions: []affinity.Requirement{exists("old", "DoesNotExist")}}},
		},
		DryRun: true,
	}}
	if diff := cmp.Diff(rule, c.Readiness, places); diff != "" {
		t.Error(diff)
	}
	var faults []string
	for _, f := range c.Faults {
		faults = append(faults, fmt.Sprint(f.Object.ID(), " ", f.Err.Field, " ", f.Err.Value))
	}
	wantFaults := []string{
		`MachineDeployment capi/workers metadata.annotations["capacity.cluster-autoscaler.kubernetes.io/taints"] broken`,
		"ResourceFlavor spot spec.tolerations[1].operator exists",
		"NodeReadinessRule storage spec.taint.effect NoSchedul",
	}
	if diff := cmp.Diff(wantFaults, faults); diff != "" {
		t.Error(diff)
	}
	if len(c.Others) != 1 || c.Others["NodePool"] != 1 {
		t.Errorf("others: %v", c.Others)
	}
	var plain manifest.Loader
	if err := plain.Read("x", strings.NewReader(pools)); err != nil {
		t.Fatal(err)
	}
	if c := plain.Cluster(); c.Pools != nil || c.Readiness != nil || c.Others["NodePool"] != 3 {
		t.Errorf("read without being asked for: %+v", c)
	}
}

// A label that a pool does not name is open if its makers give nodes such labels.
func TestOpenLabels(t *testing.T) {
	c := loadState(t, pools)
	for _, test := range []struct {
		pool int
		key  string
		want bool
	}{
		{0, "topology.kubernetes.io/zone", true}, {0, "karpenter.k8s.aws/instance-family", true}, {0, "team.example.com/x", false},
		{4, "topology.kubernetes.io/zone", true}, {4, "karpenter.sh/capacity-type", false}, {7, "anything", true},
	} {
		pod := affinity.Required{NodeSelector: map[string]string{test.key: "a"}}
		if got := pod.MayMatch(&c.Pools[test.pool].Labels); got != test.want {
			t.Errorf("%s, %s: %v", c.Pools[test.pool].ID(), test.key, got)
		}
	}
}

// The selector of a rule in place of a pod's is a fault of the pod still, and its labels are kept.
func TestSelectorOfAnotherKind(t *testing.T) {
	l := manifest.Loader{State: true, Placement: true}
	if err := l.Read("x", strings.NewReader(`{"kind":"Pod","metadata":{"name":"p"},"spec":{"nodeSelector":{"a":"b","matchLabels":{"c":"d"},"n":1}}}`)); err != nil {
		t.Fatal(err)
	}
	c := l.Cluster()
	want := map[string]string{"a": "b", "matchLabels": "", "n": ""}
	if diff := cmp.Diff(want, c.Pods[0].Affinity.NodeSelector); diff != "" || len(c.Faults) != 2 {
		t.Errorf("%s, faults %v", diff, c.Faults)
	}
}
