package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// misses is what keeps a DaemonSet from nodes.
type misses struct {
	count    int                     // of nodes
	first    int                     // the group of the first one
	name     string                  // of that node
	listed   []toleration.Toleration // the least additions, one for each taint
	unlisted int                     // how many more there are
	named    []string                // the additions that the fix names
	unnamed  int                     // how many more there are
	silenced bool                    // whether a silence leaves out taints
}

// Limits of what a finding tells.
const (
	mostListed = 1000 // beyond that the least additions are counted
	mostNamed  = 3    // beyond that the additions of the fix are counted
	mostValues = 3    // beyond that the fix tolerates a key and effect with Exists
)

// checkDaemonSets says on which nodes the DaemonSets of a group do not run, and what
// would help.
func (c *checker) checkDaemonSets(g *podGroup) {
	for i := range g.daemons.list {
		if d := &g.daemons.list[i]; c.tooMany(d.target) {
			c.skipped += d.count
		} else {
			c.checkDaemonSet(g, d)
		}
	}
}

func (c *checker) checkDaemonSet(g *podGroup, d *part) {
	missed := c.misses(g, d)
	switch {
	case missed.count > 0:
		f := c.report(DaemonSetMisses, &d.group, "tolerations", "", func() (reason, fix string) {
			fix = "add " + missed.additions()
			return fmt.Sprintf("taints keep it from %s, %s first", plural(missed.count, "node"), missed.name),
				fix + ", if it is to run there"
		})
		if f != nil {
			f.Additions, f.MoreAdditions = missed.listed, missed.unlisted
		}
	case missed.silenced:
		c.silenced++
	}
}

// additions returns the additions as text.
func (m *misses) additions() string {
	text := strings.Join(m.named, ", ")
	if m.unnamed > 0 {
		text += fmt.Sprintf(" and %d more", m.unnamed)
	}
	return text
}

// list adds one of the least additions.
func (m *misses) list(t toleration.Toleration) {
	if len(m.listed) < mostListed {
		m.listed = append(m.listed, t)
	} else {
		m.unlisted++
	}
}

// say adds an addition to the text of the fix.
func (m *misses) say(t *toleration.Toleration, note string) {
	if len(m.named) < mostNamed {
		m.named = append(m.named, t.String()+note)
	} else {
		m.unnamed++
	}
}

// misses looks for the hard taints that the DaemonSet does not tolerate. Once findings
// are only counted, it stops at the first. Keys of which it tolerates every value are passed
// over as one.
func (c *checker) misses(g *podGroup, d *part) misses {
	active := c.rules.Active(nil, g.tolerations)
	set := newTolerated(active)
	wide := make(map[place]bool) // where it tolerates every value
	for i := range active {
		if active[i].Values().Kind == toleration.EveryValue {
			wide[place{active[i].Key, active[i].Effect}] = true
		}
	}
	m := misses{first: len(c.nodes)}
	seen := make(map[int]sighted) // groups of nodes
	all := c.silencing.coverAll(g.silences, DaemonSetMisses)
	for _, effect := range [...]taint.Effect{taint.NoSchedule, taint.NoExecute} {
		if everything(active, effect) {
			continue
		}
		for _, s := range c.sites[effect] {
			c.steps++
			if !slices.ContainsFunc(s.around(), func(at place) bool { return wide[at] }) {
				c.missesAt(&m, g, d, s, &set, seen)
			}
			if m.count > 0 && c.full(DaemonSetMisses) || m.silenced && all {
				return m
			}
		}
	}
	return m
}

// sighted describes the nodes of a group that a DaemonSet is for.
type sighted struct {
	first   string
	count   int
	counted bool // among those that it misses
}

// sight returns which nodes of a group the DaemonSet is for, and remembers it in seen.
func (c *checker) sight(d *part, at int, seen map[int]sighted) sighted {
	there, known := seen[at]
	if !known {
		there.first, there.count = c.targeted(d.target, at)
		seen[at] = there
	}
	return there
}

// isFor reports whether the DaemonSet is for a node with the taint.
func (c *checker) isFor(d *part, x *sighting, seen map[int]sighted) bool {
	if d.target == 0 {
		return true
	}
	for _, at := range x.spots {
		c.targetSteps++
		if c.sight(d, at.group, seen).count > 0 {
			return true
		}
	}
	return false
}

// missesAt looks at the taints of one key and effect.
func (c *checker) missesAt(m *misses, g *podGroup, d *part, s *site, set *tolerated, seen map[int]sighted) {
	var untolerated []*sighting
	for _, x := range s.taints {
		c.steps++
		if set.has(&x.taint) || !c.isFor(d, x, seen) {
			continue
		}
		if untolerated == nil && c.silences(DaemonSetMisses, &g.group, s.key) {
			m.silenced = true
			return
		}
		untolerated = append(untolerated, x)
		if c.full(DaemonSetMisses) {
			break
		}
	}
	m.addSite(c, d, s, untolerated, seen)
}

// addSite adds the taints of a site that are not tolerated.
func (m *misses) addSite(c *checker, d *part, s *site, untolerated []*sighting, seen map[int]sighted) {
	wide := len(untolerated) > mostValues
	if wide {
		m.say(&toleration.Toleration{Key: s.key, Operator: toleration.OpExists, Effect: s.effect}, " (any value)")
	}
	for _, x := range untolerated {
		for _, at := range x.spots {
			c.steps++
			there := c.sight(d, at.group, seen)
			if there.counted || there.count == 0 {
				continue
			}
			there.counted = true
			seen[at.group] = there
			m.count += there.count
			if at.group < m.first {
				m.first, m.name = at.group, there.first
			}
		}
		t := toleration.For(&x.taint)
		m.list(t)
		if !wide {
			m.say(&t, "")
		}
	}
}
