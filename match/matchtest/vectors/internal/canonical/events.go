package canonical

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/match"
	deviceevict "github.com/tolero-dev/tolero/match/device/evict"
	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/taint/lifecycle"
)

func init() {
	kinds["evictions"] = evictions
	kinds["deviceEvictions"] = deviceEvictions
	kinds["nodeLifecycle"] = nodeLifecycle
	kinds["conditionTaints"] = conditionTaints
	kinds["zone"] = zone
}

// Start is when the clock of events starts.
var Start = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

func after(milliseconds int64) time.Time {
	return Start.Add(time.Duration(milliseconds) * time.Millisecond)
}

// Eviction is that a pod is deleted, some time after the start.
type Eviction struct {
	Milliseconds int64  `json:"at"`
	Pod          string `json:"pod"`
}

// inOrder returns evictions by their times and pods.
func inOrder(list []Eviction) []Eviction {
	slices.SortFunc(list, func(a, b Eviction) int {
		return cmp.Or(cmp.Compare(a.Milliseconds, b.Milliseconds), strings.Compare(a.Pod, b.Pod))
	})
	return list
}

func (m *Meta) name() string {
	if m == nil {
		return ""
	}
	return m.Name
}

// evictions is what the taint-eviction controller does about events.
func evictions(in *Input) Result { return EvictionsUnder(match.FirstMatch, in) }

// EvictionsUnder is evictions under another policy.
func EvictionsUnder(policy match.EvictionPolicy, in *Input) Result {
	q := evict.New[string](policy, in.rules())
	var decisions []evict.Decision[string]
	for i := range in.Events {
		e := &in.Events[i]
		now := after(e.At)
		switch {
		case e.Node != nil:
			decisions = q.SetNode(decisions, now, e.Node.Metadata.name(), e.Node.Spec.Taints)
		case e.DeleteNode != "":
			decisions = q.DeleteNode(decisions, now, e.DeleteNode)
		case e.Pod != nil:
			decisions = q.SetPod(decisions, now, e.Pod.Metadata.name(), e.Pod.Spec.NodeName, e.Pod.Spec.Tolerations)
		case e.DeletePod != "":
			decisions = q.DeletePod(decisions, now, e.DeletePod)
		}
	}
	decisions = q.Advance(decisions, after(in.Until))
	list, reasons := []Eviction{}, []string(nil)
	for _, d := range decisions {
		reasons = append(reasons, d.String())
		if d.Reason.Evicts() {
			list = append(list, Eviction{d.Due.Sub(Start).Milliseconds(), d.Pod})
		}
	}
	return Result{Answer: inOrder(list), Reason: cmp.Or(strings.Join(reasons, "; "), "nothing evicts a pod")}
}

// deviceEvictions is what the device-taint-eviction controller does about events. An
// eviction whose moment is past when it is found out comes at once.
func deviceEvictions(in *Input) Result {
	q := queue{new(deviceevict.Queue[string])}
	list, reasons := []Eviction{}, []string(nil)
	tell := func(now time.Time, decisions []deviceevict.Decision[string]) {
		for _, d := range decisions {
			reasons = append(reasons, d.String())
			if d.Kind == deviceevict.Evict {
				list = append(list, Eviction{now.Sub(Start).Milliseconds(), d.Pod})
				q.DeletePod(nil, now, d.Pod)
			}
		}
	}
	for i := range in.Events {
		q.play(&in.Events[i], tell)
	}
	q.advance(after(in.Until), tell)
	return Result{Answer: inOrder(list), Reason: cmp.Or(strings.Join(reasons, "; "), "nothing evicts a pod")}
}

// NodeMoment is the taints that the node life-cycle controller manages, from some time
// after the start on.
type NodeMoment struct {
	Milliseconds int64    `json:"at"`
	Node         string   `json:"node"`
	Taints       []string `json:"taints"`
}

// nodeLifecycle is what the node life-cycle controller does about events.
func nodeLifecycle(in *Input) Result { return LifecycleWith(in, func(*lifecycle.Config) {}) }

// LifecycleWith is nodeLifecycle with a changed configuration.
func LifecycleWith(in *Input, change func(*lifecycle.Config)) Result {
	leases, hidden, version := map[string]string{}, map[string]bool{}, 1
	config := lifecycle.Defaults()
	if in.Flags != nil && in.Flags.MonitorPeriod != "" {
		if d, err := time.ParseDuration(in.Flags.MonitorPeriod); err == nil {
			config.MonitorPeriod = d
		}
	}
	config.Verify = func(checks []lifecycle.Check) {
		for i := range checks {
			c := &checks[i]
			c.Answered, c.Version = !hidden[c.Node], leases[c.Node]
		}
	}
	change(&config)
	c, err := lifecycle.New(config, Start)
	if err != nil {
		return Result{Answer: []NodeMoment{}, Reason: err.Error()}
	}
	c.Synced(nil, Start, "1")
	var actions []lifecycle.Action
	for i := range in.Events {
		e := &in.Events[i]
		now := after(e.At)
		actions = c.Advance(actions, now)
		switch {
		case e.Node != nil:
			name := e.Node.Metadata.name()
			n, known := c.Node(name)
			if !known {
				n.Created = now
			}
			n.Zone, n.Unschedulable, n.Conditions, n.Heartbeat = lifecycle.ZoneKey(e.Node.labels()), e.Node.Spec.Unschedulable, conditions(e.Node), now
			actions = c.Set(actions, now, name, n)
		case e.DeleteNode != "":
			actions = c.Delete(actions, now, e.DeleteNode)
		case e.RenewLease != "":
			version++
			leases[e.RenewLease] = fmt.Sprint(version)
			actions = c.SetLease(actions, now, e.RenewLease, now, leases[e.RenewLease])
		case e.HideLease != "":
			hidden[e.HideLease] = true
		}
	}
	actions = c.Advance(actions, after(in.Until))
	return moments(actions)
}

func (n *Node) labels() map[string]string {
	if n.Metadata == nil {
		return nil
	}
	return n.Metadata.Labels
}

// moments turns decisions into what each node has from when on.
func moments(actions []lifecycle.Action) Result {
	list, reasons := []NodeMoment{}, []string(nil)
	now := map[string]lifecycle.TaintSet{}
	for i := range actions {
		a := &actions[i]
		if a.Node == "" || a.Add|a.Remove == 0 {
			continue
		}
		now[a.Node] = now[a.Node]&^a.Remove | a.Add
		m := NodeMoment{a.At.Sub(Start).Milliseconds(), a.Node, names(now[a.Node])}
		if i := slices.IndexFunc(list, func(o NodeMoment) bool { return o.Milliseconds == m.Milliseconds && o.Node == m.Node }); i >= 0 {
			list[i] = m
		} else {
			list = append(list, m)
		}
		reasons = append(reasons, fmt.Sprintf("%v: %s: %s", a.At.Sub(Start), a.Node, a.Reason))
	}
	slices.SortStableFunc(list, func(a, b NodeMoment) int {
		return cmp.Or(cmp.Compare(a.Milliseconds, b.Milliseconds), strings.Compare(a.Node, b.Node))
	})
	return Result{Answer: list, Reason: cmp.Or(strings.Join(reasons, "; "), "nothing changes")}
}

// names is the texts of a set of taints, sorted.
func names(s lifecycle.TaintSet) []string {
	list := []string{}
	for x := range s.All() {
		list = append(list, x.String())
	}
	slices.Sort(list)
	return list
}

// TaintChange is which taints the controller adds and removes, sorted.
type TaintChange struct {
	Add    []string `json:"add"`
	Remove []string `json:"remove"`
}

// conditionTaints is what the controller does at once about the NoSchedule taints of a
// node.
func conditionTaints(in *Input) Result {
	add, remove := lifecycle.ByCondition(in.taints(), conditions(in.node()), in.node().Spec.Unschedulable)
	a := TaintChange{names(add), names(remove)}
	return Result{Answer: a, Reason: fmt.Sprintf("the conditions ask for %v", names(conditions(in.node()).Taints(in.node().Spec.Unschedulable)))}
}

// Zone is the state of a zone and the rate of its taints.
type Zone struct {
	State string  `json:"state"`
	Rate  float32 `json:"nodesPerSecond"`
}

// zone is the state of a zone of so many nodes that are ready and that are not.
func zone(in *Input) Result {
	config := lifecycle.Defaults()
	state, rate := config.State(in.Ready, in.NotReady)
	name := map[lifecycle.State]string{lifecycle.Normal: "Normal", lifecycle.PartialDisruption: "PartialDisruption", lifecycle.FullDisruption: "FullDisruption"}[state]
	return Result{Answer: Zone{name, rate}, Reason: fmt.Sprintf("%d of %d nodes are not ready", in.NotReady, in.Ready+in.NotReady)}
}
