package manifest_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

const placed = `
apiVersion: v1
kind: Node
metadata: {name: a, labels: {zone: x, disk: ssd}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  template:
    spec:
      nodeSelector: {disk: ssd}
      affinity:
        podAffinity: {ignored: [1]}
        nodeAffinity:
          preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1}]
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
            - matchExpressions: [{key: zone, operator: In, values: [x, z]}, {key: gpu, operator: DoesNotExist}]
              matchFields: [{key: metadata.name, operator: NotIn, values: [b]}]
            - {}
---
apiVersion: v1
kind: Pod
metadata: {name: nowhere}
spec: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {}}}}
---
apiVersion: v1
kind: Pod
metadata: {name: anywhere}
spec: {nodeSelector: null, affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: null}}}
`

// What pods require of their nodes is read on request, and only then.
func TestPlacement(t *testing.T) {
	want := []affinity.Required{
		{NodeSelector: map[string]string{"disk": "ssd"}, Terms: []affinity.Term{
			{
				Expressions: []affinity.Requirement{{Key: "zone", Operator: "In", Values: []string{"x", "z"}}, {Key: "gpu", Operator: "DoesNotExist"}},
				Fields:      []affinity.Requirement{{Key: "metadata.name", Operator: "NotIn", Values: []string{"b"}}},
			}, {},
		}},
		{Terms: []affinity.Term{}},
		{},
	}
	for _, asked := range []bool{false, true} {
		l := manifest.Loader{Placement: asked}
		if err := l.Read("x", strings.NewReader(placed)); err != nil {
			t.Fatal(err)
		}
		c := l.Cluster()
		if len(c.Faults) > 0 {
			t.Fatal(c.Faults)
		}
		labels, attractions := map[string]string{"zone": "x", "disk": "ssd"}, want
		if !asked {
			labels, attractions = nil, make([]affinity.Required, len(want))
		}
		if got := c.Nodes[0].Labels; !maps.Equal(got, labels) {
			t.Errorf("asked %t: labels %v", asked, got)
		}
		for i := range c.Pods {
			if diff := cmp.Diff(attractions[i], c.Pods[i].Affinity); diff != "" {
				t.Errorf("asked %t: %s: %s", asked, c.Pods[i].Name, diff)
			}
		}
	}
}

// A field of the wrong type is a fault, and the rest is kept.
func TestPlacementFaults(t *testing.T) {
	l := manifest.Loader{Placement: true}
	err := l.Read("x", strings.NewReader(`{"kind":"Pod","metadata":{"name":"p","labels":{"a":1}},"spec":{"nodeSelector":{"a":true,"b":"c"},
		"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"k","operator":"In","values":[5,"v"]}]}]}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	c := l.Cluster()
	var fields []string
	for i := range c.Faults {
		fields = append(fields, c.Faults[i].Err.Field)
	}
	const path = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values[0]"
	if got, want := strings.Join(fields, " "), "metadata.labels.a spec.nodeSelector.a "+path; got != want {
		t.Errorf("faults %s, want %s", got, want)
	}
	want := affinity.Required{NodeSelector: map[string]string{"a": "", "b": "c"}, Terms: []affinity.Term{
		{Expressions: []affinity.Requirement{{Key: "k", Operator: "In", Values: []string{"", "v"}}}},
	}}
	if diff := cmp.Diff(want, c.Pods[0].Affinity); diff != "" {
		t.Error(diff)
	}
}

// Where terms or requirements are given twice, the last ones count; unknown fields of a term are
// ignored.
func TestTermsGivenTwice(t *testing.T) {
	l := manifest.Loader{Placement: true}
	err := l.Read("x", strings.NewReader(`{"kind":"Pod","metadata":{"name":"p"},"spec":{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{
		"nodeSelectorTerms":[{},{"matchFields":[]}],"nodeSelectorTerms":[{"other":[{"a":1}],"matchExpressions":[{"key":"j"}],"matchExpressions":[{"key":"k","operator":"Exists"}]}]}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []affinity.Term{{Expressions: []affinity.Requirement{{Key: "k", Operator: "Exists"}}}}
	if diff := cmp.Diff(want, l.Cluster().Pods[0].Affinity.Terms); diff != "" {
		t.Error(diff)
	}
}

// Pods of a DaemonSet that is in the input have what its template requires: the controller
// put the name of their node in the place of the terms of the template.
func TestTemplate(t *testing.T) {
	const text = `[
		{"kind":"Pod","metadata":{"name":"agent-1","namespace":"k","ownerReferences":[{"kind":"DaemonSet","name":"agent","uid":"u","controller":true}]},"spec":{"nodeName":"n",
			"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]}]}}}}},
		{"kind":"DaemonSet","apiVersion":"apps/v1","metadata":{"name":"agent","namespace":"k","uid":"u"},"spec":{"template":{"spec":{
			"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"arch","operator":"Exists"}]}]}}}}}}},
		{"kind":"Pod","metadata":{"name":"agent-2","namespace":"other","ownerReferences":[{"kind":"DaemonSet","name":"agent","controller":true}]}},
		{"kind":"Pod","metadata":{"name":"web","namespace":"k","ownerReferences":[{"kind":"ReplicaSet","name":"agent","controller":true}]}},
		{"kind":"CronJob","apiVersion":"batch/v1","metadata":{"name":"night","namespace":"k"}},
		{"kind":"Pod","metadata":{"name":"night","namespace":"k","ownerReferences":[{"kind":"CronJob","name":"night","controller":true}]}},
		{"kind":"StatefulSet","apiVersion":"apps/v1","metadata":{"name":"db","namespace":"k"}},
		{"kind":"Pod","metadata":{"name":"db-0","namespace":"k","ownerReferences":[{"kind":"StatefulSet","name":"db","controller":true}]}},
		{"kind":"Job","metadata":{"name":"j","namespace":"k","ownerReferences":[{"kind":"DaemonSet","name":"agent","controller":true}]}},
		{"kind":"ReplicaSet","metadata":{"name":"r","namespace":"k","ownerReferences":[{"kind":"DaemonSet","name":"agent","controller":true}]}}]`
	terms := []affinity.Term{{Expressions: []affinity.Requirement{{Key: "arch", Operator: "Exists"}}}}
	for _, asked := range []bool{false, true} {
		l := manifest.Loader{Placement: asked}
		if err := l.Read("x", strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		want := make(map[string]*affinity.Required)
		if asked {
			want["agent-1"] = &affinity.Required{Terms: terms}
		}
		got := make(map[string]*affinity.Required)
		for _, p := range l.Cluster().Pods {
			if p.Template != nil {
				got[p.Name] = p.Template
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("asked %t: %s", asked, diff)
		}
	}
}
