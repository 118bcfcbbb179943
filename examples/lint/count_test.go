package main

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
