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
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// silence is which nodes of the user's cluster fall silent.
type silence struct {
	zones, pools, nodes []string
	label               string
}

// real returns the cluster of the input, in which the nodes that the options name fall silent
// now, and the owners of its pods.
func (o *options) real(p *command.Program) (*timeline.Cluster, []string, error) {
	read, err := p.Load(new(command.Input))
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
	if o.given("for") {
		c.End = now.Add(o.end)
	}
	silent, err := o.silent.choose(read)
	if err != nil {
		return nil, nil, err
	}
	for i := range read.Nodes {
		n := &read.Nodes[i]
		state := lifecycle.Node{Zone: zoneOf(n), Conditions: lifecycle.Healthy(), Unschedulable: n.Unschedulable, Heartbeat: now}
		_, state.Excluded = n.Labels[lifecycle.LabelExcludeDisruption]
		if n.State != nil {
			state.Created = now
			for _, condition := range n.State.Conditions {
				state.Conditions.Set(condition.Type, condition.Status)
			}
		}
		c.Nodes = append(c.Nodes, timeline.Node{Name: n.Name, State: state, Taints: n.Taints()})
		if silent[n.Name] {
			s := timeline.Outage{Node: n.Name, From: now}
			if o.given("back") && o.first.back > 0 {
				s.Until = now.Add(o.first.back)
			}
			c.Outages = append(c.Outages, s)
		}
	}
	var owners []string
	for i := range read.Pods {
		if pod := &read.Pods[i]; pod.NodeName != "" && pod.Kind == "Pod" {
			c.Pods = append(c.Pods, timeline.Pod{Name: pod.ID(), Node: pod.NodeName, Tolerations: command.Tolerations(pod)})
			owners = append(owners, command.Owner(pod))
		}
	}
	return c, owners, nil
}

// zoneOf returns the zone of a node as people write it: the region and the zone.
func zoneOf(n *manifest.Node) string {
	return strings.Trim(strings.ReplaceAll(lifecycle.ZoneKey(n.Labels), ":\x00:", "/"), "/")
}

// choose returns the names of the nodes that fall silent.
func (s *silence) choose(read *manifest.Cluster) (map[string]bool, error) {
	silent := make(map[string]bool)
	zones, pools := make(map[string]bool), make(map[string]bool)
	labels := command.PoolLabels(s.label)
	wanted := make(map[string]bool) // names of nodes, and pools and zones with the word before them, and whether there are some
	for _, name := range s.nodes {
		wanted[name] = false
	}
	for _, name := range s.pools {
		wanted["pool "+name] = false
	}
	for _, name := range s.zones {
		wanted["zone "+name] = false
	}
	for i := range read.Nodes {
		n := &read.Nodes[i]
		zone, pool := zoneOf(n), command.Pool(n, labels)
		zones[zone], pools[pool] = true, true
		for _, of := range []string{n.Name, "pool " + pool, "zone " + zone, "zone " + zone[strings.LastIndexByte(zone, '/')+1:]} {
			if _, found := wanted[of]; found {
				silent[n.Name], wanted[of] = true, true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if !wanted[name] && slices.Contains(s.nodes, name) {
			return nil, fmt.Errorf("no node %q in the input", name)
		} else if !wanted[name] {
			return nil, command.Usagef("no node falls silent of %s; there are the zones %s and the pools %s", name, named(zones), named(pools))
		}
	}
	if len(silent) == 0 {
		return nil, command.Usagef("no node falls silent: name nodes, -zone or -pool; there are the zones %s and the pools %s", named(zones), named(pools))
	}
	return silent, nil
}

// named returns the names in order, or says that there are none.
func named(names map[string]bool) string {
	delete(names, "")
	return cmp.Or(command.Some(slices.Sorted(maps.Keys(names))), "(none)")
}

// leaving is the pods of an owner that have to leave.
type leaving struct {
	Owner string  `json:"owner"`
	Pods  int     `json:"pods"` // that leave
	Of    int     `json:"of"`   // that run
	First float64 `json:"firstEviction"`
	Last  float64 `json:"lastEviction"`

	first, last time.Duration
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
			list = append(list, leaving{Owner: owners[i], first: t.Pods[i].At})
		}
		list[j].Pods++
		list[j].last = t.Pods[i].At // in the order of time
	}
	for _, owner := range owners {
		if j, found := at[owner]; found {
			list[j].Of++
		}
	}
	for j := range list {
		list[j].First, list[j].Last = list[j].first.Seconds(), list[j].last.Seconds()
	}
	slices.SortStableFunc(list, func(a, b leaving) int { return cmp.Compare(b.Pods, a.Pods) })
	return list
}

// writeLeaving writes which workloads lose pods, and which pods leave when and why.
func writeLeaving(w *command.Writer, t *timeline.Timeline, owners []string, limit int) {
	list, pods := leavers(t, owners), evicted(t)
	if n := len(t.Evicted) - len(pods); n > 0 {
		w.Line(0, command.Plural(n, "pod")+" of these leave anyway, because of taints that nodes have already; tolero tells which.")
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
		when := "after " + command.Duration(l.first)
		if l.last != l.first {
			when = "from " + command.Duration(l.first) + " to " + command.Duration(l.last)
		}
		return fmt.Sprintf("%s: %d of %s %s", l.Owner, l.Pods, command.Plural(l.Of, "pod"), when)
	})
	w.Line(0, "")
	w.Line(0, "Pods that leave:")
	w.Limited(len(pods), limit, func(i int) string { return t.Sentence(pods[i]) })
}
