package outage

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/evict/timeline"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// start is the time at which a timeline starts if the input has none. Any would do: only what
// passes from then on is shown.
var start = time.UnixMilli(1e12).UTC()

// silence is which nodes fall silent.
type silence struct {
	zones, pools, nodes []string
	label               string
}

// cluster returns the cluster of the input, in which the nodes that the options name fall silent
// now, and the owners of its pods.
func (o *options) cluster(p *command.Program) (*timeline.Cluster, []string, error) {
	read, err := p.Load(&command.Input{Demo: invented()})
	if err != nil {
		return nil, nil, err
	}
	if len(read.Nodes) == 0 {
		return nil, nil, command.Missing(read)
	}
	now := start
	if !read.Latest.IsZero() {
		now = read.Latest // so that taints count from when they were put on the node
	}
	c := &timeline.Cluster{Start: now, Config: o.config, HeartbeatInterval: o.interval, Policy: o.policy, Rules: p.Rules}
	if o.end > 0 {
		c.End = now.Add(o.end)
	}
	silent, err := o.silent.choose(read)
	if err != nil {
		return nil, nil, err
	}
	for i := range read.Nodes {
		n := &read.Nodes[i]
		c.Nodes = append(c.Nodes, timeline.Node{Name: n.Name, State: o.state(n, now), Taints: n.Taints()})
		down := isDown(&c.Nodes[i])
		if !down && !silent[n.Name] {
			continue
		}
		s := timeline.Outage{Node: n.Name, From: now}
		if down { // long ago: it stays so, unless it is named
			s.From = time.Time{}
			c.Nodes[i].State.Heartbeat, c.Nodes[i].State.Conditions.Ready = now.Add(-2*o.config.GracePeriod), lifecycle.Unknown
		}
		if silent[n.Name] && o.back > 0 {
			s.Until = now.Add(o.back)
		}
		c.Outages = append(c.Outages, s)
	}
	var owners []string
	for i := range read.Pods {
		if pod := &read.Pods[i]; pod.NodeName != "" && pod.Kind == "Pod" {
			c.Pods = append(c.Pods, timeline.Pod{Name: strings.TrimPrefix(pod.ID(), "Pod "), Node: pod.NodeName, Tolerations: command.Tolerations(pod)})
			owners = append(owners, command.Owner(pod))
		}
	}
	return c, owners, nil
}

// zoneOf returns the zone of a node as people write it: the region and the zone.
func zoneOf(n *manifest.Node) string {
	return strings.Trim(strings.ReplaceAll(lifecycle.ZoneKey(n.Labels), ":\x00:", "/"), "/")
}

// state returns what the life-cycle controller knows of a node that has just had a heartbeat.
func (o *options) state(n *manifest.Node, now time.Time) lifecycle.Node {
	zone := cmp.Or(zoneOf(n), "none") // which is a zone to the controller
	state := lifecycle.Node{Zone: zone, Conditions: lifecycle.Healthy(), Unschedulable: n.Unschedulable, Heartbeat: now}
	_, state.Excluded = n.Labels[lifecycle.LabelExcludeDisruption]
	if n.State != nil {
		state.Created = now
		for _, condition := range n.State.Conditions {
			state.Conditions.Set(condition.Type, condition.Status)
		}
	}
	return state
}

// isDown reports whether a node is silent already.
func isDown(n *timeline.Node) bool {
	return n.State.Conditions.Ready == lifecycle.Unknown ||
		slices.ContainsFunc(n.Taints, func(t taint.Taint) bool { return t.Key == taint.KeyUnreachable })
}

// choose returns the names of the nodes that fall silent. What the user names must be there.
func (s *silence) choose(read *manifest.Cluster) (map[string]bool, error) {
	silent := make(map[string]bool)
	labels := command.PoolLabels(s.label)
	var all []string
	for _, of := range []struct {
		kind   string
		wanted []string
		names  func(n *manifest.Node) []string // what it may be called, as people do first
	}{
		{"node", s.nodes, func(n *manifest.Node) []string { return []string{n.Name} }},
		{"zone", s.zones, func(n *manifest.Node) []string {
			zone := zoneOf(n)
			return []string{zone[strings.LastIndexByte(zone, '/')+1:], zone}
		}},
		{"pool", s.pools, func(n *manifest.Node) []string { return []string{command.Pool(n, labels)} }},
	} {
		known, shown := make(map[string]bool), make(map[string]bool)
		for i := range read.Nodes {
			names := of.names(&read.Nodes[i])
			shown[names[0]] = true
			for _, name := range names {
				known[name] = true
				if slices.Contains(of.wanted, name) {
					silent[read.Nodes[i].Name] = true
				}
			}
		}
		delete(shown, "")
		there := cmp.Or(command.Some(slices.Sorted(maps.Keys(shown))), "none")
		for _, name := range of.wanted {
			if !known[name] {
				return nil, command.Usagef("no %s %q in the input; there are: %s", of.kind, name, there)
			}
		}
		all = append(all, of.kind+"s: "+there)
	}
	if len(silent) == 0 {
		return nil, command.Usagef("no node falls silent: name nodes, or -zone or -pool; there are %s", strings.Join(all, "; "))
	}
	return silent, nil
}

// leaving is the pods of an owner that have to leave.
type leaving struct {
	Owner string  `json:"owner"`
	Pods  int     `json:"pods"` // that leave
	Of    int     `json:"of"`   // that run
	First float64 `json:"firstEviction"`
	Last  float64 `json:"lastEviction"`
}

// evicted returns the pods that are evicted after the start, the first first. The taints that
// nodes have already evict the others.
func evicted(t *timeline.Timeline) []int32 {
	return t.Evicted[slices.IndexFunc(append(t.Evicted, -1), func(i int32) bool { return i < 0 || t.Pods[i].At > 0 }):]
}

// leavers returns the owners whose pods have to leave, those of most pods first.
func leavers(t *timeline.Timeline, owners []string) []leaving {
	at := make(map[string]int)
	list := []leaving{}
	for _, i := range evicted(t) {
		j, found := at[owners[i]]
		if !found {
			j = len(list)
			at[owners[i]] = j
			list = append(list, leaving{Owner: owners[i], First: t.Pods[i].At.Seconds()})
		}
		list[j].Pods++
		list[j].Last = t.Pods[i].At.Seconds() // in the order of time
	}
	for _, owner := range owners {
		if j, found := at[owner]; found {
			list[j].Of++
		}
	}
	slices.SortStableFunc(list, func(a, b leaving) int { return cmp.Compare(b.Pods, a.Pods) })
	return list
}

// writeLeaving writes which workloads lose pods, and which pods leave when and why.
func writeLeaving(w *command.Writer, t *timeline.Timeline, owners []string, limit int) {
	list, pods := leavers(t, owners), evicted(t)
	if n := len(t.Evicted) - len(pods); n > 0 {
		w.Line(0, command.Plural(n, "pod")+" of these should have left before, because of taints that nodes have; tolero tells which.")
	}
	if len(list) == 0 {
		w.Line(0, "")
		w.Line(0, "No pod has to leave.")
		return
	}
	w.Line(0, "")
	w.Line(0, "Workloads that lose pods:")
	w.Limited(len(list), limit, func(i int) string {
		l := &list[i]
		duration := func(seconds float64) string {
			return command.Duration(time.Duration(seconds * 1e9).Round(time.Millisecond))
		}
		when := "after " + duration(l.First)
		if l.Last != l.First {
			when = "from " + duration(l.First) + " to " + duration(l.Last)
		}
		return fmt.Sprintf("%s: %d of %s %s", l.Owner, l.Pods, command.Plural(l.Of, "pod"), when)
	})
	w.Line(0, "")
	w.Line(0, "Pods that leave:")
	w.Limited(len(pods), limit, func(i int) string { return t.Sentence(pods[i]) })
}
