package page

import (
	"cmp"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/match/evict/timeline"
	"github.com/tolero-dev/tolero/taint/lifecycle"
)

const (
	maxPools = 200 // that are played: each is a question about all nodes
	maxSteps = 40  // of a pool
)

// silence asks package timeline what happens if the nodes of a pool go silent now: of
// the largest pools with pods, if they are many.
func (b *builder) silence() {
	b.Silence = []Silence{}
	nodes, at := b.timelineNodes()
	pods := make(map[string][]timeline.Pod) // by pool
	for i := range b.fleet.Pods {
		p := &b.fleet.Pods[i]
		if node, found := b.nodes[p.Node]; found && p.Node != "" {
			pool := b.fleet.Nodes[node].Pool
			for range p.Count {
				pods[pool] = append(pods[pool], timeline.Pod{Name: p.id(), Node: p.Node, Tolerations: p.Tolerations})
			}
		}
	}
	var pools []string
	for pool := range pods {
		pools = append(pools, pool)
	}
	slices.SortFunc(pools, func(x, y string) int { return cmp.Or(len(pods[y])-len(pods[x]), cmp.Compare(x, y)) })
	if len(pools) > maxPools {
		pools = pools[:maxPools]
		b.Notes = append(b.Notes, "Silence is shown for the 200 node pools with the most pods.")
	}
	for _, pool := range pools {
		c := &timeline.Cluster{Start: at, Config: lifecycle.Defaults(), Rules: b.fleet.Rules, Nodes: nodes, Pods: pods[pool]}
		var silent int64
		for name, i := range b.nodes {
			if b.fleet.Nodes[i].Pool == pool && name != "" {
				c.Outages = append(c.Outages, timeline.Outage{Node: name, From: at})
				silent += b.fleet.Nodes[i].Count
			}
		}
		slices.SortFunc(c.Outages, func(x, y timeline.Outage) int { return cmp.Compare(x.Node, y.Node) })
		played, err := timeline.Play(c)
		if err != nil {
			b.Notes = append(b.Notes, "Silence is not shown: "+err.Error())
			return
		}
		b.Silence = append(b.Silence, b.silenceOf(pool, silent, played))
	}
}

// timelineNodes returns the nodes at a moment when all that are ready have just had a
// heartbeat. What is not ready keeps the taint that says so.
func (b *builder) timelineNodes() (nodes []timeline.Node, at time.Time) {
	at = time.Unix(1_000_000_000, 0).UTC() // only what passes from then on is shown
	for i := range b.fleet.Nodes {
		n := &b.fleet.Nodes[i]
		if b.nodes[n.Name] != i || n.Name == "" {
			continue // another node has the name
		}
		state := lifecycle.Node{Zone: n.Zone, Conditions: lifecycle.Healthy(), Heartbeat: at, Created: at}
		switch has := lifecycle.Of(n.Taints); {
		case has&lifecycle.UnreachableNoExecute != 0:
			state.Conditions.Ready = lifecycle.Unknown
		case has&lifecycle.NotReadyNoExecute != 0:
			state.Conditions.Ready = lifecycle.False
		}
		nodes = append(nodes, timeline.Node{Name: n.Name, State: state, Taints: n.Taints})
	}
	return nodes, at
}

// silenceOf sums up what becomes of the pods of a pool.
func (b *builder) silenceOf(pool string, nodes int64, t *timeline.Timeline) Silence {
	s := Silence{Pool: b.pools[pool], Nodes: nodes, Pods: int64(len(t.Pods)), Outcomes: []Outcome{}, Steps: []Step{}}
	var counts [timeline.Evicted + 1]int64
	for i := range t.Pods {
		counts[t.Pods[i].Outcome]++
	}
	for outcome, n := range counts {
		if n > 0 {
			s.Outcomes = append(s.Outcomes, Outcome{timeline.Outcome(outcome).String(), n})
		}
	}
	for every := time.Duration(1); ; every = wider(every) {
		s.Steps = steps(t, every)
		if len(s.Steps) <= maxSteps {
			return s
		}
	}
}

// wider returns the next width of a step: exact, a second, 2, 4, ... seconds.
func wider(every time.Duration) time.Duration { return max(time.Second, 2*every) }

// steps counts the evicted pods by time, which is rounded up.
func steps(t *timeline.Timeline, every time.Duration) []Step {
	list := []Step{}
	for _, i := range t.Evicted {
		at := max(0, t.Pods[i].At)
		if rest := at % every; rest > 0 {
			at += every - rest
		}
		if n := len(list); n == 0 || list[n-1].Seconds != at.Seconds() {
			list = append(list, Step{Seconds: at.Seconds()})
		}
		list[len(list)-1].Pods++
	}
	return list
}
