package lint

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/match/internal/seconds"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// checkPods looks at the tolerations.
func (c *checker) checkPods() {
	matches := make(map[toleration.Toleration]bool) // without seconds: whether some node has a taint
	for i := range c.pods {
		g := &c.pods[i]
		c.checkValid(g)
		c.checkList(g)
		needed := neededIndexes(c.rules, g.tolerations)
		for j := range g.tolerations {
			c.checkToleration(g, j, needed[j], matches)
		}
		if g.daemonSet {
			c.checkDaemonSet(g)
		}
	}
}

func (c *checker) checkValid(g *podGroup) {
	var invalid *taint.FieldErrors
	if errors.As(c.rules.Validate(g.tolerations), &invalid) {
		for _, fault := range invalid.Faults {
			c.add(InvalidToleration, &g.group, fault.Field, fmt.Sprintf("%q: %s", fault.Value, fault.Detail), effectFix(fault.Value, fault.Field))
		}
	}
}

// checkList looks at a list as a whole.
func (c *checker) checkList(g *podGroup) {
	active := c.rules.Active(nil, g.tolerations)
	if !g.daemonSet && toleration.NewSet(active).Everything(taint.Hard) {
		c.add(Everything, &g.group, "tolerations", "the pod tolerates every taint: nodes that are unreachable or shut down, too", "name the keys that are meant")
	}
	// The least time that any order gives, against the most.
	ascending := slices.Clone(active)
	slices.SortStableFunc(ascending, func(t, u toleration.Toleration) int { return seconds.Compare(&t, &u) })
	if x, differ := toleration.NewLenientGrants(active).Minus(toleration.NewGrants(ascending)); differ {
		i, _ := match.FirstTolerating(active, &x)
		c.add(OrderDecides, &g.group, "tolerations", fmt.Sprintf("for %s, %s counts because it is first, and another order gives another time", x, active[i]),
			"remove all but one of the tolerations that match it")
	}
}

// neededIndexes returns which tolerations make a difference to the list. Those that do
// not count for the cluster have a finding of their own, and are needed.
func neededIndexes(r toleration.Rules, list []toleration.Toleration) []bool {
	needed := make([]bool, len(list))
	merged := toleration.Merge(nil, r.Active(nil, list))
	for i := range list { // the merged list keeps the order, and of equal ones the first
		switch {
		case list[i].Operator.Comparison() && !r.Comparisons:
			needed[i] = true
		case len(merged) > 0 && merged[0].Equal(&list[i]):
			needed[i], merged = true, merged[1:]
		}
	}
	return needed
}

// checkToleration looks at one toleration of a list.
func (c *checker) checkToleration(g *podGroup, i int, needed bool, matches map[toleration.Toleration]bool) {
	t := &g.tolerations[i]
	field := fmt.Sprintf("tolerations[%d]", i)
	set := toleration.NewSet(g.tolerations[i : i+1])
	switch x, found := set.Example(); {
	case t.Operator.Comparison() && !c.rules.Comparisons:
		c.add(NeverMatches, &g.group, field, fmt.Sprintf("%s does not count without the feature gate TaintTolerationComparisonOperators", t), "")
		return
	case !found || taint.Validate([]taint.Taint{x}) != nil:
		c.add(NeverMatches, &g.group, field, fmt.Sprintf("%s matches no valid taint", t), "")
		return
	case !needed && t.TolerationSeconds != nil:
		c.add(UselessSeconds, &g.group, field, fmt.Sprintf("the seconds of %s never count: those before it match all of its taints", t), "remove it, or move it to the front")
		return
	case !needed && added[*t]:
		return
	case !needed:
		c.add(Redundant, &g.group, field, fmt.Sprintf("%s makes no difference beside the others", t), "remove it")
		return
	}
	if t.Key == "" || c.keys[t.Key] && c.matchesNode(t, set, matches) || isWellKnown[t.Key] {
		return
	}
	if near, found := c.known.Misspelled(t.Key); found && !c.keys[t.Key] {
		c.add(LikelyMisspelled, &g.group, field+".key", fmt.Sprintf("no taint has the key of %s, and it looks like another one", t), "probably "+near)
		return
	}
	if len(c.nodes) == 0 {
		return
	}
	c.add(MatchesNoNode, &g.group, field, fmt.Sprintf("no node has a taint that %s matches", t), "")
}

// matchesNode reports whether the toleration, whose set is given, matches a taint of
// some node.
func (c *checker) matchesNode(t *toleration.Toleration, set toleration.Set, known map[toleration.Toleration]bool) bool {
	key := *t
	key.TolerationSeconds = nil
	answer, found := known[key]
	if !found {
		answer = set.Intersects(c.taints)
		known[key] = answer
	}
	return answer
}

// checkDaemonSet says on which nodes the DaemonSet does not run, and what would help.
func (c *checker) checkDaemonSet(g *podGroup) {
	active := c.rules.Active(nil, g.tolerations)
	q := explain.Query{Rules: c.rules, Tolerations: g.tolerations}
	nodes, first := 0, ""
	for i := range c.nodes {
		n := &c.nodes[i]
		if run, _ := match.DaemonSetPlacement(n.taints, active); !run {
			if nodes == 0 {
				first = n.name
			}
			nodes += n.count
			q.Taints = match.Filter(q.Taints, n.taints, active, taint.Hard)
		}
	}
	if nodes > 0 {
		add := q.Add(explain.ToSchedule).Additions
		fix := "add " + toleration.FormatList(add[:min(len(add), 3)])
		if len(add) > 3 {
			fix += fmt.Sprintf(" and %d more", len(add)-3)
		}
		c.add(DaemonSetMisses, &g.group, "tolerations", fmt.Sprintf("taints keep it from %s, %s first", plural(nodes, "node"), first), fix)
	}
}

// plural returns a number with the word for what is counted.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
