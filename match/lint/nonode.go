package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// lasting returns the taints that do not come and go with the state of nodes.
func lasting(taints []taint.Taint) []taint.Taint {
	return slices.DeleteFunc(slices.Clone(taints), func(x taint.Taint) bool { return Passes(x.Key) })
}

// checkStays looks for pods that lasting taints evict, or keep from all nodes that they may use.
func (c *checker) checkStays(g *podGroup, active []toleration.Toleration) {
	if len(c.nodes) == 0 || len(g.stays.list) == 0 {
		return
	}
	set := newTolerated(active)
	keeps := make(map[int]*taint.Taint) // by group of nodes, what keeps these pods out, or nil
	for i := range g.stays.list {
		s := &g.stays.list[i]
		if s.on > 0 {
			c.checkEvicted(g, s, c.untolerated(&set, s.on-1, taint.Evicting))
		}
		switch {
		case g.daemonSet || g.static || s.target == 0 && !s.pending:
		case c.nodeSteps+c.cost(s.target) > mostTargetSteps:
			c.skipped += s.count
		default:
			c.checkRoom(g, s, &set, keeps)
		}
	}
}

// cost returns how many steps at most it takes to compare a target with all labels.
func (t *targets) cost(target int) int {
	if target == 0 {
		return 0
	}
	return t.longer[target-1] * len(t.labels)
}

// untolerated returns the first lasting taint of a group of nodes with one of the effects that
// is not tolerated, or nil.
func (c *checker) untolerated(set *tolerated, at int, effects taint.EffectSet) *taint.Taint {
	for i := range c.nodes[at].taints {
		c.nodeSteps += 10 // it takes about as long
		x := &c.nodes[at].taints[i]
		if effects.Has(x.Effect) && !Passes(x.Key) && !set.has(x) {
			return x
		}
	}
	return nil
}

func (c *checker) checkEvicted(g *podGroup, s *part, by *taint.Taint) {
	if by != nil {
		c.add(Evicts, &s.group, "tolerations", by.Key, func() (reason, fix string) {
			return fmt.Sprintf("it runs on a node with %s, which evicts it", by), c.correction(g, []int{s.on - 1}, explain.ToStay)
		})
	}
}

// reached is a group of nodes, of which pods may use some.
type reached struct {
	at    int
	first string
	count int
}

// reach returns the groups of nodes that pods with a target may use, and remembers them.
func (c *checker) reach(target int) []reached {
	groups, known := c.reached[target]
	if known {
		return groups
	}
	before := c.targetSteps // which are for DaemonSets
	for at := range c.nodes {
		c.nodeSteps++
		if first, n := c.targeted(target, at); n > 0 {
			groups = append(groups, reached{at, first, n})
		}
	}
	c.nodeSteps, c.targetSteps = c.nodeSteps+c.targetSteps-before, before
	c.reached[target] = groups
	return groups
}

// checkRoom looks for a node that the pods may use and whose lasting taints they tolerate.
func (c *checker) checkRoom(g *podGroup, s *part, set *tolerated, keeps map[int]*taint.Taint) {
	var admitted []int
	count, first := 0, ""
	for _, of := range c.reach(s.target) {
		c.nodeSteps++
		by, known := keeps[of.at]
		if !known {
			by = c.untolerated(set, of.at, taint.Hard)
			keeps[of.at] = by
		}
		if by == nil {
			return
		}
		if admitted == nil {
			first = of.first
		}
		admitted, count = append(admitted, of.at), count+of.count
	}
	if admitted == nil || c.makesNode(g, s.target) {
		return // whatever the taints
	}
	id, waits, by := NoNode, "a new pod would wait: ", keeps[admitted[0]]
	if s.pending {
		id, waits = KeepsPending, "it waits: "
	}
	c.add(id, &s.group, "tolerations", by.Key, func() (reason, fix string) {
		nodes := "every node"
		if s.target != 0 {
			nodes += " that its node selector and affinity admit"
		}
		return fmt.Sprintf("%staints keep it from %s, %d in all, %s by %s first", waits, nodes, count, first, by),
			c.correction(g, admitted, explain.ToSchedule)
	})
}

// makesNode reports whether a pool makes a node for such pods.
func (c *checker) makesNode(g *podGroup, target int) bool {
	a := new(affinity.Required)
	if target > 0 {
		a = c.attractions[target-1]
	}
	return slices.ContainsFunc(c.pools, func(p Pool) bool {
		return p.OnDemand && a.MayMatch(&p.Labels) && match.Decide(p.Taints, g.tolerations, c.rules).Scheduling != match.Unschedulable
	})
}

// correction returns the least change with which pods of g reach the goal on one of some nodes.
// It does not look at all of many, and at those for the control plane only if there are no
// others.
func (c *checker) correction(g *podGroup, nodes []int, goal explain.Goal) string {
	const most = 10
	var best *explain.Repair
	looked, plain := 0, false
	for _, at := range nodes {
		taints := lasting(c.nodes[at].taints)
		special := slices.ContainsFunc(taints, func(x taint.Taint) bool { return isWellKnown[x.Key] })
		if looked == most || special && best != nil {
			continue
		}
		q := explain.Query{Rules: c.rules, Taints: taints, Tolerations: g.tolerations}
		r := q.Correct(goal)
		if best == nil || !plain && !special || r.Size() < best.Size() {
			best = &r
		}
		plain = plain || !special
		looked++
	}
	return strings.ReplaceAll(best.String(), "\n", " and ")
}
