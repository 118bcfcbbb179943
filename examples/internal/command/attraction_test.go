package command

import (
	"reflect"
	"testing"

	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// What a DaemonSet requires is told by itself, and without it, in part, by its pods.
func TestAttraction(t *testing.T) {
	selector := map[string]string{"a": "b"}
	here := affinity.Required{NodeSelector: selector, Terms: []affinity.Term{{Fields: []affinity.Requirement{{Key: "metadata.name", Operator: "In", Values: []string{"n"}}}}}}
	template := affinity.Required{NodeSelector: selector, Terms: []affinity.Term{{Expressions: []affinity.Requirement{{Key: "zone", Operator: "Exists"}}}}}
	pod := manifest.Object{Kind: "Pod"}
	agent := manifest.Owner{Kind: "DaemonSet", Name: "agent"}
	for name, c := range map[string]struct {
		pod   manifest.Pod
		want  affinity.Required
		whole bool
	}{
		"a DaemonSet":        {manifest.Pod{Object: manifest.Object{Kind: "DaemonSet"}, Affinity: template}, template, true},
		"its pod":            {manifest.Pod{Object: pod, Owner: agent, Affinity: here, Template: &template}, template, true},
		"its pod alone":      {manifest.Pod{Object: pod, Owner: agent, Affinity: here}, affinity.Required{NodeSelector: selector}, false},
		"a ReplicaSet's pod": {manifest.Pod{Object: pod, Owner: manifest.Owner{Kind: "ReplicaSet", Name: "r"}, Affinity: here}, here, true},
		"another pod":        {manifest.Pod{Object: pod, Affinity: here}, here, true},
		"another workload":   {manifest.Pod{Object: manifest.Object{Kind: "Deployment"}, Affinity: template}, template, true},
		"owned, too":         {manifest.Pod{Object: manifest.Object{Kind: "Deployment"}, Owner: agent, Affinity: template}, template, true},
		"owned":              {manifest.Pod{Object: manifest.Object{Kind: "ReplicaSet"}, Owner: agent, Affinity: template}, template, true},
	} {
		if got, whole := Affinity(&c.pod); !reflect.DeepEqual(got, c.want) || whole != c.whole {
			t.Errorf("%s: got %+v, %t, want %+v", name, got, whole, c.want)
		}
	}
}
