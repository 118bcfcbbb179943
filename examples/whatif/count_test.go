package main

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
		{"taint nodes n b:NoSchedule", "  6 pods of Pod p, Deployment d: 1 fewer node\n", `"pods": 6,`},
		{"taint nodes n a:NoSchedule", "  6 pods of Pod p, Deployment d: 1 fewer node\n", `"pods": 6,`},
		{"taint nodes n b:NoSchedule", "  3 pods of Deployment e: 1 fewer node\n", `"pods": 3,`},
		{"tolerations b:NoSchedule Deployment d\ntaint nodes n a:NoSchedule", "  5 pods of Deployment d: 1 fewer node\n", `"pods": 5,`},
		{"tolerations b:NoSchedule Deployment d\ntaint nodes n a:NoSchedule", "  1 pod of Pod p: 1 fewer node\n", `"pods": 1,`},
	} {
		r := start(input, "-f", "-", "-step", c.step)
		if r.status != 0 || !strings.Contains(r.stdout, "for 1 node and 10 pods:") || !strings.Contains(r.stdout, c.want) {
			t.Errorf("%s: no %q in %+v", c.step, c.want, r)
		}
		if r := start(input, "-f", "-", "-step", c.step, "-o", "json"); !strings.Contains(r.stdout, c.json) || !strings.Contains(r.stdout, `"pods": 10,`) {
			t.Errorf("%s: no %q in %+v", c.step, c.json, r)
		}
	}
}
