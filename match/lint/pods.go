package lint

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/internal/seconds"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// checkPods looks at the tolerations.
func (c *checker) checkPods() {
	for i := range c.pods {
		g := &c.pods[i]
		c.steps += len(g.tolerations)
		c.checkValid(g)
		active := c.rules.Active(nil, g.tolerations)
		rivals := rivalsOf(active)
		c.rivals += len(rivals)
		r := redundanciesOf(g.tolerations, rivals)
		c.checkList(g, active, rivals, r)
		for j := range g.tolerations {
			c.checkToleration(g, j, r)
		}
		if g.daemonSet {
			c.checkDaemonSets(g)
		}
		c.checkStays(g, active)
	}
}

func (c *checker) checkValid(g *podGroup) {
	var invalid *taint.FieldErrors
	if !errors.As(c.rules.Validate(g.tolerations), &invalid) {
		return
	}
	for _, fault := range invalid.Faults {
		t := &g.tolerations[indexOf(fault.Field)]
		c.add(InvalidToleration, &g.group, fault.Field, t.Key, func() (reason, fix string) {
			return fmt.Sprintf("%q: %s", fault.Value, fault.Detail), tolerationFix(fault, t)
		})
	}
}

// rivalsOf returns, in their order, the tolerations that may match the same taint as
// another one: those that share their key with another, or all if one has no key.
func rivalsOf(list []toleration.Toleration) []toleration.Toleration {
	shared := make(map[string]bool, len(list))
	for i := range list {
		_, repeated := shared[list[i].Key]
		shared[list[i].Key] = repeated
	}
	if _, anyKey := shared[""]; anyKey {
		return list
	}
	var rivals []toleration.Toleration
	for i := range list {
		if shared[list[i].Key] {
			rivals = append(rivals, list[i])
		}
	}
	return rivals
}

// checkList looks at a list as a whole; active is the part that counts.
func (c *checker) checkList(g *podGroup, active, rivals []toleration.Toleration, r redundancies) {
	if !g.daemonSet && !g.static && everything(active, taint.NoSchedule) && everything(active, taint.NoExecute) {
		c.add(Everything, &g.group, "tolerations", "", func() (reason, fix string) {
			return "the pod tolerates every taint: nodes that are unreachable or shut down, too", "name the keys that are meant"
		})
	}
	x, found := orderDecides(rivals)
	if !found {
		return
	}
	c.add(OrderDecides, &g.group, "tolerations", x.Key, func() (reason, fix string) {
		i, _ := match.FirstTolerating(active, &x, c.rules)
		reason = fmt.Sprintf("for %s, %s counts because it is first, and another order gives another time", x, active[i])
		needed, _ := toleration.Minimize(nil, rivals)
		if _, still := orderDecides(needed); still {
			return reason, "keep the order, or give all that match it the same seconds"
		}
		var others []int
		for i := range r.redundant {
			if r.redundant[i] {
				others = append(others, i)
			}
		}
		return reason, "remove " + named("all that make no difference: ", others)
	})
}

// orderDecides returns a taint that a list tolerates for another time in another order, if there
// is one: the least time that any order gives differs from the most. There is none if the list is
// invalid, which is a finding.
func orderDecides(list []toleration.Toleration) (x taint.Taint, found bool) {
	if !slices.ContainsFunc(list, func(t toleration.Toleration) bool { return t.TolerationSeconds != nil }) {
		return x, false // forever, in any order
	}
	ascending := slices.Clone(list)
	slices.SortStableFunc(ascending, func(t, u toleration.Toleration) int { return seconds.Compare(&t, &u) })
	least, err := toleration.NewMeaning(ascending)
	if err != nil {
		return x, false
	}
	most, _ := toleration.NewLenientMeaning(list)
	for x, l := range most.Compare(least) {
		if l[0] != l[1] {
			return x, true
		}
	}
	return x, false
}

// everything reports whether the list tolerates every taint with the effect.
func everything(list []toleration.Toleration, e taint.Effect) bool {
	return slices.ContainsFunc(list, func(t toleration.Toleration) bool {
		return t.Key == "" && t.Operator == toleration.OpExists && (t.Effect == "" || t.Effect == e)
	})
}

// redundancies is what [toleration.Redundant] returns for a list.
type redundancies struct{ redundant, alone, shadowed []bool }

// redundanciesOf returns which tolerations make no difference to the list. All but its rivals do,
// and rivals that are not valid may.
func redundanciesOf(list, rivals []toleration.Toleration) redundancies {
	n := len(list)
	all := redundancies{make([]bool, n), make([]bool, n), make([]bool, n)}
	redundant, alone, shadowed, err := toleration.Redundant(rivals)
	if err != nil {
		return all
	}
	next := 0 // of the rivals, which keep the order
	for i := range list {
		if next < len(rivals) && rivals[next].Equal(&list[i]) {
			all.redundant[i], all.alone[i], all.shadowed[i] = redundant[next], alone[next], shadowed[next]
			next++
		}
	}
	return all
}

// checkToleration looks at one toleration of a list.
func (c *checker) checkToleration(g *podGroup, i int, r redundancies) {
	t := &g.tolerations[i]
	add := func(id ID, field string, words text) {
		c.add(id, &g.group, fmt.Sprintf("tolerations[%d]%s", i, field), t.Key, words)
	}
	switch {
	case t.Operator.Comparison() && !c.rules.Comparisons:
		add(NeverMatches, "", func() (reason, fix string) {
			return fmt.Sprintf("%s does not count without the feature gate TaintTolerationComparisonOperators", t),
				"turn the feature gate on, or list the values with Equal"
		})
	case neverMatches(t):
		add(NeverMatches, "", func() (reason, fix string) {
			return fmt.Sprintf("%s matches no valid taint", t), "correct or remove it"
		})
	case r.shadowed[i] && t.TolerationSeconds != nil:
		add(UselessSeconds, "", func() (reason, fix string) {
			return fmt.Sprintf("the seconds of %s never count: those before it match all of its taints", t), "remove it"
		})
	case r.redundant[i] && !r.alone[i] && !added[*t]:
		if !slices.ContainsFunc(g.tolerations[i+1:], func(u toleration.Toleration) bool { return added[u] && u.Effect == taint.NoExecute }) {
			add(Redundant, "", func() (reason, fix string) {
				others := entangled(g.tolerations, i, r)
				return fmt.Sprintf("%s makes no difference without %s", t, named("", others)),
					"remove it together with " + named("all after it that make no difference: ", others)
			})
		}
	case r.redundant[i] && !added[*t]:
		add(Redundant, "", func() (reason, fix string) { return redundancy(g.tolerations, i, r), "remove it" })
	case !r.redundant[i]:
		if t.TolerationSeconds != nil && *t.TolerationSeconds > maxSeconds {
			add(UselessSeconds, ".tolerationSeconds", func() (reason, fix string) {
				return fmt.Sprintf("the seconds of %s overflow: Kubernetes evicts the pod at another time or never", t), "remove the seconds to tolerate it forever"
			})
		}
		c.checkTarget(t, add)
	}
}

// neverMatches reports whether t matches no valid taint.
func neverMatches(t *toleration.Toleration) bool {
	if t.Key != "" && taint.CheckKey(t.Key) != nil || t.Effect != "" && !t.Effect.Known() {
		return true
	}
	switch v := t.Values(); v.Kind {
	case toleration.NoValue:
		return true
	case toleration.OneValue:
		return taint.CheckValue(v.Value) != nil
	case toleration.IntegersBelow:
		return v.Bound <= 0 // N3
	}
	return false
}

// entangled returns the tolerations that have to go for the one at i to make no difference: the
// redundant ones after it that may match the same NoExecute taints as it or each other.
func entangled(list []toleration.Toleration, i int, r redundancies) (others []int) {
	timed := func(j int) bool {
		return r.redundant[j] && (list[j].Effect == "" || taint.Evicting.Has(list[j].Effect))
	}
	anyKey := list[i].Key == ""
	for j := i; j < len(list); j++ {
		anyKey = anyKey || timed(j) && list[j].Key == ""
	}
	for j := i + 1; j < len(list); j++ {
		if timed(j) && (anyKey || list[j].Key == list[i].Key) {
			others = append(others, j)
		}
	}
	return others
}

// named names the tolerations of a list with these indexes, of many the first, after what all of
// them are.
func named(all string, indexes []int) string {
	var names []string
	for _, i := range indexes[:min(len(indexes), mostNamed)] {
		names = append(names, fmt.Sprintf("tolerations[%d]", i))
	}
	if more := len(indexes) - mostNamed; more > 0 {
		return fmt.Sprintf("%s%s and %d more", all, strings.Join(names, ", "), more)
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}

// maxSeconds is how many seconds a duration holds (rule E3).
const maxSeconds = math.MaxInt64 / int64(time.Second)

// looked is how much of a very long list is looked at to word a finding.
const looked = 1000

// redundancy says why a toleration is redundant. Of very long lists it looks at the
// beginning only.
func redundancy(list []toleration.Toleration, i int, r redundancies) string {
	t := &list[i]
	for j := range list[:min(len(list), looked)] {
		if !r.redundant[j] && i != j {
			m, err := toleration.NewMeaning(list[j : j+1])
			if err != nil {
				continue
			}
			if _, covered := m.Allows(t); covered {
				return fmt.Sprintf("%s is covered by tolerations[%d], %s", t, j, list[j])
			}
		}
	}
	return fmt.Sprintf("%s makes no difference beside the others", t)
}

// checkTarget looks for the taints that a toleration is for.
func (c *checker) checkTarget(t *toleration.Toleration, add func(id ID, field string, words text)) {
	at := c.occupants[place{t.Key, t.Effect}]
	if t.Key == "" || at != nil && at.have(t) {
		return // without a key it matches well-known taints, which come and go
	}
	if isWellKnown[t.Key] || Passes(t.Key) {
		if of, never := neverSet(t); never {
			add(NeverMatches, ".value", func() (reason, fix string) {
				return fmt.Sprintf("%s matches no taint: those with its key have %s", t, of), "make the operator Exists, without a value"
			})
		}
		return
	}
	if !c.names.ofTaints[t.Key] {
		if ofVendors[t.Key] {
			return
		}
		if near, found := c.misspelled(t.Key); found && !established[t.Key] {
			add(LikelyMisspelled, ".key", func() (reason, fix string) {
				return fmt.Sprintf("no taint has the key of %s, and it looks like another one", t), "probably " + near
			})
			return
		}
	}
	if len(c.nodes) == 0 {
		return
	}
	add(MatchesNoNode, "", func() (reason, fix string) {
		reason = fmt.Sprintf("no node has a taint that %s matches", t)
		if others := c.occupants[place{t.Key, ""}]; others != nil {
			return fmt.Sprintf("%s, but there is %s", reason, others.first.taint), "correct the effect or the value, or remove it"
		}
		return reason, "remove it, unless nodes with such a taint come and go"
	})
}

// neverSet says what value the taints with a well-known key have, and whether the
// toleration matches none because of it.
func neverSet(t *toleration.Toleration) (of string, never bool) {
	switch t.Key {
	case taint.KeyToBeDeleted, taint.KeyDeletionCandidate:
		_, number := integer(t.Value)
		of, never = "a time as their value", t.Values().Kind == toleration.OneValue && !number
	case taint.KeyNotReady, taint.KeyUnreachable, taint.KeyUnschedulable, taint.KeyMemoryPressure, taint.KeyDiskPressure, taint.KeyPIDPressure,
		taint.KeyNetworkUnavailable, keyKarpenterDisrupted:
		of, never = "no value", !(toleration.Rules{Comparisons: true}).Holds(t.Operator, "", t.Value)
	}
	return of, never
}
