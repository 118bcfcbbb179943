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
	agent := manifest.Owner{Kind: "DaemonSet", Name: "agent"}
	for name, c := range map[string]struct {
		pod  manifest.Pod
		want policy.Attraction
	}{
		"a DaemonSet":        {manifest.Pod{Object: manifest.Object{Kind: "DaemonSet"}, Attraction: template}, template},
		"its pod":            {manifest.Pod{Owner: agent, Attraction: here, Template: &template}, template},
		"its pod alone":      {manifest.Pod{Owner: agent, Attraction: here}, policy.Attraction{NodeSelector: selector}},
		"a ReplicaSet's pod": {manifest.Pod{Owner: manifest.Owner{Kind: "ReplicaSet", Name: "r"}, Attraction: here}, policy.Attraction{}},
		"another pod":        {manifest.Pod{Attraction: here}, policy.Attraction{}},
		"another workload":   {manifest.Pod{Object: manifest.Object{Kind: "Deployment"}, Attraction: template}, policy.Attraction{}},
	} {
		if got := Attraction(&c.pod); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}
