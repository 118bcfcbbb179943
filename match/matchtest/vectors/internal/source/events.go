package source

import (
	"fmt"

	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
)

// Events of nodes and pods, at a second after the start; those of leases are a little
// later, between looks and passes of the controller.
type event = canonical.Event

func nodeIs(at int64, name, taints string) event {
	n := node(taints)
	n.Metadata = &canonical.Meta{Name: name}
	return event{At: at * 1000, Node: n}
}

func podIs(at int64, name, node, tolerations string) event {
	p := pod(tolerations)
	p.Metadata, p.Spec.NodeName = &canonical.Meta{Name: name}, node
	return event{At: at * 1000, Pod: p}
}

// budget is that no pod may be disrupted from now on.
func budget(at int64) event {
	return event{At: at * 1000, Budget: &canonical.Budget{Metadata: canonical.Meta{Name: "b"}}}
}

// evictions is about rules E in time, and N5.
func evictions(l *list) {
	for _, c := range []struct {
		rules, about string
		gates        *canonical.Gates
		events       []event
	}{
		{"E1", "at once", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", ""), nodeIs(5, "n", "a:NoExecute")}},
		{"E1", "NoSchedule evicts nobody", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", ""), nodeIs(5, "n", "a:NoSchedule")}},
		{"E2", "time is up", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", "a:NoExecute@30"), nodeIs(5, "n", "a:NoExecute")}},
		{"E4", "a pod that comes later counts from then", nil, []event{nodeIs(0, "n", "a:NoExecute"), podIs(10, "p", "n", "a:NoExecute@30")}},
		{"E4", "the time of the taint plays no part", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", "a:NoExecute@30"), timed(20, "n")}},
		{"E4", "taint taken off", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", "a:NoExecute@30"), nodeIs(5, "n", "a:NoExecute"), nodeIs(20, "n", "")}},
		{"E4", "a NoSchedule taint that remains keeps no eviction", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", "a:NoExecute@30,b"), nodeIs(5, "n", "a:NoExecute,b:NoSchedule"), nodeIs(20, "n", "b:NoSchedule")}},
		{"E4", "node deleted", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", "a:NoExecute@30"), nodeIs(5, "n", "a:NoExecute"), {At: 20000, DeleteNode: "n"}}},
		{"E4", "taken off and put on again", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", "a:NoExecute@30"), nodeIs(5, "n", "a:NoExecute"), nodeIs(20, "n", ""), nodeIs(25, "n", "a:NoExecute")}},
		{"E5", "a sooner end is ignored", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", "a:NoExecute@30,b:NoExecute@5"), nodeIs(5, "n", "a:NoExecute"), nodeIs(10, "n", "a:NoExecute,b:NoExecute")}},
		{"E5", "a later end is ignored", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", "a:NoExecute@60,b:NoExecute@5"), nodeIs(5, "n", "a:NoExecute,b:NoExecute"), nodeIs(8, "n", "a:NoExecute")}},
		{"E5", "an untolerated taint evicts at once", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", "a:NoExecute@60"), nodeIs(5, "n", "a:NoExecute"), nodeIs(10, "n", "a:NoExecute,b:NoExecute")}},
		{"E5", "no limit cancels", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", "a:NoExecute@30,b:NoExecute"), nodeIs(5, "n", "a:NoExecute"), nodeIs(10, "n", "b:NoExecute")}},
		{"E5", "a pod that gets no limit", nil, []event{nodeIs(0, "n", "a:NoExecute"), podIs(1, "p", "n", "a:NoExecute@30"), podIs(10, "p", "n", "a:NoExecute")}},
		{"E5", "zero seconds later are ignored", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", "a:NoExecute@30,b:NoExecute@0"), nodeIs(5, "n", "a:NoExecute"), nodeIs(10, "n", "a:NoExecute,b:NoExecute")}},
		{"E4", "two pods", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", "a:NoExecute@30"), podIs(2, "q", "n", "a:NoExecute@10"), nodeIs(5, "n", "a:NoExecute")}},
		{"E4", "another node", nil, []event{nodeIs(0, "n", ""), nodeIs(0, "m", ""), podIs(1, "p", "n", ""), podIs(2, "q", "m", ""), nodeIs(5, "m", "a:NoExecute")}},
		{"E4", "a pod that is deleted in time", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", "a:NoExecute@30"), nodeIs(5, "n", "a:NoExecute"), {At: 20000, DeletePod: "p"}}},
		{"E6 E1", "a disruption budget saves nobody", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", ""), budget(2), nodeIs(5, "n", "a:NoExecute")}},
		{"E6 E2", "a disruption budget holds nothing up", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", "a:NoExecute@30"), budget(2), nodeIs(5, "n", "a:NoExecute")}},
		{"N5 N4", "Gt with the gate off", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", "a>5:NoExecute"), nodeIs(5, "n", "a=6:NoExecute")}},
		{"N5 N1", "Gt with the gate on", on, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", "a>5:NoExecute"), nodeIs(5, "n", "a=6:NoExecute")}},
		{"N5 N4", "Gt before an Equal with the gate off", nil, []event{nodeIs(0, "n", ""), podIs(1, "p", "n", "a>5:NoExecute@7,a=6:NoExecute@30"), nodeIs(5, "n", "a=6:NoExecute")}},
	} {
		l.add(c.rules, "evictions", c.about, canonical.Input{FeatureGates: c.gates, Events: c.events, Until: 1000_000})
	}
}

// timed is a node with a taint that was put on at the start.
func timed(at int64, name string) event {
	e := nodeIs(at, name, "a:NoExecute")
	e.Node.Spec.Taints[0].TimeAdded = timeAt(1)
	return e
}

func reports(at int64, name string, conditions ...string) event {
	n := node("")
	n.Metadata = &canonical.Meta{Name: name, Labels: map[string]string{"topology.kubernetes.io/region": "r", "topology.kubernetes.io/zone": "z"}}
	n.Status = &canonical.NodeStatus{Conditions: conditionsOf(conditions...)}
	return event{At: at*1000 + 337, Node: n}
}

// conditionsOf is Ready, and others that are True.
func conditionsOf(list ...string) (conditions []canonical.Condition) {
	for i, text := range list {
		if i == 0 {
			conditions = append(conditions, canonical.Condition{Type: "Ready", Status: text})
		} else {
			conditions = append(conditions, canonical.Condition{Type: text, Status: "True"})
		}
	}
	return conditions
}

// renewed is the leases of nodes, renewed every ten seconds.
func renewed(from, to int64, names ...string) (events []event) {
	for at := from; at < to; at += 10 {
		for _, name := range names {
			events = append(events, event{At: at*1000 + 337, RenewLease: name})
		}
	}
	return events
}

// merge puts events into the order of time; those of a moment stay in order.
func merge(lists ...[]event) (all []event) {
	for _, list := range lists {
		for _, e := range list {
			i := len(all)
			for i > 0 && all[i-1].At > e.At {
				i--
			}
			all = append(all[:i], append([]event{e}, all[i:]...)...)
		}
	}
	return all
}

// lifecycles is about rules C.
func lifecycles(l *list) {
	for _, c := range []struct {
		about, taints, ready string
		more                 []string
		cordoned             bool
	}{
		{"a healthy node", "", "True", nil, false},
		{"not ready", "", "False", nil, false},
		{"unknown", "", "Unknown", nil, false},
		{"each pressure", "", "True", []string{"MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"}, false},
		{"cordoned", "", "True", nil, true},
		{"recovered", "node.kubernetes.io/not-ready:NoSchedule,node.kubernetes.io/memory-pressure:NoSchedule", "True", nil, false},
		{"from not ready to unknown", "node.kubernetes.io/not-ready:NoSchedule", "Unknown", nil, false},
		{"others are left alone", "a:NoSchedule,node.kubernetes.io/not-ready:NoExecute,node.kubernetes.io/disk-pressure:PreferNoSchedule", "True", nil, false},
		{"there already", "node.kubernetes.io/not-ready:NoSchedule", "False", nil, false},
		{"uncordoned", "node.kubernetes.io/unschedulable:NoSchedule", "True", nil, false},
	} {
		n := node(c.taints)
		n.Spec.Unschedulable = c.cordoned
		n.Status = &canonical.NodeStatus{Conditions: conditionsOf(append([]string{c.ready}, c.more...)...)}
		l.add("C1", "conditionTaints", c.about, canonical.Input{Node: n})
	}
	for _, c := range [][2]int{{0, 0}, {1, 0}, {0, 1}, {3, 2}, {2, 3}, {9, 11}, {10, 12}, {20, 24}, {20, 25}, {23, 28}, {22, 27}, {22, 28}, {100, 3}, {1, 2}, {0, 60}} {
		l.add("C4 C5", "zone", fmt.Sprintf("%d ready, %d not", c[0], c[1]), canonical.Input{Ready: c[0], NotReady: c[1]})
	}
	others := merge([]event{reports(1, "x", "True")}, renewed(1, 400, "x"))
	for _, c := range []struct {
		rules, about string
		events       []event
	}{
		{"C1 C2", "not ready, then ready", []event{reports(2, "a", "True"), reports(12, "a", "False"), reports(62, "a", "True")}},
		{"C2", "a swap is immediate", []event{reports(2, "a", "False"), reports(32, "a", "Unknown"), reports(62, "a", "False")}},
		{"C2", "recovered before its turn", []event{reports(2, "a", "False"), reports(2, "b", "True"), reports(12, "b", "False"), reports(13, "b", "True")}},
		{"C3", "a lease that stops", merge([]event{reports(2, "a", "True")}, renewed(2, 100, "a"))},
		{"C3", "reports without a lease", []event{reports(2, "a", "True"), reports(42, "a", "True")}},
		{"C3 C1", "a lost node keeps no pressure", []event{reports(2, "a", "True", "MemoryPressure")}},
		{"C5", "one every ten seconds", merge([]event{reports(2, "b", "True"), reports(3, "c", "True"), reports(4, "d", "True"), reports(12, "a", "False"), reports(17, "e", "False")}, renewed(5, 400, "b", "c", "d"))},
		{"C6", "a lease that cannot be read", merge([]event{reports(2, "a", "True"), {At: 30337, HideLease: "a"}}, renewed(2, 20, "a"))},
	} {
		l.add(c.rules, "nodeLifecycle", c.about, canonical.Input{Flags: &canonical.Flags{MonitorPeriod: "5.037s"}, Events: merge(others, c.events), Until: 300_000})
	}
}
