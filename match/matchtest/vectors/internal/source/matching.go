package source

import (
	"time"

	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// one asks about one toleration and one taint, with the feature gate on or off.
func (l *list) one(rules, about string, gates *canonical.Gates, t toleration.Toleration, x taint.Taint) {
	l.add(rules, "tolerates", about, canonical.Input{FeatureGates: gates, Toleration: &t, Taint: &x})
}

// matching is about rules M and N: one toleration, one taint.
func matching(l *list) {
	type T = toleration.Toleration
	type X = taint.Taint
	seconds := func(n int64) *int64 { return &n }
	ax := X{Key: "a", Value: "x", Effect: "NoSchedule"}
	l.one("M1", "all the same", nil, T{Key: "a", Operator: "Equal", Value: "x", Effect: "NoSchedule"}, ax)
	l.one("M1", "another effect", nil, T{Key: "a", Operator: "Equal", Value: "x", Effect: "NoExecute"}, ax)
	l.one("M1", "another key", nil, T{Key: "b", Operator: "Equal", Value: "x", Effect: "NoSchedule"}, ax)
	l.one("M1", "another key with Exists", nil, T{Key: "b", Operator: "Exists", Effect: "NoSchedule"}, ax)
	l.one("M1", "a key that begins the same", nil, T{Key: "a", Operator: "Exists"}, X{Key: "aa", Effect: "NoSchedule"})
	l.one("M1 M2", "keys in another case", nil, T{Key: "A", Operator: "Exists"}, ax)
	l.one("M1", "an empty effect", nil, T{Key: "a", Operator: "Equal", Value: "x"}, ax)
	l.one("M1", "an empty key", nil, T{Operator: "Exists", Effect: "NoSchedule"}, ax)
	l.one("M1", "an effect for a taint without one", nil, T{Key: "a", Operator: "Exists", Effect: "NoSchedule"}, X{Key: "a"})
	l.one("M1", "a key for a taint without one", nil, T{Key: "a", Operator: "Exists"}, X{Effect: "NoSchedule"})
	l.one("M2", "another value", nil, T{Key: "a", Operator: "Equal", Value: "y", Effect: "NoSchedule"}, ax)
	l.one("M2", "Exists matches every value", nil, T{Key: "a", Operator: "Exists", Effect: "NoSchedule"}, ax)
	l.one("M2", "Exists ignores its own value", nil, T{Key: "a", Operator: "Exists", Value: "y"}, ax)
	l.one("M2", "an empty operator is Equal, same value", nil, T{Key: "a", Value: "x"}, ax)
	l.one("M2", "an empty operator is Equal, other value", nil, T{Key: "a", Value: "y"}, ax)
	l.one("M2", "an unknown operator", nil, T{Key: "a", Operator: "In", Value: "x"}, ax)
	l.one("M2", "an operator in another case", nil, T{Key: "a", Operator: "exists"}, ax)
	l.one("M2", "a value in another case", nil, T{Key: "a", Value: "X"}, ax)
	l.one("M2", "an empty value and one that is not", nil, T{Key: "a", Operator: "Equal"}, ax)
	l.one("M2", "two empty values", nil, T{Key: "a", Operator: "Equal"}, X{Key: "a", Effect: "NoSchedule"})
	l.one("M3", "Exists alone matches everything", nil, T{Operator: "Exists"}, ax)
	l.one("M3", "Exists without key needs the effect", nil, T{Operator: "Exists", Effect: "NoExecute"}, ax)
	l.one("M3 M5", "an empty effect matches an unknown one", nil, T{Key: "a", Operator: "Exists"}, X{Key: "a", Effect: "NoScheduleNoAdmit"})
	l.one("M3", "an empty effect matches an empty one", nil, T{Key: "a", Operator: "Exists"}, X{Key: "a"})
	l.one("M4", "the zero toleration and an empty value", nil, T{}, X{Key: "a", Effect: "NoSchedule"})
	l.one("M4", "the zero toleration and a value", nil, T{}, ax)
	l.one("M4", "Equal without key", nil, T{Operator: "Equal", Value: "x"}, ax)
	l.one("M4 N1", "Gt without key", on, T{Operator: "Gt", Value: "5"}, X{Key: "any", Value: "6", Effect: "NoSchedule"})
	l.one("M5", "the same unknown effect", nil, T{Key: "a", Operator: "Exists", Effect: "Odd"}, X{Key: "a", Effect: "Odd"})
	l.one("M5", "different unknown effects", nil, T{Key: "a", Operator: "Exists", Effect: "Odd"}, X{Key: "a", Effect: "odd"})
	at := &taint.Time{Time: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	l.one("M6", "seconds that are over", nil, T{Key: "a", Operator: "Exists", Effect: "NoExecute", TolerationSeconds: seconds(0)}, X{Key: "a", Effect: "NoExecute", TimeAdded: at})
	l.one("M6", "negative seconds", nil, T{Key: "a", Operator: "Exists", TolerationSeconds: seconds(-5)}, ax)
	l.one("M6", "a taint with a time", nil, T{Key: "a", Value: "x"}, X{Key: "a", Value: "x", Effect: "NoSchedule", TimeAdded: at})

	number := func(rules, about string, op toleration.Operator, bound, value string) {
		l.one(rules, about, on, T{Key: "a", Operator: op, Value: bound}, X{Key: "a", Value: value, Effect: "NoSchedule"})
	}
	number("N1", "greater", "Gt", "5", "6")
	number("N1", "equal is not greater", "Gt", "5", "5")
	number("N1", "less is not greater", "Gt", "5", "4")
	number("N1", "less", "Lt", "5", "4")
	number("N1", "equal is not less", "Lt", "5", "5")
	number("N1", "greater is not less", "Lt", "5", "6")
	number("N1", "numbers and not texts", "Gt", "9", "10")
	number("N1", "numbers and not texts, less", "Lt", "10", "9")
	number("N1", "zero", "Gt", "0", "1")
	number("N1", "zero as the taint's", "Lt", "1", "0")
	number("N1", "64 bits", "Gt", "9223372036854775806", "9223372036854775807")
	number("N1", "beyond a double's precision", "Gt", "9007199254740992", "9007199254740993")
	number("N1 N3", "the least number", "Gt", "-9223372036854775808", "-9223372036854775807")
	for _, bad := range []struct{ about, text string }{
		{"empty", ""}, {"minus", "-"}, {"minus zero", "-0"}, {"two zeros", "00"}, {"a leading zero", "07"}, {"a plus", "+7"}, {"a space", " 7"},
		{"a space after", "7 "}, {"a fraction", "7.0"}, {"an exponent", "7e0"}, {"hexadecimal", "0x7"}, {"an underscore", "7_0"}, {"too great", "9223372036854775808"},
		{"20 digits", "10000000000000000000"}, {"2^64 + 7", "18446744073709551623"}, {"too small", "-9223372036854775809"}, {"no number", "x"}, {"Arabic digits", "٧"},
		{"a leading minus and zero", "-07"}, {"two minus", "--7"},
	} {
		number("N2", "the taint's value is "+bad.about, "Gt", "-9223372036854775808", bad.text)
		number("N2", "the toleration's value is "+bad.about, "Gt", bad.text, "9223372036854775807")
		number("N2", "less than "+bad.about, "Lt", bad.text, "-9223372036854775808")
	}
	number("N2", "the greatest is a number", "Gt", "5", "9223372036854775807")
	number("N2", "the least is a number", "Lt", "5", "-9223372036854775808")
	number("N3", "negative and positive", "Gt", "-1", "0")
	number("N3", "two negative", "Lt", "-1", "-2")
	number("N3", "two negative, greater", "Gt", "-2", "-1")
	number("N3", "negative texts sort the other way", "Gt", "-10", "-9")
	l.one("N1 M1", "Gt and another effect", on, T{Key: "a", Operator: "Gt", Value: "5", Effect: "NoExecute"}, X{Key: "a", Value: "6", Effect: "NoSchedule"})
	l.one("N1 M1", "Gt and another key", on, T{Key: "b", Operator: "Gt", Value: "5"}, X{Key: "a", Value: "6", Effect: "NoSchedule"})
	l.one("N4", "Gt with the gate off", nil, T{Key: "a", Operator: "Gt", Value: "5"}, X{Key: "a", Value: "6", Effect: "NoSchedule"})
	l.one("N4", "Lt with the gate off", nil, T{Key: "a", Operator: "Lt", Value: "5"}, X{Key: "a", Value: "4", Effect: "NoSchedule"})
	l.one("N4 M2", "Gt is not Equal with the gate off", nil, T{Key: "a", Operator: "Gt", Value: "5"}, X{Key: "a", Value: "5", Effect: "NoSchedule"})
	l.one("N4 M2", "operators in another case are no numbers", on, T{Key: "a", Operator: "gt", Value: "5"}, X{Key: "a", Value: "6", Effect: "NoSchedule"})
}

// lists is about rules F: a node's taints and a pod's tolerations.
func lists(l *list) {
	for _, c := range []struct{ rules, about, pods, nodes string }{
		{"F1", "no taints", "a", ""},
		{"F1", "no tolerations", "", "a:NoSchedule,b:NoExecute"},
		{"F1", "some toleration is enough", "b,a", "a:NoSchedule,b:NoExecute"},
		{"F1", "the last of three tolerations", "x,y,a", "a:NoSchedule"},
		{"F1 F3", "the order of the node", "b", "c:NoExecute,b:NoSchedule,a:NoSchedule"},
		{"F1 M3", "everything", "*", "c:NoExecute,b:NoSchedule,a:Odd"},
		{"F1", "the same taint twice", "b", "a:NoSchedule,a:NoSchedule"},
		{"F1 M5", "effects of every kind", "", "a:NoSchedule,a:PreferNoSchedule,a:NoExecute,a:Odd"},
		{"F1 N4", "Gt with the gate off", "a>5", "a=6:NoSchedule"},
		{"F1 M1", "one effect of a key", "a:NoSchedule", "a:NoSchedule,a:NoExecute"},
	} {
		l.add(c.rules, "untolerated", c.about, pair(c.pods, c.nodes))
	}
	l.add("F1 N1", "untolerated", "Gt with the gate on", gated("a>5", "a=6:NoSchedule,a=5:NoSchedule"))
	for _, c := range []struct{ rules, about, pods, nodes string }{
		{"F2", "no taints", "", ""},
		{"F2", "NoSchedule", "", "a:NoSchedule"},
		{"F2", "NoExecute keeps a pod out too", "", "a:NoExecute"},
		{"F2", "PreferNoSchedule keeps nobody out", "", "a:PreferNoSchedule"},
		{"F2 M5", "an unknown effect keeps nobody out", "", "a:Odd"},
		{"F2", "tolerated", "a", "a:NoSchedule"},
		{"F2", "tolerated for one effect only", "a:NoSchedule", "a:NoSchedule,a:NoExecute"},
		{"F3", "the first of two", "", "a:PreferNoSchedule,b:NoExecute,c:NoSchedule"},
		{"F3", "the first that is not tolerated", "a", "a:NoSchedule,c:NoSchedule,b:NoSchedule"},
		{"F5", "the example of the documents", "key1=value1:NoSchedule,key1=value1:NoExecute", "key1=value1:NoSchedule,key1=value1:NoExecute,key2=value2:NoSchedule"},
		{"F2 N4", "Gt with the gate off", "cores>4", "cores=8:NoSchedule"},
		{"F2", "NoSchedule comes first", "", "a:NoSchedule,b:NoExecute"},
		{"F1 M3", "everything tolerated on a node with two taints", "*", "a:NoSchedule,b:NoExecute"},
		{"F2", "a node that starts", "", "node.kubernetes.io/not-ready:NoSchedule"},
		{"F2", "a startup taint of node readiness", "", "readiness.k8s.io/network:NoSchedule"},
		{"F2", "a taint of the cluster autoscaler", "", "ToBeDeletedByClusterAutoscaler=1:NoSchedule"},
		{"F2", "a node under memory pressure", "", "node.kubernetes.io/memory-pressure:NoSchedule"},
		{"F2 F3", "a status taint before another", "", "node.kubernetes.io/disk-pressure:NoSchedule,a:NoExecute"},
		{"F2", "a startup taint of the cluster autoscaler", "", "startup-taint.cluster-autoscaler.kubernetes.io/a:NoSchedule"},
	} {
		l.add(c.rules, "fits", c.about, pair(c.pods, c.nodes))
	}
	l.add("F2 N1", "fits", "Gt with the gate on", gated("cores>4", "cores=8:NoSchedule"))
	l.add("F2 N1", "fits", "Lt with the gate on", gated("cores<4", "cores=8:NoSchedule"))

	for _, c := range []struct{ rules, about, pods, nodes string }{
		{"F2", "nothing", "", ""},
		{"F2", "avoid", "", "a:PreferNoSchedule"},
		{"F2 F3", "the first PreferNoSchedule", "a", "a:PreferNoSchedule,b:PreferNoSchedule"},
		{"F2 F3", "a hard one after a soft one", "", "a:PreferNoSchedule,b:NoSchedule"},
		{"F5 E1", "may not come but may stay", "key1=value1:NoSchedule,key1=value1:NoExecute", "key1=value1:NoSchedule,key1=value1:NoExecute,key2=value2:NoSchedule"},
		{"E1", "an untolerated NoExecute evicts at once", "", "a:NoExecute"},
		{"E1", "NoSchedule evicts nobody", "", "a:NoSchedule"},
		{"E1", "PreferNoSchedule evicts nobody", "", "a:PreferNoSchedule"},
		{"E1 F3", "the second is not tolerated", "a:NoExecute@10", "a:NoExecute,b:NoExecute"},
		{"E1", "an empty effect covers NoExecute", "a", "a:NoExecute"},
		{"E2", "seconds", "a:NoExecute@300", "a:NoExecute"},
		{"E2", "no seconds are forever", "a:NoExecute", "a:NoExecute"},
		{"E2", "zero seconds", "a:NoExecute@0", "a:NoExecute"},
		{"E2", "negative seconds", "a:NoExecute@-7", "a:NoExecute"},
		{"E2", "the first match counts, less first", "a:NoExecute@10,a:NoExecute@20", "a:NoExecute"},
		{"E2", "the first match counts, more first", "a:NoExecute@20,a:NoExecute@10", "a:NoExecute"},
		{"E2", "the first match counts, forever first", "a:NoExecute,a:NoExecute@10", "a:NoExecute"},
		{"E2", "the first match counts, forever last", "a:NoExecute@10,a:NoExecute", "a:NoExecute"},
		{"E2", "the least over two taints", "a:NoExecute@20,b:NoExecute@10", "a:NoExecute,b:NoExecute"},
		{"E2", "the least over two taints, first one", "a:NoExecute@10,b:NoExecute@20", "a:NoExecute,b:NoExecute"},
		{"E2", "forever and some time", "a:NoExecute,b:NoExecute@10", "a:NoExecute,b:NoExecute"},
		{"E2 F3", "two taints with the same time", "a:NoExecute@10,b:NoExecute@10", "b:NoExecute,a:NoExecute"},
		{"E2", "a toleration that does not match is passed over", "b:NoExecute@5,a=y:NoExecute@6,a:NoExecute@7", "a=x:NoExecute"},
		{"E3", "the most seconds that fit", "a:NoExecute@9223372036", "a:NoExecute"},
		{"E3", "one second more", "a:NoExecute@9223372037", "a:NoExecute"},
		{"E3", "around once", "a:NoExecute@18446744074", "a:NoExecute"},
		{"E3", "the greatest number", "a:NoExecute@9223372036854775807", "a:NoExecute"},
		{"E3", "the least number", "a:NoExecute@-9223372036854775808", "a:NoExecute"},
		{"E3 F3", "two taints with times that are too long", "a:NoExecute@20000000000,b:NoExecute@10000000000", "a:NoExecute,b:NoExecute"},
		{"E3", "two times that are too long, of which the greater comes around", "a:NoExecute@18446744074,b:NoExecute@9223372037", "a:NoExecute,b:NoExecute"},
		{"E2 E3", "a short time, and one that comes around", "a:NoExecute@18446744074,b:NoExecute@60", "a:NoExecute,b:NoExecute"},
		{"E2 F3", "two taints that evict at once", "a:NoExecute@0,b:NoExecute@-7", "a:NoExecute,b:NoExecute"},
		{"N4 E1", "Gt with the gate off evicts", "a>5", "a=6:NoExecute"},
	} {
		l.add(c.rules, "verdict", c.about, pair(c.pods, c.nodes))
	}
	l.add("N1 E2", "verdict", "Gt with the gate on", gated("a>5:NoExecute@60", "a=6:NoExecute"))

	for _, c := range []struct {
		rules, about, pods string
		nodes              []string
	}{
		{"F4", "no soft taints", "", []string{"", "a:NoSchedule"}},
		{"F4", "one of two", "", []string{"a:PreferNoSchedule", ""}},
		{"F4", "thirds are rounded down", "", []string{"a:PreferNoSchedule", "a:PreferNoSchedule,b:PreferNoSchedule", "a:PreferNoSchedule,b:PreferNoSchedule,c:PreferNoSchedule", ""}},
		{"F4", "duplicates count", "", []string{"a:PreferNoSchedule,a:PreferNoSchedule", "a:PreferNoSchedule"}},
		{"F4", "tolerated ones do not count", "a:PreferNoSchedule", []string{"a:PreferNoSchedule", "a:PreferNoSchedule,b:PreferNoSchedule"}},
		{"F4 M3", "an empty effect tolerates soft taints", "a", []string{"a:PreferNoSchedule", "b:PreferNoSchedule"}},
		{"F4", "a toleration of NoSchedule is not for soft taints", "a:NoSchedule", []string{"a:PreferNoSchedule", ""}},
		{"F4", "hard taints do not count", "", []string{"a:NoSchedule,b:NoExecute", "a:PreferNoSchedule"}},
		{"F4", "one node", "", []string{"a:PreferNoSchedule"}},
		{"F4", "sevenths", "", []string{"a:PreferNoSchedule", "a:PreferNoSchedule,b:PreferNoSchedule,c:PreferNoSchedule,d:PreferNoSchedule,e:PreferNoSchedule,f:PreferNoSchedule,g:PreferNoSchedule"}},
	} {
		in := canonical.Input{Pod: pod(c.pods)}
		for _, text := range c.nodes {
			in.Nodes = append(in.Nodes, *node(text))
		}
		l.add(c.rules, "scores", c.about, in)
	}

	for _, c := range []struct {
		about, pods string
		cordoned    bool
	}{
		{"not cordoned", "", false},
		{"cordoned", "", true},
		{"cordoned and tolerated", "node.kubernetes.io/unschedulable:NoSchedule", true},
		{"cordoned and tolerated with Equal", "node.kubernetes.io/unschedulable=:NoSchedule", true},
		{"cordoned and tolerated with a value", "node.kubernetes.io/unschedulable=x:NoSchedule", true},
		{"cordoned and tolerated for NoExecute", "node.kubernetes.io/unschedulable:NoExecute", true},
		{"cordoned and everything tolerated", "*", true},
	} {
		in := pair(c.pods, "")
		in.Node.Spec.Unschedulable = c.cordoned
		l.add("F7", "cordon", c.about, in)
	}

	for _, c := range []struct{ about, pods, nodes string }{
		{"NoExecute refuses", "", "a:NoExecute"},
		{"NoSchedule does not matter", "", "a:NoSchedule"},
		{"tolerated", "a:NoExecute", "a:NoExecute"},
		{"zero seconds tolerate", "a:NoExecute@0", "a:NoExecute"},
		{"tolerated for NoSchedule only", "a:NoSchedule", "a:NoExecute"},
	} {
		l.add("F6", "kubelet", c.about, pair(c.pods, c.nodes))
	}
	in := pair("", "a:NoExecute")
	in.Pod.Metadata = &canonical.Meta{Annotations: map[string]string{"kubernetes.io/config.source": "file"}}
	l.add("F6", "kubelet", "a static pod", in)

	for _, c := range []struct{ about, pods, nodes string }{
		{"no taints", "", ""},
		{"NoSchedule", "", "a:NoSchedule"},
		{"NoExecute", "", "a:NoExecute"},
		{"PreferNoSchedule", "", "a:PreferNoSchedule"},
		{"both tolerated", "a", "a:NoSchedule,a:NoExecute"},
		{"NoExecute tolerated", "a:NoExecute", "a:NoSchedule,a:NoExecute"},
		{"NoSchedule tolerated", "a:NoSchedule", "a:NoSchedule,a:NoExecute"},
	} {
		l.add("F8", "daemonSet", c.about, pair(c.pods, c.nodes))
	}
}
