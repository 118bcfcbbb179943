package lint

import (
	"strings"
	"testing"
)

// A workload without pods in the input counts as its replicas, as in sweep and whatif.
func TestCounts(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}
		{"kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n","tolerations":[{"key":"A","operator":"Exists"}]}}
		{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"d"},"spec":{"replicas":5,"template":{"spec":{"tolerations":[{"key":"A","operator":"Exists"}]}}}}
		{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"none"},"spec":{"replicas":0,"template":{"spec":{}}}}
		{"kind":"DaemonSet","apiVersion":"apps/v1","metadata":{"name":"s"},"spec":{"template":{"spec":{}}}}`
	r := start(input, "-f", "-")
	for _, want := range []string{"1 node and 7 pods: ", "Pod p and 5 more pods, spec.tolerations[0]"} {
		if r.status != 0 || !strings.Contains(r.stdout, want) {
			t.Errorf("no %q in %+v", want, r)
		}
	}
	if r := start(input, "-f", "-", "-o", "json"); !strings.Contains(r.stdout, `"pods": 7,`) || !strings.Contains(r.stdout, `"count": 6,`) {
		t.Errorf("%+v", r)
	}
}

// withoutReplicaSets is what kubectl get nodes,pods,deployments prints of a Deployment with
// two of its three pods.
const withoutReplicaSets = `
	{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}
	{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web","uid":"d"},"spec":{"replicas":3,"template":{"spec":{"tolerations":[{"key":"A","operator":"Exists"}]}}}}
	{"kind":"Pod","metadata":{"name":"web-7d4b-x","labels":{"pod-template-hash":"7d4b"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7d4b","uid":"r","controller":true}]},"spec":{"nodeName":"n","tolerations":[{"key":"A","operator":"Exists"}]}}
	{"kind":"Pod","metadata":{"name":"web-7d4b-y","labels":{"pod-template-hash":"7d4b"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7d4b","uid":"r","controller":true}]},"spec":{"nodeName":"n","tolerations":[{"key":"A","operator":"Exists"}]}}`

// A Deployment does not count on top of its pods, as in sweep and whatif.
func TestCountsWithoutReplicaSets(t *testing.T) {
	r := start(withoutReplicaSets, "-f", "-")
	for _, want := range []string{"1 node and 2 pods: ", "  2 pods, the first of Deployment web, spec.tolerations[0]"} {
		if r.status != 0 || !strings.Contains(r.stdout, want) {
			t.Errorf("no %q in %+v", want, r)
		}
	}
}

// huge has more pods than 32 bits count.
const huge = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}
	{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"d"},"spec":{"replicas":2147483647,"template":{"spec":{"tolerations":[{"key":"A","operator":"Exists"}]}}}}
	{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"e"},"spec":{"replicas":2147483647,"template":{"spec":{"tolerations":[{"key":"A","operator":"Exists"}]}}}}`

// Sums of pods do not overflow where an int has 32 bits, as in sweep and whatif.
func TestHugeCounts(t *testing.T) {
	if r := start(huge, "-f", "-"); r.status != 0 || !strings.Contains(r.stdout, "1 node and 4,294,967,294 pods: ") {
		t.Errorf("%+v", r)
	}
	if r := start(huge, "-f", "-", "-o", "json"); r.status != 0 || !strings.Contains(r.stdout, `"pods": 4294967294,`) {
		t.Errorf("%+v", r)
	}
}
