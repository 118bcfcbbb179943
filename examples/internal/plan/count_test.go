package plan

import (
	"strings"
	"testing"
)

// A workload without pods in the input counts as its replicas, as in sweep and lint.
func TestCounts(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"}}
		{"kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n"}}
		{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"d"},"spec":{"replicas":5,"template":{"spec":{}}}}
		{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"e"},"spec":{"replicas":3,"template":{"spec":{"tolerations":[{"key":"a","operator":"Exists"}]}}}}
		{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"none"},"spec":{"replicas":0,"template":{"spec":{}}}}
		{"kind":"DaemonSet","apiVersion":"apps/v1","metadata":{"name":"s"},"spec":{"template":{"spec":{}}}}`
	for _, c := range []struct{ step, want, json string }{
		{"taint nodes n b:NoSchedule", "  6 pods of Deployment d, Pod p: 1 fewer node\n", `"pods": 6,`},
		{"taint nodes n a:NoSchedule", "  6 pods of Deployment d, Pod p: 1 fewer node\n", `"pods": 6,`},
		{"taint nodes n b:NoSchedule", "  3 pods of Deployment e: 1 fewer node\n", `"pods": 3,`},
		{"tolerations b:NoSchedule Deployment d\ntaint nodes n a:NoSchedule", "  5 pods of Deployment d: 1 fewer node\n", `"pods": 5,`},
		{"tolerations b:NoSchedule Deployment d\ntaint nodes n a:NoSchedule", "  1 pod of Pod p: 1 fewer node\n", `"pods": 1,`},
	} {
		r := start(input, "-f", "-", c.step)
		if r.status != 0 || !strings.Contains(r.stdout, "for 1 node and 10 pods:") || !strings.Contains(r.stdout, c.want) {
			t.Errorf("%s: no %q in %+v", c.step, c.want, r)
		}
		if r := start(input, "-f", "-", c.step, "-o", "json"); !strings.Contains(r.stdout, c.json) || !strings.Contains(r.stdout, `"pods": 10,`) {
			t.Errorf("%s: no %q in %+v", c.step, c.json, r)
		}
	}
}

// withoutReplicaSets is what kubectl get nodes,pods,deployments prints of a Deployment with
// two of its three pods.
const withoutReplicaSets = `
	{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}
	{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web","uid":"d"},"spec":{"replicas":3,"template":{"spec":{"tolerations":[{"key":"A","operator":"Exists"}]}}}}
	{"kind":"Pod","metadata":{"name":"web-7d4b-x","labels":{"pod-template-hash":"7d4b"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7d4b","uid":"r","controller":true}]},"spec":{"nodeName":"n","tolerations":[{"key":"A","operator":"Exists"}]}}
	{"kind":"Pod","metadata":{"name":"web-7d4b-y","labels":{"pod-template-hash":"7d4b"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7d4b","uid":"r","controller":true}]},"spec":{"nodeName":"n","tolerations":[{"key":"A","operator":"Exists"}]}}`

// A Deployment does not count on top of its pods, as in sweep and lint.
func TestCountsWithoutReplicaSets(t *testing.T) {
	r := start(withoutReplicaSets, "-f", "-", "taint nodes n a-")
	for _, want := range []string{"for 1 node and 2 pods:", "  2 pods of Deployment web: 1 more node\n"} {
		if r.status != 0 || !strings.Contains(r.stdout, want) {
			t.Errorf("no %q in %+v", want, r)
		}
	}
}

// huge has more pods than 32 bits count.
const huge = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}
	{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"d"},"spec":{"replicas":2147483647,"template":{"spec":{"tolerations":[{"key":"A","operator":"Exists"}]}}}}
	{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"e"},"spec":{"replicas":2147483647,"template":{"spec":{"tolerations":[{"key":"A","operator":"Exists"}]}}}}`

// Sums of pods do not overflow where an int has 32 bits, as in sweep and lint.
func TestHugeCounts(t *testing.T) {
	for _, c := range []struct{ step, want, json string }{
		{"taint nodes n a-", "  4,294,967,294 pods of Deployments d, e: 1 more node\n", `"pods": 4294967294,`},
		{"tolerations a Deployment e", "  2,147,483,647 pods of Deployment e: 1 more node\n", `"pods": 2147483647,`},
	} {
		r := start(huge, "-f", "-", c.step)
		if r.status != 0 || !strings.Contains(r.stdout, "for 1 node and 4,294,967,294 pods:") || !strings.Contains(r.stdout, c.want) {
			t.Errorf("%s: %+v", c.step, r)
		}
		if r := start(huge, "-f", "-", c.step, "-o", "json"); !strings.Contains(r.stdout, c.json) || !strings.Contains(r.stdout, `"pods": 4294967294,`) {
			t.Errorf("%s: %+v", c.step, r)
		}
	}
}
