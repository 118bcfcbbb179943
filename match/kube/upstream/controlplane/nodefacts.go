package main

import (
	"slices"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// What is said of a node: under its name and NoSchedule or NoExecute, each taint that it
// gets or loses, of NoExecute ones with the reason; under its name and Ready, that its
// conditions turned Unknown. Under the name of a zone its states, and under cluster
// when all zones are in full disruption, and no longer.

// predictNodes returns what package taint/lifecycle makes of what the kubelets did, until
// a time. It looks when kube-controller-manager did.
func predictNodes(config lifecycle.Config, acts []act, l looks, end time.Time) ([]fact, error) {
	base := l[0]
	virtual := func(at time.Time) time.Time {
		return base.Add(time.Duration(l.number(at, config.MonitorPeriod) * float64(config.MonitorPeriod)))
	}
	leases := make(map[string]string) // what a look-up of a lease finds
	config.Verify = func(checks []lifecycle.Check) {
		for i := range checks {
			checks[i].Answered, checks[i].Version = true, leases[checks[i].Node]
		}
	}
	c, err := lifecycle.New(config, base.Add(-time.Minute))
	if err != nil {
		return nil, err
	}
	var actions []lifecycle.Action
	for _, a := range acts {
		actions = a.tell(c, virtual(a.at), actions)
		if a.lease != "" {
			leases[a.node] = a.lease
		}
	}
	actions = c.Advance(actions, virtual(end))
	var facts []fact
	var together time.Time // when all zones stopped or resumed, of which the log says no more
	for i := range actions {
		a := &actions[i]
		switch a.Reason {
		case lifecycle.Stopped, lifecycle.Resumed:
			together = a.At
		case lifecycle.StateChanged:
			if a.At.Equal(together) {
				continue
			}
		}
		n := a.At.Sub(base).Seconds() / config.MonitorPeriod.Seconds()
		facts = append(facts, factsOf(a, l.at(n, config.MonitorPeriod))...)
	}
	return facts, nil
}

// factsOf returns what follows from a decision.
func factsOf(a *lifecycle.Action, at time.Time) (facts []fact) {
	switch a.Reason {
	case lifecycle.StateChanged:
		return []fact{{"zone " + a.Zone, a.State.String(), at}}
	case lifecycle.Stopped, lifecycle.Resumed:
		return []fact{{"cluster", a.Reason.String(), at}}
	case lifecycle.HeartbeatLost:
		facts = append(facts, fact{a.Node + " Ready", "Unknown", at})
	}
	reason := a.Reason
	for t := range a.Add.All() {
		facts = append(facts, taintFact(a.Node, "+", &t, reason, at))
	}
	for t := range a.Remove.All() {
		facts = append(facts, taintFact(a.Node, "-", &t, reason, at))
	}
	return facts
}

func taintFact(node, sign string, t *taint.Taint, reason lifecycle.Reason, at time.Time) fact {
	what := sign + strings.TrimPrefix(t.Key, "node.kubernetes.io/")
	if t.Effect == taint.NoExecute {
		what += ", " + reason.String()
	}
	return fact{node + " " + string(t.Effect), what, at}
}

// seenNodes returns what kube-controller-manager did to the nodes, and what it says of
// zones.
func seenNodes(seen []sighting, log []entry) (facts []fact) {
	last := make(map[string]*v1.Node)
	swapped := make(map[string]bool) // the next taint that comes off is half of a swap
	for _, s := range seen {
		node, ok := s.object.(*v1.Node)
		if !ok {
			continue
		}
		before := last[node.Name]
		if last[node.Name] = node; s.deleted {
			delete(last, node.Name)
		}
		if s.deleted || before == nil {
			continue
		}
		if lost(node) && !lost(before) {
			facts = append(facts, fact{node.Name + " Ready", "Unknown", s.at})
		}
		was, is := taintSet(before), taintSet(node)
		for t := range (is &^ was).All() {
			reason := lifecycle.TurnCame
			if t.Effect == taint.NoExecute && was&(lifecycle.NotReadyNoExecute|lifecycle.UnreachableNoExecute) != 0 {
				reason, swapped[node.Name] = lifecycle.Swapped, true
			}
			facts = append(facts, taintFact(node.Name, "+", &t, reason, s.at))
		}
		for t := range (was &^ is).All() {
			reason := whyOff(node, swapped)
			facts = append(facts, taintFact(node.Name, "-", &t, reason, s.at))
		}
	}
	return merge(facts, zoneFacts(log))
}

// whyOff returns the reason why a node lost a NoExecute taint.
func whyOff(node *v1.Node, swapped map[string]bool) lifecycle.Reason {
	switch {
	case swapped[node.Name]:
		delete(swapped, node.Name)
		return lifecycle.Swapped
	case conditionOf(node, v1.NodeReady).Status == v1.ConditionTrue:
		return lifecycle.Recovered
	}
	return lifecycle.TakenOff
}

// lost reports whether the controller, and not the kubelet, set the Ready condition.
func lost(node *v1.Node) bool {
	reason := conditionOf(node, v1.NodeReady).Reason
	return reason == "NodeStatusUnknown" || reason == "NodeStatusNeverUpdated"
}

func taintSet(node *v1.Node) lifecycle.TaintSet {
	return lifecycle.Of(kube.AppendTaints(nil, node.Spec.Taints))
}

const (
	enteringDisruption = "Controller detected that all Nodes are not-Ready. Entering master disruption mode"
	exitingDisruption  = "Controller detected that some Nodes are Ready. Exiting master disruption mode"
)

// zoneFacts returns what the log says of zones.
func zoneFacts(log []entry) (facts []fact) {
	for _, e := range log {
		switch e.text {
		case "Controller detected that zone is now in new state":
			facts = append(facts, fact{"zone " + e.value("zone"), e.value("newState"), e.at})
		case enteringDisruption:
			facts = append(facts, fact{"cluster", lifecycle.Stopped.String(), e.at})
		case exitingDisruption:
			facts = append(facts, fact{"cluster", lifecycle.Resumed.String(), e.at})
		}
	}
	return facts
}

// merge returns both lists as one, in the order of the times; facts of the same list keep
// their order.
func merge(a, b []fact) (all []fact) {
	for _, f := range a {
		for len(b) > 0 && b[0].at.Before(f.at) {
			all, b = append(all, b[0]), b[1:]
		}
		all = append(all, f)
	}
	return slices.Concat(all, b)
}
