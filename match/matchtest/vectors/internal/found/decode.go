// Package found turns bytes into questions, for a fuzzer to find vectors with, and says
// what is special about a question.
package found

import (
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The words of questions: small, so that they meet, with near misses of each other.
var (
	keys      = []string{"a", "b", "", "A", "example.com/a", taint.KeyNotReady, taint.KeyUnreachable, "readiness.k8s.io/x", "-"}
	values    = []string{"", "x", "y", "5", "6", "-5", "05", "+5", "10", "0", "-0", "9223372036854775807", "9223372036854775808", "x y"}
	operators = []toleration.Operator{"Exists", "Equal", "", "Gt", "Lt", "In", "exists"}
	effects   = []taint.Effect{"NoSchedule", "NoExecute", "PreferNoSchedule", "", "Odd"}
	seconds   = []int64{0, 5, 300, -1, 9223372036, 9223372037, 18446744074, 1<<63 - 1}
	specs     = []string{"a=x:NoSchedule", "a=y:NoSchedule", "a:NoExecute", "b:PreferNoSchedule", "a-", "b-", "a:NoSchedule-", "a=x:NoExecute-", "a=x-", "a=x", "c=:NoSchedule", "a=x:noSchedule", "-a:NoSchedule", "a=x=y:NoSchedule", "example.com/a:NoExecute"}
	flagItems = []string{"a=x:NoSchedule", "a=y:NoSchedule", "b:NoExecute", "a=:PreferNoSchedule", "a=x", "", "x:odd", "/a:NoSchedule", "a=x y:NoSchedule"}
)

// Kinds is the kinds of questions that are made.
var Kinds = []string{"tolerates", "untolerated", "fits", "verdict", "scores", "evictions", "daemonSet", "kubelet", "defaultTolerationSeconds", "addToleration", "covers", "registerWithTaints", "kubectlTaint", "validateNode", "validatePod", "validatePodUpdate", "deviceTolerates", "deviceAllocatable"}

// reader takes bytes one by one; after the last it takes zeros.
type reader []byte

func (r *reader) number(below int) int {
	if len(*r) == 0 {
		return 0
	}
	n := int((*r)[0]) % below
	*r = (*r)[1:]
	return n
}

func pick[T any](r *reader, words []T) T { return words[r.number(len(words))] }

func (r *reader) taint() taint.Taint {
	return taint.Taint{Key: pick(r, keys), Value: pick(r, values), Effect: pick(r, effects)}
}

func (r *reader) toleration(limits []int64) toleration.Toleration {
	t := toleration.Toleration{Key: pick(r, keys), Operator: pick(r, operators), Value: pick(r, values), Effect: pick(r, effects)}
	if n := r.number(2 * len(limits)); n < len(limits) { // half of them
		t.TolerationSeconds = &limits[n]
	}
	return t
}

func list[T any](r *reader, most int, item func() T) (items []T) {
	for range r.number(most + 1) {
		items = append(items, item())
	}
	return items
}

func (r *reader) node() *canonical.Node {
	return &canonical.Node{Spec: canonical.NodeSpec{Taints: list(r, 3, r.taint)}}
}

func (r *reader) pod(limits []int64) *canonical.Pod {
	item := func() toleration.Toleration { return r.toleration(limits) }
	return &canonical.Pod{Spec: canonical.PodSpec{Tolerations: list(r, 3, item)}}
}

// Question makes a question of bytes.
func Question(data []byte) (ask string, in *canonical.Input) {
	r := reader(data)
	ask, in = pick(&r, Kinds), new(canonical.Input)
	switch ask {
	case "tolerates", "untolerated", "fits", "verdict", "scores", "evictions", "validatePod", "validatePodUpdate":
		if r.number(3) == 1 {
			in.FeatureGates = &canonical.Gates{Comparisons: true}
		}
	}
	r.fill(ask, in)
	return ask, in
}

// fill makes the rest of the input.
func (r *reader) fill(ask string, in *canonical.Input) {
	switch ask {
	case "tolerates":
		t, x := r.toleration(seconds), r.taint()
		in.Toleration, in.Taint = &t, &x
	case "untolerated", "fits", "verdict", "daemonSet", "kubelet":
		in.Pod, in.Node = r.pod(seconds), r.node()
	case "scores":
		in.Pod, in.Nodes = r.pod(seconds[:2]), append(list(r, 2, func() canonical.Node { return *r.node() }), *r.node())
	case "evictions":
		r.events(in)
	case "defaultTolerationSeconds", "validatePod":
		in.Pod = r.pod(seconds)
	case "addToleration":
		t := r.toleration(seconds[:3])
		in.Pod, in.Toleration = r.pod(seconds[:3]), &t
	case "covers":
		in.Tolerations = []toleration.Toleration{r.toleration(seconds[:4]), r.toleration(seconds[:4])}
	case "registerWithTaints":
		text := pick(r, flagItems)
		for range r.number(3) {
			text += "," + pick(r, flagItems)
		}
		in.Flags = &canonical.Flags{RegisterWithTaints: text}
	case "kubectlTaint":
		in.Node = &canonical.Node{Spec: canonical.NodeSpec{Taints: list(r, 3, func() taint.Taint {
			return taint.Taint{Key: keys[r.number(2)], Value: values[r.number(2)], Effect: effects[r.number(3)]}
		})}}
		in.Overwrite = r.number(2) == 1
		in.Args = append(list(r, 2, func() string { return pick(r, specs) }), pick(r, specs))
	case "validateNode":
		in.Node = r.node()
	case "validatePodUpdate":
		in.OldPod, in.Pod = r.pod(seconds[:3]), new(canonical.Pod)
		if r.number(2) == 0 {
			in.Pod.Spec.Tolerations = append(in.Pod.Spec.Tolerations, in.OldPod.Spec.Tolerations...)
		}
		in.Pod.Spec.Tolerations = append(in.Pod.Spec.Tolerations, r.pod(seconds[:3]).Spec.Tolerations...)
	case "deviceTolerates":
		t, x := r.toleration(seconds[:2]), r.taint()
		in.DeviceToleration, in.DeviceTaint = &t, &x
	case "deviceAllocatable":
		in.DeviceTaints = list(r, 3, r.taint)
		in.DeviceTolerations = list(r, 3, func() toleration.Toleration { return r.toleration(seconds[:2]) })
	}
}

// events is a story of two pods and a node.
func (r *reader) events(in *canonical.Input) {
	in.Until = 1000_000
	node := func(taints []taint.Taint) *canonical.Node {
		return &canonical.Node{Metadata: &canonical.Meta{Name: "n"}, Spec: canonical.NodeSpec{Taints: taints}}
	}
	evicting := func() taint.Taint {
		return taint.Taint{Key: keys[r.number(2)], Value: values[r.number(4)], Effect: effects[r.number(2)]}
	}
	pod := func(name string) *canonical.Pod {
		return &canonical.Pod{Metadata: &canonical.Meta{Name: name}, Spec: canonical.PodSpec{NodeName: "n", Tolerations: list(r, 3, func() toleration.Toleration {
			t := toleration.Toleration{Key: keys[r.number(3)], Operator: operators[r.number(4)], Value: values[r.number(4)], Effect: effects[1]}
			if n := r.number(4); n < 3 {
				t.TolerationSeconds = &[]int64{10, 30, 0}[n]
			}
			return t
		})}}
	}
	in.Events = []canonical.Event{{Node: node(nil)}, {At: 1000, Pod: pod("p")}}
	at := int64(1000)
	for range 1 + r.number(4) {
		at += 1000 * int64(1+r.number(20))
		switch r.number(6) {
		case 0, 1, 2:
			in.Events = append(in.Events, canonical.Event{At: at, Node: node(list(r, 2, evicting))})
		case 3:
			in.Events = append(in.Events, canonical.Event{At: at, Pod: pod("p")})
		case 4:
			in.Events = append(in.Events, canonical.Event{At: at, Pod: pod("q")})
		case 5:
			in.Events = append(in.Events, canonical.Event{At: at, DeletePod: "p"})
		}
	}
}
