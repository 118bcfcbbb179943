package source

import (
	"strings"
	"time"

	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func timeAt(second int64) *taint.Time {
	return &taint.Time{Time: canonical.Start.Add(time.Duration(second) * time.Second)}
}

// validation is about rules V, and N5.
func validation(l *list) {
	type X = taint.Taint
	long := strings.Repeat("x", 64)
	for _, c := range []struct {
		about string
		list  []X
	}{
		{"valid", taints("a=x:NoSchedule,example.com/a:NoExecute,a=x:PreferNoSchedule")},
		{"no key", []X{{Effect: "NoSchedule"}}},
		{"no effect", []X{{Key: "a"}}},
		{"an unknown effect", []X{{Key: "a", Effect: "noSchedule"}}},
		{"a malformed key", []X{{Key: "-a", Effect: "NoSchedule"}}},
		{"two slashes", []X{{Key: "a/b/c", Effect: "NoSchedule"}}},
		{"a prefix in capitals", []X{{Key: "A.com/b", Effect: "NoSchedule"}}},
		{"a name of 63", []X{{Key: long[1:], Effect: "NoSchedule"}}},
		{"a name of 64", []X{{Key: long, Effect: "NoSchedule"}}},
		{"a malformed value", []X{{Key: "a", Value: "x y", Effect: "NoSchedule"}}},
		{"a value of 64", []X{{Key: "a", Value: long, Effect: "NoSchedule"}}},
		{"a value that ends in a dot", []X{{Key: "a", Value: "x.", Effect: "NoSchedule"}}},
		{"the same key and effect", taints("a=x:NoSchedule,a=y:NoSchedule")},
		{"all faults", []X{{Key: "-", Value: "-", Effect: "-"}, {Key: "a", Effect: "NoSchedule"}, {}}},
	} {
		l.add("V1 V4", "validateNode", c.about, canonical.Input{Node: &canonical.Node{Spec: canonical.NodeSpec{Taints: c.list}}})
	}

	type T = toleration.Toleration
	seconds := func(n int64) *int64 { return &n }
	for _, c := range []struct {
		about string
		gates *canonical.Gates
		list  []T
	}{
		{"valid", nil, []T{{Key: "a", Operator: "Exists"}, {Operator: "Exists"}, {Key: "a", Value: "x", Effect: "NoExecute", TolerationSeconds: seconds(-1)}}},
		{"an empty key with Equal", nil, []T{{Operator: "Equal", Value: "x"}}},
		{"an empty key and operator", nil, []T{{}}},
		{"a malformed key", nil, []T{{Key: "a b", Operator: "Exists"}}},
		{"a value with Exists", nil, []T{{Key: "a", Operator: "Exists", Value: "x"}}},
		{"a malformed value", nil, []T{{Key: "a", Operator: "Equal", Value: "x y"}}},
		{"an unknown operator", nil, []T{{Key: "a", Operator: "In"}}},
		{"an unknown effect", nil, []T{{Key: "a", Operator: "Exists", Effect: "All"}}},
		{"seconds without NoExecute", nil, []T{{Key: "a", Operator: "Exists", Effect: "NoSchedule", TolerationSeconds: seconds(5)}}},
		{"seconds without an effect", nil, []T{{Key: "a", Operator: "Exists", TolerationSeconds: seconds(5)}}},
		{"Gt with the gate off", nil, []T{{Key: "a", Operator: "Gt", Value: "5"}}},
		{"Gt with the gate on", on, []T{{Key: "a", Operator: "Gt", Value: "5"}}},
		{"Gt with a leading zero", on, []T{{Key: "a", Operator: "Gt", Value: "05"}}},
		{"Lt with a negative number", on, []T{{Key: "a", Operator: "Lt", Value: "-5"}}},
		{"Lt with a number that is too great", on, []T{{Key: "a", Operator: "Lt", Value: "9223372036854775808"}}},
		{"Gt without a key", on, []T{{Operator: "Gt", Value: "5"}}},
		{"all faults", nil, []T{{Key: "-", Operator: "-", Value: "-", Effect: "-", TolerationSeconds: seconds(1)}, {Key: "a", Operator: "Exists"}, {Value: "x"}}},
		{"the same twice", nil, []T{{Key: "a", Operator: "Exists"}, {Key: "a", Operator: "Exists"}}},
	} {
		l.add("V2 V4", "validatePod", c.about, canonical.Input{FeatureGates: c.gates, Pod: &canonical.Pod{Spec: canonical.PodSpec{Tolerations: c.list}}})
	}
	for _, c := range []struct {
		rules, about string
		gates        *canonical.Gates
		old, updated string
	}{
		{"V3", "the same", nil, "a", "a"}, {"V3", "one more", nil, "a", "a,b"}, {"V3", "another order", nil, "a,b", "b,a"}, {"V3", "one fewer", nil, "a,b", "a"}, {"V3", "other seconds", nil, "a:NoExecute@5", "a:NoExecute@7"},
		{"V3", "no seconds any more", nil, "a:NoExecute@5", "a:NoExecute"}, {"V3", "another value", nil, "a=x", "a=y"}, {"V3", "another operator", nil, "a=x", "a==x"}, {"V3 V2", "a new one that is not valid", nil, "a", "a,a?In x"},
		{"N5 V2", "a new Gt with the gate off", nil, "a", "a,b>5"}, {"N5", "a new Gt where the old pod has an Lt", nil, "a<5", "a<5,b>5"}, {"N5", "a new Gt with the gate on", on, "a", "a,b>5"}, {"N5", "an old Gt with the gate off", nil, "a>5", "a>5"},
	} {
		l.add(c.rules, "validatePodUpdate", c.about, canonical.Input{FeatureGates: c.gates, OldPod: pod(c.old), Pod: pod(c.updated)})
	}
}

// changes is about rules K.
func changes(l *list) {
	for _, c := range []struct {
		rules, about, taints string
		overwrite            bool
		args                 string
	}{
		{"K1", "add with a value", "", false, "a=x:NoSchedule"},
		{"K1", "add without a value", "", false, "a:NoSchedule"},
		{"K1", "add with an empty value", "", false, "a=:NoSchedule"},
		{"K1", "remove a key", "a=x:NoSchedule,b:NoSchedule,a:NoExecute", false, "a-"},
		{"K1", "remove a key and effect", "a=x:NoSchedule,a:NoExecute", false, "a:NoSchedule-"},
		{"K1", "remove, the value is ignored", "a=x:NoSchedule", false, "a=y:NoSchedule-"},
		{"K1", "remove a value without an effect", "a=x:NoSchedule", false, "a=x-"},
		{"K1", "add without an effect", "", false, "a=x"},
		{"K1 K2", "add and remove different ones", "b:NoSchedule", false, "a=x:NoSchedule b-"},
		{"K2", "an unknown effect", "", false, "a=x:noSchedule"},
		{"K2", "a malformed key", "", false, "-a=x:NoSchedule"},
		{"K2", "a malformed value", "", false, "a=x_:NoSchedule"},
		{"K2", "the same twice", "", false, "a=x:NoSchedule a=y:NoSchedule"},
		{"K2", "two effects", "", false, "a=x:NoSchedule a=y:NoExecute"},
		{"K2", "add and remove the same", "a:NoSchedule", true, "a=x:NoSchedule a:NoSchedule-"},
		{"K2", "add and remove its key", "a:NoSchedule", true, "a=x:NoSchedule a-"},
		{"K3", "there already", "a=x:NoSchedule", false, "a=y:NoSchedule"},
		{"K3", "there already with the same value", "a=x:NoSchedule", false, "a=x:NoSchedule"},
		{"K3", "overwrite", "b:NoSchedule,a=x:NoSchedule", true, "a=y:NoSchedule"},
		{"K3", "another effect", "a=x:NoSchedule", false, "a=x:NoExecute"},
		{"K3", "remove what is not there", "a=x:NoSchedule", false, "b-"},
		{"K3", "remove an effect that is not there", "a=x:NoSchedule", false, "a:NoExecute-"},
		{"K4", "in front", "old:NoSchedule", false, "new:NoExecute"},
		{"K4", "two in front, and one gone", "old:NoSchedule,a:NoSchedule", true, "new:NoExecute a- b=y:NoSchedule"},
	} {
		l.add(c.rules, "kubectlTaint", c.about, canonical.Input{Node: node(c.taints), Overwrite: c.overwrite, Args: strings.Fields(c.args)})
	}
}
