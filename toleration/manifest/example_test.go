package manifest_test

import (
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

const dump = `
apiVersion: v1
kind: Node
metadata: {name: gpu-1}
spec:
  taints:
  - {key: nvidia.com/gpu, value: present, effect: NoSchedule}
---
apiVersion: v1
kind: Node
metadata: {name: worker-1}
spec: {unschedulable: true}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: train, namespace: ml}
spec:
  replicas: 3
  template:
    spec:
      tolerations:
      - {key: nvidia.com/gpu, operator: exists}
      - {key: nvidia.com/gpu, operator: Exists}
`

// On which nodes may the pods run? A cordon counts as a taint.
func Example() {
	var loader manifest.Loader
	if err := loader.Read("dump.yaml", strings.NewReader(dump)); err != nil {
		panic(err)
	}
	cluster := loader.Cluster()
	for i := range cluster.Faults {
		fmt.Println(&cluster.Faults[i])
	}
	for i := range cluster.Pods {
		pod := &cluster.Pods[i]
		for j := range cluster.Nodes {
			node := &cluster.Nodes[j]
			taints := node.Taints()
			if k, found := match.FirstUntolerated(taints, pod.Tolerations(), taint.Hard); found {
				fmt.Println(pod.ID(), "may not run on", node.Name, "because of", taints[k])
			} else {
				fmt.Println(pod.ID(), "may run on", node.Name)
			}
		}
	}
	// Output:
	// dump.yaml: document 3: Deployment ml/train: spec.template.spec.tolerations[0].operator: unsupported value "exists": must be Exists, Equal or empty; Lt and Gt need the feature gate TaintTolerationComparisonOperators (is Exists meant? Case matters)
	// Deployment ml/train may run on gpu-1
	// Deployment ml/train may not run on worker-1 because of node.kubernetes.io/unschedulable:NoSchedule
}

// A default cluster ignores Gt and Lt. One with the feature gate on does not.
func ExampleLoader_rules() {
	const pod = `{"kind":"Pod","spec":{"tolerations":[{"key":"sla","operator":"Gt","value":"950"}]}}`
	for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
		loader := manifest.Loader{Rules: rules}
		if err := loader.Read("pod.json", strings.NewReader(pod)); err != nil {
			panic(err)
		}
		cluster := loader.Cluster()
		fmt.Println(len(cluster.Faults), cluster.Pods[0].Tolerations())
	}
	// Output:
	// 1 []
	// 0 [sla>950]
}

// Remarks about a list name the field as it is written, even after an entry that
// does not decode.
func ExamplePod_SpecField() {
	const pod = `{"kind":"Pod","spec":{"tolerations":[{"key":1},{"key":"a","operator":"Gt","value":"x"}]}}`
	loader := manifest.Loader{Rules: toleration.Rules{Comparisons: true}}
	if err := loader.Read("pod.json", strings.NewReader(pod)); err != nil {
		panic(err)
	}
	p := &loader.Cluster().Pods[0]
	for i, t := range p.SpecTolerations {
		fmt.Printf("%s: %s\n", p.SpecField(i), t)
	}
	// Output: spec.tolerations[1]: a>x
}

// A list of tolerations alone, as tools print it.
func ExampleLoader_bare() {
	loader := manifest.Loader{Bare: true}
	if err := loader.Read("list.json", strings.NewReader(`[{"key":"gpu","operator":"Exists"}]`)); err != nil {
		panic(err)
	}
	fmt.Println(loader.Cluster().Pods[0].Tolerations())
	// Output: [gpu]
}
