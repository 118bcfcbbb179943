package lint

import (
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// misses is what keeps a DaemonSet from nodes.
type misses struct {
	count    int // of nodes
	first    int // the group of the first one
	add      []toleration.Toleration
	more     int  // additions beyond those in add
	silenced bool // whether a silence leaves out taints
}

// Limits of what a finding tells.
const (
	mostAdditions = 3 // beyond that they are counted
	mostValues    = 3 // beyond that a key is tolerated with Exists
)

// checkDaemonSet says on which nodes the DaemonSet does not run, and what would help.
func (c *checker) checkDaemonSet(g *podGroup) {
	missed := c.misses(g)
	switch {
	case missed.count > 0:
		c.report(DaemonSetMisses, &g.group, "tolerations", "", func() (reason, fix string) {
			fix = "add " + missed.additions()
			return fmt.Sprintf("taints keep it from %s, %s first", plural(missed.count, "node"), c.nodes[missed.first].name),
				fix + ", if it is to run there"
		})
	case missed.silenced:
		c.silenced++
	}
}

// additions returns the tolerations as text.
func (m *misses) additions() string {
	var list []string
	for _, t := range m.add {
		list = append(list, t.String())
	}
	text := strings.Join(list, ", ")
	if m.more > 0 {
		text += fmt.Sprintf(" and %d more", m.more)
	}
	return text
}

// misses looks for the hard taints that the DaemonSet does not tolerate. Once findings
// are only counted, it stops at the first. Taints that it tolerates by few tolerations
// it passes over as one.
func (c *checker) misses(g *podGroup) misses {
	active := c.rules.Active(nil, g.tolerations)
	set := toleration.NewSet(active)
	reaches := reachesOf(active)
	m := misses{first: len(c.nodes)}
	seen := make(map[int]bool) // groups of nodes
	all := c.muffler.silencesAll(g.silences, DaemonSetMisses)
	for effect := range taint.Hard.Known() {
		if set.Everything(taint.EffectsOf(effect)) {
			continue
		}
		for _, s := range c.sites[effect] {
			c.steps++
			c.missesAt(&m, g, s, &set, reaches, seen)
			if m.count > 0 && c.full(DaemonSetMisses) || m.silenced && all {
				return m
			}
		}
	}
	return m
}

// reachesOf returns what the tolerations that match more than one value reach.
func reachesOf(list []toleration.Toleration) map[place]*reach {
	reaches := make(map[place]*reach)
	for i := range list {
		at := place{list[i].Key, list[i].Effect}
		if reaches[at] == nil {
			reaches[at] = new(reach)
		}
		reaches[at].add(list[i].Values())
	}
	return reaches
}

// missesAt looks at the taints of one key and effect.
func (c *checker) missesAt(m *misses, g *podGroup, s *site, set *toleration.Set, reaches map[place]*reach, seen map[int]bool) {
	var r reach
	for _, at := range s.around() {
		if there := reaches[at]; there != nil {
			r.join(*there)
		}
	}
	if r.all {
		return
	}
	var untolerated []*sighting
	look := func(x *sighting) (goOn bool) {
		c.steps++
		if set.Contains(&x.taint) {
			return true
		}
		if untolerated == nil && c.silences(DaemonSetMisses, &g.group, s.key) {
			m.silenced = true
			return false
		}
		untolerated = append(untolerated, x)
		return !c.full(DaemonSetMisses)
	}
	goOn := true
	for _, x := range s.beyond(&r) {
		if goOn = goOn && look(x.sighting); !goOn {
			break
		}
	}
	for _, x := range s.others {
		if goOn = goOn && look(x); !goOn {
			break
		}
	}
	m.addSite(c, untolerated, seen)
}

// addSite adds taints with one key and effect.
func (m *misses) addSite(c *checker, untolerated []*sighting, seen map[int]bool) {
	for i, x := range untolerated {
		for _, at := range x.spots {
			c.steps++
			if !seen[at.group] {
				seen[at.group] = true
				m.count += c.nodes[at.group].count
				m.first = min(m.first, at.group)
			}
		}
		t := toleration.For(&x.taint)
		if len(untolerated) > mostValues {
			t.Operator, t.Value = toleration.OpExists, ""
			if i > 0 {
				continue
			}
		}
		if len(m.add) < mostAdditions {
			m.add = append(m.add, t)
		} else {
			m.more++
		}
	}
}
