package gen

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// stayPlan says how long the pod may stay for each NoExecute taint. For each key it has
// the tolerations that are the first to match something (rule E2), in the order of the
// list: those that count for the [toleration.Grants] of the key.
type stayPlan struct {
	groups []stayGroup // for some keys
	others []grant     // for all other keys
	// flat are all the grants, in the order of the list, to be tried one after
	// the other. It is set, and nothing else, where there are so many for any
	// key that repeating them for each key would be too much.
	flat []grant
	// limited is whether some time is limited. If not, who tolerates the taint
	// is all there is to know.
	limited bool
}

// stayGroup is what is granted to the taints that have one of some keys.
type stayGroup struct {
	keys   []string
	grants []grant
}

// grant is the time for the taints that a toleration tolerates.
type grant struct {
	toleration *toleration.Toleration
	values     toleration.Values
	after      time.Duration // negative: forever
}

// manyRepeated is how many grants for any key may be repeated for the keys.
const manyRepeated = 2_000

func newStayPlan(tolerations []toleration.Toleration) stayPlan {
	var all []grant
	var keys []string
	byKey := map[string][]int{"": nil} // positions in all
	for i := range tolerations {
		g, ok := newGrant(&tolerations[i])
		if !ok {
			continue
		}
		key := g.toleration.Key
		if _, found := byKey[key]; !found {
			keys = append(keys, key)
		}
		byKey[key] = append(byKey[key], len(all))
		all = append(all, g)
	}
	if len(keys)*len(byKey[""]) > manyRepeated {
		return stayPlan{flat: all, limited: limited(all)}
	}
	slices.Sort(keys)
	return groupGrants(all, keys, byKey)
}

// groupGrants plans for each key by itself. Keys with equal grants share a
// group, and those with the grants of all other keys need none.
func groupGrants(all []grant, keys []string, byKey map[string][]int) stayPlan {
	p := stayPlan{others: firstGrants(all, byKey[""])}
	p.limited = limited(p.others)
	bySignature := map[string]int{grantsSignature(p.others): -1}
	for _, key := range keys {
		grants := firstGrants(all, byKey[""], byKey[key])
		signature := grantsSignature(grants)
		at, found := bySignature[signature]
		switch {
		case !found:
			bySignature[signature] = len(p.groups)
			p.groups = append(p.groups, stayGroup{[]string{key}, grants})
			p.limited = p.limited || limited(grants)
		case at >= 0:
			p.groups[at].keys = append(p.groups[at].keys, key)
		}
	}
	return p
}

// newGrant returns what t grants to NoExecute taints, and whether it tolerates
// any.
func newGrant(t *toleration.Toleration) (g grant, ok bool) {
	if t.Effect != "" && t.Effect != taint.NoExecute { // E1
		return grant{}, false
	}
	g = grant{toleration: t, values: t.Values(), after: -1}
	if s := t.TolerationSeconds; s != nil {
		g.after = match.MaxDelay // E3: what would exceed it is cut to it
		if *s <= int64(match.MaxDelay/time.Second) {
			g.after = time.Duration(max(0, *s)) * time.Second // E2: zero or less is now
		}
	}
	return g, g.values.Kind != toleration.NoValue
}

// firstGrants returns those of the grants at the given positions, in their order, that
// are the first for some value of one key.
func firstGrants(all []grant, positions ...[]int) []grant {
	var grants []grant
	var ofKey []toleration.Toleration // as if there were no other
	for _, i := range slices.Sorted(slices.Values(slices.Concat(positions...))) {
		t := *all[i].toleration
		t.Key = ""
		grants, ofKey = append(grants, all[i]), append(ofKey, t)
	}
	var first []grant
	for _, i := range toleration.NewGrants(ofKey).AppendIndexes(nil) {
		first = append(first, grants[i])
	}
	return first
}

func limited(grants []grant) bool {
	return slices.ContainsFunc(grants, func(g grant) bool { return g.after >= 0 })
}

func grantsSignature(grants []grant) string {
	var b strings.Builder
	for i := range grants {
		v := &grants[i].values
		fmt.Fprintf(&b, "%d %q %d %d\n", v.Kind, v.Value, v.Bound, grants[i].after)
	}
	return b.String()
}
