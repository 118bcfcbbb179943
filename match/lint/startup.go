package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Pool is what new nodes are made from. The zero Pool makes nodes without taints. It is plain
// data; a copy shares lists and labels.
type Pool struct {
	Name     string            // as it is to be called in findings
	Taints   []taint.Taint     // that its nodes keep
	Startup  []taint.Taint     // that they are made with, for somebody to remove
	Labels   affinity.Template // of its nodes
	OnDemand bool              // it makes nodes for pods that wait
}

// startup is who waits for whom on new nodes: a startup taint goes once its parties run, and a
// party runs on a node once the taints there that it does not tolerate are gone.
//
//	taint ──goes once it runs──> party ──does not tolerate──> taint
type startup struct {
	rules   toleration.Rules
	pools   []startPool
	parties []*party
	removed map[string]bool // whether a party removes taints with a key
	gone    [][]bool        // by pool and startup taint
	steps   int
}

// startPool is a pool, or a node that has startup taints still.
type startPool struct {
	Pool
	node   string // its metadata.name
	fields []string
}

// party is what startup taints wait for: a DaemonSet has to run on the node, and others anywhere.
type party struct {
	*Pod
	anywhere bool
	runs     bool            // somewhere
	on       map[string]bool // nodes
	barriers []barrier       // by pool
}

// barrier is what keeps a party from a pool.
type barrier struct {
	excluded bool         // by its node selector and affinity
	lasting  *taint.Taint // that nobody removes
	startup  []int        // that are to go
}

// wait is one step of the graph: the taint waits for the party, and that for another taint of a pool.
type wait struct {
	party *party
	pool  int
	next  int // in Startup of the pool; -1 if it waits in vain
}

// mostStartupSteps bounds the looks at a party and a pool.
const mostStartupSteps = 10_000_000

func newStartup(f *Fleet) *startup {
	s := &startup{rules: f.Rules, removed: make(map[string]bool)}
	byName := make(map[string]*party)
	for i := range f.Pods {
		p := &f.Pods[i]
		if len(p.Removes) == 0 {
			continue
		}
		a := byName[p.Name]
		if a == nil {
			a = &party{Pod: p, on: make(map[string]bool)}
			a.anywhere = !p.DaemonSet || slices.Contains(p.Removes, taint.KeyCloudProviderUninitialized) // of all nodes
			byName[p.Name] = a
			s.parties = append(s.parties, a)
		}
		a.runs, a.on[p.Node] = a.runs || p.Node != "", true
	}
	if len(s.parties) > 0 {
		s.addPools(f)
		for _, a := range s.parties {
			s.findBarriers(a, f.Nodes)
		}
	}
	return s
}

// removes reports whether a taint waits for the party.
func (a *party) removes(x *taint.Taint) bool {
	return slices.ContainsFunc(a.Removes, func(key string) bool {
		return key == x.Key || strings.HasSuffix(key, "/") && strings.HasPrefix(x.Key, key)
	})
}

// addPools adds the pools, and one node of those with the same startup taints.
func (s *startup) addPools(f *Fleet) {
	for _, p := range f.Pools {
		of := startPool{Pool: p}
		of.Taints = nil
		for i := range p.Startup {
			of.fields = append(of.fields, fmt.Sprintf("startupTaints[%d]", i))
		}
		of.Startup = slices.Clip(of.Startup)
		s.divide(&of, p.Taints)
		s.pools = append(s.pools, of)
	}
	known := make(map[string]bool)
	for i := range f.Nodes {
		n := &f.Nodes[i]
		of := startPool{Pool: Pool{Name: n.Name, Labels: affinity.Template{Labels: n.Labels}}, node: n.nodeName()}
		s.divide(&of, n.Taints)
		if of.Startup == nil {
			continue
		}
		if text := taint.FormatList(n.Taints); !known[text] {
			known[text] = true
			s.pools = append(s.pools, of)
		}
	}
	for i := range s.pools {
		s.gone = append(s.gone, make([]bool, len(s.pools[i].Startup)))
	}
}

// divide adds taints to those that somebody removes and to those that stay. Others that come and go
// are neither.
func (s *startup) divide(of *startPool, taints []taint.Taint) {
	for i, x := range taints {
		removed, known := s.removed[x.Key]
		if !known {
			s.steps += len(s.parties)
			removed = s.steps <= mostStartupSteps && slices.ContainsFunc(s.parties, func(a *party) bool { return a.removes(&x) })
			s.removed[x.Key] = removed
		}
		if removed {
			of.Startup, of.fields = append(of.Startup, x), append(of.fields, fmt.Sprintf("taints[%d]", i))
		} else if !Passes(x.Key) {
			of.Taints = append(of.Taints, x)
		}
	}
}

// findBarriers finds what keeps the party from each pool. One that has to run anywhere, and does
// or can on a node that is there, is kept from none.
func (s *startup) findBarriers(a *party, nodes []Node) {
	accepted := a.anywhere && (a.runs || slices.ContainsFunc(nodes, func(n Node) bool {
		s.steps += 1 + len(n.Taints)
		return s.steps > mostStartupSteps ||
			match.Decide(n.Taints, a.Tolerations, s.rules).Scheduling != match.Unschedulable && a.Affinity.Matches(n.nodeName(), n.Labels)
	}))
	for i := range s.pools {
		p, b := &s.pools[i], barrier{}
		s.steps += 1 + len(p.Taints) + len(p.Startup)
		if s.steps > mostStartupSteps {
			return
		}
		if !accepted && !(p.node != "" && a.on[p.node]) {
			b.excluded = !a.Affinity.MayMatch(&p.Labels)
			if at := match.Decide(p.Taints, a.Tolerations, s.rules); at.Scheduling == match.Unschedulable {
				b.lasting = &p.Taints[at.SchedulingTaint]
			}
			for j := range p.Startup {
				if taint.Hard.Has(p.Startup[j].Effect) && !match.Tolerates(a.Tolerations, &p.Startup[j], s.rules) {
					b.startup = append(b.startup, j)
				}
			}
		}
		a.barriers = append(a.barriers, b)
	}
}

// at returns what the party waits for on a new node of the pool, or nil if it runs there.
func (s *startup) at(a *party, pool int) *wait {
	s.steps++
	b := &a.barriers[pool]
	if b.excluded || b.lasting != nil {
		return &wait{a, pool, -1}
	}
	for _, i := range b.startup {
		if !s.gone[pool][i] {
			return &wait{a, pool, i}
		}
	}
	return nil
}

// of returns what the party waits for to remove a taint of the pool, or nil if it does so.
func (s *startup) of(a *party, pool int) *wait {
	first := s.at(a, pool)
	for i := 0; a.anywhere && first != nil && i < len(s.pools); i++ {
		if w := s.at(a, i); w == nil || first.next < 0 && w.next >= 0 {
			first = w
		}
	}
	return first
}

// holds returns what a startup taint of the pool waits for, or nil if it goes. It needs one
// DaemonSet of those that remove it, if there are any, and one of the others. A taint that nobody
// is known to remove is taken to go.
func (s *startup) holds(pool, i int) *wait {
	for _, anywhere := range [...]bool{false, true} {
		var first *wait
		for _, a := range s.parties {
			if a.anywhere != anywhere || !a.removes(&s.pools[pool].Startup[i]) {
				continue
			}
			w := s.of(a, pool)
			if w == nil {
				first = nil
				break
			}
			if first == nil || first.next < 0 {
				first = w
			}
		}
		if first != nil {
			return first
		}
	}
	return nil
}

// run lets all taints go that can, and reports whether it took too many steps.
func (s *startup) run() (tooMany bool) {
	for again := true; again; {
		again = false
		for pool := range s.gone {
			for i, gone := range s.gone[pool] {
				if s.steps > mostStartupSteps {
					return true
				}
				if !gone && s.holds(pool, i) == nil {
					s.gone[pool][i], again = true, true
				}
			}
		}
	}
	return s.steps > mostStartupSteps
}

// chain returns what a taint that stays waits for, step by step: until it waits in vain, or for
// itself. It is nil if another taint stands for it: the first of a circle, or the one that the last
// party waits for.
func (s *startup) chain(pool, i int) (steps []*wait) {
	at, start := [2]int{pool, i}, [2]int{pool, i}
	for seen := make(map[[2]int]bool); !seen[at] && slices.Compare(at[:], start[:]) >= 0; {
		seen[at] = true
		w := s.holds(at[0], at[1])
		steps = append(steps, w)
		if at = [2]int{w.pool, w.next}; at == start || w.next < 0 && len(steps) == 1 {
			return steps
		}
		if w.next < 0 {
			break
		}
	}
	return nil
}

// checkStartup looks for startup taints that never go.
func (c *checker) checkStartup(f *Fleet) {
	s := newStartup(f)
	if s.run() {
		c.skipped += len(s.parties)
		return
	}
	for pool := range s.pools {
		p := &s.pools[pool]
		for i, gone := range s.gone[pool] {
			if gone {
				continue
			}
			if steps := s.chain(pool, i); steps != nil {
				g := group{name: p.Name, names: []string{p.Name}, count: 1, silences: c.silencing.scope(p.Name)}
				c.add(StartupDeadlock, &g, p.fields[i], p.Startup[i].Key, func() (reason, fix string) { return s.words(pool, i, steps) })
			}
		}
	}
}

// words says why a taint stays, and what to change.
func (s *startup) words(pool, i int, steps []*wait) (reason, fix string) {
	var chain, fixes []string
	whom := "which it waits for"
	for _, w := range steps {
		b, name := &w.party.barriers[w.pool], w.party.Name
		by, help := "is not for such nodes by its node selector and affinity", "let "+name+" go there, or take the startup taint away"
		switch {
		case w.next >= 0:
			x := &s.pools[w.pool].Startup[w.next]
			by, help = fmt.Sprintf("does not tolerate %s", x), fmt.Sprintf("add %s to %s", toleration.For(x), name)
		case b.lasting != nil:
			by, help = fmt.Sprintf("does not tolerate %s", b.lasting), fmt.Sprintf("add %s to %s, or take the startup taint away", toleration.For(b.lasting), name)
		}
		if w.pool != pool {
			by += " of " + s.pools[w.pool].Name
		}
		chain, fixes = append(chain, name+", "+whom+", "+by), append(fixes, help)
		whom = "which that waits for"
	}
	if len(steps) > 1 {
		chain = append(chain, "a circle")
	}
	keep := "new nodes keep"
	if s.pools[pool].node != "" {
		keep = "the node keeps"
	}
	return fmt.Sprintf("%s %s forever: %s", keep, s.pools[pool].Startup[i], strings.Join(chain, "; ")), strings.Join(fixes, ", or ")
}
