package upstream

import (
	"encoding/json"
	"testing"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/kube/scheduler"
	"github.com/tolero-dev/tolero/taint"
)

// hints returns the hint functions of a plugin: for nodes and for the pod itself.
func hints(tb rapid.TB, plugin fwk.EnqueueExtensions) (node, pod fwk.QueueingHintFn) {
	tb.Helper()
	events, err := plugin.EventsToRegister(quietly())
	if err != nil || len(events) != 2 || events[0].Event.Resource != fwk.Node || events[1].Event.Resource != fwk.TargetPod {
		tb.Fatalf("other events than expected: %v, %v", events, err)
	}
	return events[0].QueueingHintFn, events[1].QueueingHintFn
}

// ask returns what a hint function says, and fails on an error.
func ask(tb rapid.TB, hint fwk.QueueingHintFn, pod *v1.Pod, before, after any) fwk.QueueingHint {
	tb.Helper()
	answer, err := hint(quiet, pod, before, after)
	if err != nil {
		tb.Fatal(err)
	}
	return answer
}

// TestPluginEvents: the plugin registers the events that both in-tree ones do.
func TestPluginEvents(t *testing.T) {
	p := newPlugins(t, scheduler.Args{})
	ours, _ := p.ours.EventsToRegister(quietly())
	for _, theirs := range []fwk.EnqueueExtensions{p.taints, p.cordon} {
		events, _ := theirs.EventsToRegister(quietly())
		for i := range events {
			if got, want := ours[i].Event, events[i].Event; got != want {
				t.Errorf("event %d: %v, want %v", i, got, want)
			}
		}
	}
}

// compareNodeHint: a pod is woken exactly when the in-tree plugins refused the old
// node and take the new one. On nodes without a cordon that is what TaintToleration
// says; with one, the in-tree plugins wake it then, and more often.
func (p plugins) compareNodeHint(tb rapid.TB, pod *v1.Pod, before, after *v1.Node) {
	tb.Helper()
	ours, _ := hints(tb, p.ours)
	taints, _ := hints(tb, p.taints)
	cordon, _ := hints(tb, p.cordon)
	old := any(before)
	refused := before == nil
	if before == nil {
		old = nil
	} else {
		refused = !p.filter(pod, nodeInfo(before)).IsSuccess()
	}
	got := ask(tb, ours, pod, old, after)
	if want := refused && p.filter(pod, nodeInfo(after)).IsSuccess(); want != (got == fwk.Queue) {
		tb.Fatalf("%v: from %v to %v: %v, want to be woken: %t", pod.Spec.Tolerations, before, after.Spec, got, want)
	}
	theirs := ask(tb, taints, pod, old, after)
	if before == nil && !after.Spec.Unschedulable || before != nil && !before.Spec.Unschedulable && !after.Spec.Unschedulable {
		if got != theirs {
			tb.Fatalf("%v: from %v to %v: %v, want %v", pod.Spec.Tolerations, before, after.Spec, got, theirs)
		}
	}
	if got == fwk.Queue && theirs != fwk.Queue && ask(tb, cordon, pod, old, after) != fwk.Queue {
		tb.Fatalf("%v: from %v to %v: the in-tree plugins let it sleep", pod.Spec.Tolerations, before, after.Spec)
	}
}

func TestF7PluginNodeHint(t *testing.T) {
	nodes := nodeInfos(listsUpTo(1, mustTaints("a=5:NoSchedule", "a:NoExecute", "b:PreferNoSchedule", taint.KeyUnschedulable+":NoSchedule")))
	for _, info := range nodeInfos([][]taint.Taint{nil, mustTaints("a=5:NoSchedule"), mustTaints(taint.KeyUnschedulable + ":NoSchedule")}) {
		info.Node().Spec.Unschedulable = true
		nodes = append(nodes, info)
	}
	pods := listsUpTo(2, mustTolerations("a:NoSchedule,a:NoExecute,a>4,b,*:NoSchedule,"+taint.KeyUnschedulable))
	forEachGate(t, func(t *testing.T) {
		p := newPlugins(t, scheduler.Args{})
		for _, tolerations := range pods {
			pod := newPod(0, tolerations)
			for _, after := range nodes {
				p.compareNodeHint(t, pod, nil, after.Node())
				for _, before := range nodes {
					p.compareNodeHint(t, pod, before.Node(), after.Node())
				}
			}
		}
	})
}

func TestPluginNodeHintGenerated(t *testing.T) {
	forEachGate(t, func(t *testing.T) {
		p := newPlugins(t, scheduler.Args{})
		rapid.Check(t, func(t *rapid.T) {
			nodes := nodeInfos([][]taint.Taint{taintLists.Draw(t, "before"), taintLists.Draw(t, "after")})
			before, after := nodes[0].Node(), nodes[1].Node()
			before.Spec.Unschedulable = rapid.Bool().Draw(t, "cordoned before")
			after.Spec.Unschedulable = rapid.Bool().Draw(t, "cordoned after")
			p.compareNodeHint(t, newPod(0, tolerationLists.Draw(t, "tolerations")), before, after)
		})
	})
}

// TestM6PluginTolerationHint: a pod that gets tolerations is woken whenever that lets
// it pass the in-tree plugins on some node, and never when they say not to.
func TestM6PluginTolerationHint(t *testing.T) {
	forEachGate(t, func(t *testing.T) {
		p := newPlugins(t, scheduler.Args{})
		_, ours := hints(t, p.ours)
		_, theirs := hints(t, p.taints)
		rapid.Check(t, func(t *rapid.T) {
			old := tolerationLists.Draw(t, "old")
			before := newPod(0, old)
			after := newPod(0, append(old[:len(old):len(old)], tolerationLists.Draw(t, "added")...))
			got, want := ask(t, ours, after, before, after), ask(t, theirs, after, before, after)
			if got == fwk.Queue && want != fwk.Queue {
				t.Fatal("woken, although the in-tree plugin lets it sleep")
			}
			for _, info := range cordonedInfos(rapid.SliceOfN(taintLists, 1, 3).Draw(t, "nodes")) {
				if got == fwk.QueueSkip && !p.filter(before, info).IsSuccess() && p.filter(after, info).IsSuccess() {
					t.Fatalf("left asleep, although it fits %v now", info.Node().Spec)
				}
			}
		})
	})
}

// TestPluginSignsForItself: the framework puts the fragments of all plugins into one
// map. A plugin that is enabled beside the in-tree one must not take its place there.
func TestPluginSignsForItself(t *testing.T) {
	p := newPlugins(t, scheduler.Args{})
	ours, _ := p.ours.SignPod(quietly(), newPod(0, nil))
	for _, in := range []fwk.SignPlugin{p.taints, p.cordon} {
		theirs, _ := in.SignPod(quietly(), newPod(0, nil))
		if ours[0].Key == theirs[0].Key {
			t.Errorf("both sign as %q", ours[0].Key)
		}
	}
}

// TestPluginSignatureDecides: pods to which the plugin gives the same signature get
// the same answers from the in-tree plugins, and pods that they sign alike it does.
func TestPluginSignatureDecides(t *testing.T) {
	few := rapid.SampledFrom(mustTolerations("a,a?Exists x,a:NoSchedule,a=x,a==x,a>4,a?In x,*:NoExecute,*:NoExecute@9,*=,*"))
	lists := rapid.SliceOfN(few, 0, 3)
	forEachGate(t, func(t *testing.T) {
		p := newPlugins(t, scheduler.Args{})
		met := 0
		rapid.Check(t, func(t *rapid.T) {
			a, b := newPod(0, lists.Draw(t, "a")), newPod(0, lists.Draw(t, "b"))
			same := signature(t, p.ours, a) == signature(t, p.ours, b)
			if !same && signature(t, p.taints, a) == signature(t, p.taints, b) {
				t.Fatal("the in-tree plugin signs them alike")
			}
			if !same {
				return
			}
			met++
			for _, info := range cordonedInfos(rapid.SliceOfN(taintLists, 1, 5).Draw(t, "nodes")) {
				if p.filter(a, info).Code() != p.filter(b, info).Code() {
					t.Fatalf("signed alike, but not on %v", info.Node().Spec)
				}
			}
		})
		if met == 0 {
			t.Error("no two pods had the same signature")
		}
	})
}

// signature returns what the framework makes of a plugin's fragment.
func signature(tb rapid.TB, plugin fwk.SignPlugin, pod *v1.Pod) string {
	fragments, status := plugin.SignPod(quietly(), pod)
	if !status.IsSuccess() || len(fragments) != 1 {
		tb.Fatalf("SignPod = %v, %v", fragments, status)
	}
	text, err := json.Marshal(fragments[0].Value)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}
