package matrix

import (
	"strings"
	"testing"
)

// withoutReplicaSets is what kubectl get nodes,pods,deployments prints of a Deployment with
// two of its three pods.
const withoutReplicaSets = `
	{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}
	{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web","uid":"d"},"spec":{"replicas":3,"template":{"spec":{"tolerations":[{"key":"A","operator":"Exists"}]}}}}
	{"kind":"Pod","metadata":{"name":"web-7d4b-x","labels":{"pod-template-hash":"7d4b"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7d4b","uid":"r","controller":true}]},"spec":{"nodeName":"n","tolerations":[{"key":"A","operator":"Exists"}]}}
	{"kind":"Pod","metadata":{"name":"web-7d4b-y","labels":{"pod-template-hash":"7d4b"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7d4b","uid":"r","controller":true}]},"spec":{"nodeName":"n","tolerations":[{"key":"A","operator":"Exists"}]}}`

// A Deployment does not count on top of its pods, as in whatif and lint.
func TestCountsWithoutReplicaSets(t *testing.T) {
	r := start(t, withoutReplicaSets, "-f", "-")
	for _, want := range []string{": 2 pods with 1 toleration list,", "1 workload left out: no replicas, or their pods are in the input."} {
		if r.status != 0 || !strings.Contains(r.stdout, want) {
			t.Errorf("no %q in %+v", want, r)
		}
	}
	if r := start(t, withoutReplicaSets, "-f", "-", "-o", "json"); r.status != 0 || !strings.Contains(r.stdout, `"pods": 2,`) {
		t.Errorf("%+v", r)
	}
}

// huge has more pods than 32 bits count.
const huge = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}
	{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"d"},"spec":{"replicas":2147483647,"template":{"spec":{"tolerations":[{"key":"A","operator":"Exists"}]}}}}
	{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"e"},"spec":{"replicas":2147483647,"template":{"spec":{"tolerations":[{"key":"A","operator":"Exists"}]}}}}`

// Sums of pods do not overflow where an int has 32 bits, as in whatif and lint.
func TestHugeCounts(t *testing.T) {
	if r := start(t, huge, "-f", "-"); r.status != 0 || !strings.Contains(r.stdout, ": 4,294,967,294 pods with 1 toleration list,") {
		t.Errorf("%+v", r)
	}
	if r := start(t, huge, "-f", "-", "-o", "json"); r.status != 0 || !strings.Contains(r.stdout, `"pods": 4294967294,`) {
		t.Errorf("%+v", r)
	}
}
