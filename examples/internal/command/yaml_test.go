package command

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v2"

	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/toleration"
)

// What is to be copied is YAML, and means the toleration, whatever is in it; that of a taint
// without a value has Exists.
func TestYAML(t *testing.T) {
	seconds := int64(-5)
	all := []toleration.Toleration{{}, {Key: "true"}, {Key: "a b: {c}", Value: "1e3"}, {Key: "1", Operator: "\x00", Effect: "no"}, {Key: "é", Value: "\"", TolerationSeconds: &seconds}, {Operator: toleration.OpExists, Value: "~"}}
	for _, list := range corpus.Tolerations() {
		all = append(all, list.Tolerations...)
	}
	for _, x := range all {
		var items []struct {
			Key, Operator, Value, Effect string
			TolerationSeconds            *int64 `yaml:"tolerationSeconds"`
		}
		if err := yaml.UnmarshalStrict([]byte(YAML(&x)), &items); err != nil || len(items) != 1 {
			t.Errorf("%+v: %s, %v", x, YAML(&x), err)
			continue
		}
		got := toleration.Toleration{Key: items[0].Key, Operator: toleration.Operator(items[0].Operator), Value: items[0].Value, Effect: x.Effect, TolerationSeconds: items[0].TolerationSeconds}
		switch equal := x.Key != "" && (x.Operator == "" || x.Operator == toleration.OpEqual); {
		case equal && x.Value == "":
			x.Operator = toleration.OpExists
		case equal:
			x.Operator = toleration.OpEqual
		}
		if diff := cmp.Diff(x, got); diff != "" || items[0].Effect != string(x.Effect) {
			t.Errorf("%s: %s", YAML(&x), diff)
		}
	}
}
