package lint

import (
	"errors"
	"fmt"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// checkNodes looks at the taints. One that several lists have is looked at once.
func (c *checker) checkNodes() {
	for i := range c.nodes {
		c.checkTaintsValid(&c.nodes[i])
	}
	values := make(map[string][]*sighting)
	var order []string
	for _, s := range c.taints {
		c.checkTaint(s)
		if values[s.taint.Key] == nil {
			order = append(order, s.taint.Key)
		}
		values[s.taint.Key] = append(values[s.taint.Key], s)
	}
	for _, key := range order {
		c.checkValues(values[key])
	}
}

func (c *checker) checkTaintsValid(g *nodeGroup) {
	var invalid *taint.FieldErrors
	if !errors.As(taint.Validate(g.taints), &invalid) {
		return
	}
	for _, fault := range invalid.Faults {
		i := indexOf(fault.Field)
		c.add(InvalidTaint, &g.group, fault.Field, g.taints[i].Key, func() (reason, fix string) {
			return fmt.Sprintf("%q: %s", fault.Value, fault.Detail), taintFix(fault)
		})
	}
}

// addTaint adds a finding about the nodes that have a taint, without those that are
// silenced. Field is what follows the index in its path.
func (c *checker) addTaint(id ID, s *sighting, field string, words text) {
	c.addSpots(id, s.spots, field, s.taint.Key, words)
}

// addSpots adds a finding about the groups of nodes at the spots, each of which is
// another one.
func (c *checker) addSpots(id ID, spots []spot, field, key string, words text) {
	var g group
	for _, at := range spots {
		c.steps++
		of := &c.nodes[at.group].group
		switch {
		case c.silences(id, of, key):
			continue
		case g.count == 0:
			g.name, field = of.name, fmt.Sprintf("taints[%d]%s", at.index, field)
		}
		g.count += of.count
		g.names = append(g.names, of.names...)
	}
	if g.count == 0 {
		c.silenced++
		return
	}
	c.report(id, &g, field, key, words)
}

// checkTaint looks at one taint, wherever it is.
func (c *checker) checkTaint(s *sighting) {
	x := &s.taint
	if !quiet(x.Key) {
		if near, found := c.misspelledTaint(x.Key); found && !established[x.Key] {
			c.addTaint(LikelyMisspelled, s, ".key", func() (reason, fix string) {
				if isWellKnown[near] {
					return fmt.Sprintf("the key of %s looks like a well-known one", x), "probably " + near
				}
				return fmt.Sprintf("no toleration has the key of %s, and it looks like another one", x), "probably " + near
			})
		}
		if len(c.pods) > 0 && taint.Hard.Has(x.Effect) && !c.tolerated.has(x) {
			c.addTaint(Untolerated, s, "", func() (reason, fix string) {
				return fmt.Sprintf("no pod tolerates %s", x),
					fmt.Sprintf("add %s to the pods that the nodes are for, or remove the taint", toleration.For(x))
			})
		}
	}
	for _, at := range (place{x.Key, x.Effect}).around() {
		c.steps++
		by, compared := c.compared[at]
		if _, isNumber := integer(x.Value); compared && !isNumber {
			c.addTaint(NotANumber, s, ".value", func() (reason, fix string) {
				return fmt.Sprintf("%s has %s, and the value of %s is not a canonical integer", by.pod, by.toleration, x),
					"make it one, such as 0 or 15, or tolerate it with Exists or Equal"
			})
			break
		}
	}
}

// checkValues looks at the taints with one key.
func (c *checker) checkValues(sightings []*sighting) {
	key := sightings[0].taint.Key
	values := len(c.occupants[place{key, ""}].values)
	if values < c.values {
		return
	}
	var spots []spot
	known := make(map[int]bool) // groups, which may have several taints with the key
	for _, s := range sightings {
		for _, at := range s.spots {
			if !known[at.group] {
				known[at.group] = true
				spots = append(spots, at)
			}
		}
	}
	c.addSpots(ManyValues, spots, ".value", key, func() (reason, fix string) {
		return fmt.Sprintf("the key %q has %d values", key, values), "tolerate it with Exists, and keep times and names out of the values of taints"
	})
}
