package command

import (
	"reflect"
	"testing"

	"github.com/tolero-dev/tolero/toleration/manifest"
	"github.com/tolero-dev/tolero/toleration/policy"
)

// What a DaemonSet requires is told by itself, and without it, in part, by its pods.
func TestAttraction(t *testing.T) {
	selector := map[string]string{"a": "b"}
	here := policy.Attraction{NodeSelector: selector, Terms: []policy.Term{{Fields: []policy.Requirement{{Key: "metadata.name", Operator: "In", Values: []string{"n"}}}}}}
	template := policy.Attraction{NodeSelector: selector, Terms: []policy.Term{{Expressions: []policy.Requirement{{Key: "zone", Operator: "Exists"}}}}}
	pod := manifest.Object{Kind: "Pod"}
	agent := manifest.Owner{Kind: "DaemonSet", Name: "agent"}
	for name, c := range map[string]struct {
		pod   manifest.Pod
		want  policy.Attraction
		whole bool
	}{
		"a DaemonSet":        {manifest.Pod{Object: manifest.Object{Kind: "DaemonSet"}, Attraction: template}, template, true},
		"its pod":            {manifest.Pod{Object: pod, Owner: agent, Attraction: here, Template: &template}, template, true},
		"its pod alone":      {manifest.Pod{Object: pod, Owner: agent, Attraction: here}, policy.Attraction{NodeSelector: selector}, false},
		"a ReplicaSet's pod": {manifest.Pod{Object: pod, Owner: manifest.Owner{Kind: "ReplicaSet", Name: "r"}, Attraction: here}, here, true},
		"another pod":        {manifest.Pod{Object: pod, Attraction: here}, here, true},
		"another workload":   {manifest.Pod{Object: manifest.Object{Kind: "Deployment"}, Attraction: template}, template, true},
		"owned, too":         {manifest.Pod{Object: manifest.Object{Kind: "Deployment"}, Owner: agent, Attraction: template}, template, true},
		"owned":              {manifest.Pod{Object: manifest.Object{Kind: "ReplicaSet"}, Owner: agent, Attraction: template}, template, true},
	} {
		if got, whole := Attraction(&c.pod); !reflect.DeepEqual(got, c.want) || whole != c.whole {
			t.Errorf("%s: got %+v, %t, want %+v", name, got, whole, c.want)
		}
	}
}
