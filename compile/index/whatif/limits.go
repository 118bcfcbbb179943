package whatif

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
)

// Limits bounds how many nodes a plan, or a stage of one, may change and how many pods it
// may evict. Only pods that are evicted because of the plan count, at once or later: see
// [Summary].
//
// The zero Limits allows everything: zero is no limit, except in a Budget. It is plain
// data; a copy shares slices.
type Limits struct {
	// MaxNodes is the number of nodes that may change.
	MaxNodes int
	// MaxPods is the number of pods that may be evicted, and MaxPercent the share of all
	// running pods, from 0 to 100, rounded down to whole pods.
	MaxPods    int
	MaxPercent float64
	// MaxPerOwner is the number of pods of any one owner that may be evicted. Pods without
	// an owner do not count.
	MaxPerOwner int
	// Budgets are disruption budgets.
	Budgets []Budget
}

// Budget is what a PodDisruptionBudget allows at the moment. Taints evict pods without
// asking for budgets (rule E6): whoever changes taints has to keep them.
//
// The zero Budget allows no eviction of any pod. It is plain data; a copy shares Owners.
type Budget struct {
	Name string // for messages
	// Owners are those whose pods count; nil is all pods, and an empty list none. An owner
	// that is repeated counts once, and one without pods adds nothing.
	Owners []string
	// Allowed is how many of the pods may be evicted: disruptionsAllowed in the status of
	// the PodDisruptionBudget.
	Allowed int
}

// LimitKind says which of the Limits a Violation is about. The zero LimitKind is
// LimitNodes. It is a small integer, free to copy and to share.
type LimitKind uint8

// The kinds of limit.
const (
	LimitNodes    LimitKind = iota // Limits.MaxNodes
	LimitPods                      // Limits.MaxPods
	LimitPercent                   // Limits.MaxPercent
	LimitPerOwner                  // Limits.MaxPerOwner
	LimitBudget                    // one of Limits.Budgets
)

// Violation is a limit that is exceeded. It is a plain value; the zero Violation means
// nothing.
type Violation struct {
	Kind LimitKind
	// Name is the owner or the name of the budget; it is empty for the other kinds.
	Name string
	// Allowed is how many nodes or pods the limit allows, and Count how many change or are
	// evicted. Of a percentage, Allowed is the pods that it comes to.
	Allowed, Count int
}

// String returns the violation as a sentence without a full stop, such as
//
//	12 pods of "Deployment shop/cart" are evicted, and 5 are allowed
func (v Violation) String() string {
	pods, verb := "pods", "are"
	if v.Count == 1 {
		pods, verb = "pod", "is"
	}
	allowed := fmt.Sprintf("%d are allowed", v.Allowed)
	if v.Allowed == 1 {
		allowed = "1 is allowed"
	}
	switch v.Kind {
	case LimitNodes: // two or more
		return fmt.Sprintf("%d nodes are affected, and %s", v.Count, allowed)
	case LimitPerOwner:
		return fmt.Sprintf("%d %s of %q %s evicted, and %s", v.Count, pods, v.Name, verb, allowed)
	case LimitBudget:
		return fmt.Sprintf("%d %s of budget %q %s evicted, and %s", v.Count, pods, v.Name, verb, allowed)
	case LimitPercent:
		return fmt.Sprintf("%d %s %s evicted, and %s by the share of running pods", v.Count, pods, verb, allowed)
	}
	return fmt.Sprintf("%d %s %s evicted, and %s", v.Count, pods, verb, allowed)
}

// Check returns the limits that the plan as a whole exceeds: those for nodes, pods and
// share first, then owners by name, then budgets in the order of the Limits. It returns
// nil if none is exceeded. It keeps nothing of the Limits, and any number of goroutines
// may call it. The time follows the number of evictions, each with the budgets of its
// owner.
//
// The error is a [*taint.FieldErrors] that names each limit that makes no sense: a
// negative number, and a percentage that is not from 0 to 100.
func (r *Result) Check(l Limits) ([]Violation, error) {
	c, err := r.counter(&l)
	if err != nil {
		return nil, err
	}
	for i := range r.nodes {
		c.addNode(r, i)
	}
	return c.violations(), nil
}

// validate returns what makes no sense.
func (l *Limits) validate() error {
	var errs taint.FieldErrors
	check := func(field string, n int) {
		if n < 0 {
			errs.Add(field, taint.Invalid, strconv.Itoa(n), "must not be negative")
		}
	}
	check("limits.maxNodes", l.MaxNodes)
	check("limits.maxPods", l.MaxPods)
	if !(l.MaxPercent >= 0 && l.MaxPercent <= 100) {
		errs.Add("limits.maxPercent", taint.Invalid, fmt.Sprint(l.MaxPercent), "must be from 0 to 100")
	}
	check("limits.maxPerOwner", l.MaxPerOwner)
	for i := range l.Budgets {
		check(fmt.Sprintf("limits.budgets[%d].allowed", i), l.Budgets[i].Allowed)
	}
	return errs.Err()
}

// counter counts nodes and evictions against limits.
type counter struct {
	limits  *Limits
	percent int // pods that MaxPercent allows

	nodes, pods int
	owners      map[string]*ownerCount
	budgets     []int
	all         []int // the budgets for all pods
	round       int   // of the counts of owners: others are zero
	over        bool  // some limit is not kept
}

// ownerCount is the pods of an owner, and the budgets for these.
type ownerCount struct {
	name    string
	pods    int
	round   int
	budgets []int
}

func (r *Result) counter(l *Limits) (*counter, error) {
	if err := l.validate(); err != nil {
		return nil, err
	}
	// The share of whole pods that binary fractions miss by a little is meant.
	share := math.Floor(float64(r.running)*l.MaxPercent/100 + 1e-6)
	c := &counter{limits: l, percent: int(share), owners: make(map[string]*ownerCount), budgets: make([]int, len(l.Budgets))}
	for i := range l.Budgets {
		b := &l.Budgets[i]
		if b.Owners == nil {
			c.all = append(c.all, i)
		}
		for _, owner := range slices.Compact(slices.Sorted(slices.Values(b.Owners))) {
			o := c.owner(owner)
			o.budgets = append(o.budgets, i)
		}
	}
	return c, nil
}

func (c *counter) owner(name string) *ownerCount {
	o := c.owners[name]
	if o == nil {
		o = &ownerCount{name: name, round: c.round}
		c.owners[name] = o
	}
	return o
}

// reset makes all counts zero.
func (c *counter) reset() {
	c.nodes, c.pods, c.over = 0, 0, false
	c.round++
	clear(c.budgets)
}

// addNode counts the i-th node of a result and the evictions from it.
func (c *counter) addNode(r *Result, i int) {
	n := &r.nodes[i]
	c.nodes++
	c.note(exceeds(c.nodes, c.limits.MaxNodes))
	for j := range n.residents {
		if r.fateOf(n, j) >= 0 {
			c.addPod(r.texts.owner(n.residents[j].owner))
		}
	}
}

// note notes that some limit is not kept.
func (c *counter) note(exceeded bool) {
	if exceeded {
		c.over = true
	}
}

// exceeds reports whether a count is more than a limit, if that is one.
func exceeds(count, limit int) bool { return limit > 0 && count > limit }

// exceedsShare reports whether the pods are more than MaxPercent allows, if that is a limit.
func (c *counter) exceedsShare() bool { return c.limits.MaxPercent > 0 && c.pods > c.percent }

func (c *counter) addPod(owner string) {
	c.pods++
	c.note(exceeds(c.pods, c.limits.MaxPods))
	c.note(c.exceedsShare())
	c.addTo(c.all)
	o := c.owner(owner)
	if o.round != c.round {
		o.pods, o.round = 0, c.round
	}
	o.pods++
	c.note(owner != "" && exceeds(o.pods, c.limits.MaxPerOwner))
	c.addTo(o.budgets)
}

// addTo counts a pod for budgets.
func (c *counter) addTo(budgets []int) {
	for _, i := range budgets {
		c.budgets[i]++
		c.note(c.budgets[i] > c.limits.Budgets[i].Allowed)
	}
}

// violations returns the limits that are not kept.
func (c *counter) violations() (vs []Violation) {
	l := c.limits
	if exceeds(c.nodes, l.MaxNodes) {
		vs = append(vs, Violation{LimitNodes, "", l.MaxNodes, c.nodes})
	}
	if exceeds(c.pods, l.MaxPods) {
		vs = append(vs, Violation{LimitPods, "", l.MaxPods, c.pods})
	}
	if c.exceedsShare() {
		vs = append(vs, Violation{LimitPercent, "", c.percent, c.pods})
	}
	first := len(vs)
	for _, o := range c.owners { // a count of an earlier round is within the limit
		if o.name != "" && exceeds(o.pods, l.MaxPerOwner) {
			vs = append(vs, Violation{LimitPerOwner, o.name, l.MaxPerOwner, o.pods})
		}
	}
	slices.SortFunc(vs[first:], func(a, b Violation) int { return cmp.Compare(a.Name, b.Name) })
	for i, n := range c.budgets {
		if b := &l.Budgets[i]; n > b.Allowed {
			vs = append(vs, Violation{LimitBudget, b.Name, b.Allowed, n})
		}
	}
	return vs
}
