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
// The zero Limits allows everything: zero is no limit, except in a Budget.
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
	Budgets     []Budget
}

// Budget is what a PodDisruptionBudget allows at the moment. Taints evict pods without
// asking for budgets (rule E6): whoever changes taints has to keep them.
//
// The zero Budget allows no eviction of any pod. It is plain data; a copy shares its lists.
type Budget struct {
	Name string // for messages
	// Owners are those whose pods count, and Pods the names of further pods; if both are nil,
	// all pods count, and none if the lists are empty. A pod that is named twice counts once,
	// and an owner without pods adds nothing.
	Owners, Pods []string
	// Allowed is how many of the pods may be evicted: disruptionsAllowed in the status of
	// the PodDisruptionBudget.
	Allowed int
}

// Violation is a limit that is exceeded. It is plain data.
type Violation struct {
	// Limit is the field of the Limits, such as "MaxPods" or "Budgets".
	Limit string
	// Name is the owner or the name of the budget; it is empty for the other limits.
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
	switch v.Limit {
	case "MaxNodes": // two or more
		return fmt.Sprintf("%d nodes are affected, and %s", v.Count, allowed)
	case "MaxPerOwner":
		pods = fmt.Sprintf("%s of %q", pods, v.Name)
	case "Budgets":
		pods = fmt.Sprintf("%s of budget %q", pods, v.Name)
	case "MaxPercent":
		allowed += " by the share of running pods"
	}
	return fmt.Sprintf("%d %s %s evicted, and %s", v.Count, pods, verb, allowed)
}

// Check returns the limits that the plan as a whole exceeds: those for nodes, pods and
// share first, then owners by name, then budgets in the order of the Limits. It returns
// nil if none is exceeded. It retains nothing of the Limits.
//
// The error is a [*taint.FieldErrors] that names each limit that makes no sense: a
// negative number, and a percentage that is not from 0 to 100.
func (r *Result) Check(l Limits) ([]Violation, error) {
	c, err := r.counter(&l)
	if err != nil {
		return nil, err
	}
	for i := range r.nodes {
		c.addNode(&r.nodes[i])
	}
	return c.violations(), nil
}

// validate returns what makes no sense.
func (l *Limits) validate() error {
	var errs taint.FieldErrors
	check := func(field string, n int) {
		if n < 0 {
			errs.Add(field, "invalid value", strconv.Itoa(n), "must not be negative")
		}
	}
	check("limits.maxNodes", l.MaxNodes)
	check("limits.maxPods", l.MaxPods)
	if !(l.MaxPercent >= 0 && l.MaxPercent <= 100) {
		errs.Add("limits.maxPercent", "invalid value", fmt.Sprint(l.MaxPercent), "must be from 0 to 100")
	}
	check("limits.maxPerOwner", l.MaxPerOwner)
	for i := range l.Budgets {
		check(fmt.Sprintf("limits.budgets[%d].allowed", i), l.Budgets[i].Allowed)
	}
	return errs.Err()
}

// counter counts nodes and evictions against limits.
type counter struct {
	limits   *Limits
	percent  int              // pods that MaxPercent allows
	budgetOf map[string][]int // by owner: its budgets
	ofPod    map[string][]int // by pod: the budgets that name it
	all      []int            // the budgets for all pods

	nodes, pods int
	owners      map[string]int // pods
	budgets     []int          // pods
	over        bool           // some limit is not kept
}

func (r *Result) counter(l *Limits) (*counter, error) {
	if err := l.validate(); err != nil {
		return nil, err
	}
	// The share of whole pods that binary fractions miss by a little is meant.
	share := math.Floor(float64(r.running)*l.MaxPercent/100 + 1e-6)
	c := &counter{limits: l, percent: int(share), budgetOf: make(map[string][]int), ofPod: make(map[string][]int)}
	for i := range l.Budgets {
		b := &l.Budgets[i]
		if b.Owners == nil && b.Pods == nil {
			c.all = append(c.all, i)
		}
		addOnce(c.budgetOf, b.Owners, i)
		addOnce(c.ofPod, b.Pods, i)
	}
	c.reset()
	return c, nil
}

// addOnce adds a budget to those of each name.
func addOnce(budgets map[string][]int, names []string, budget int) {
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		budgets[name] = append(budgets[name], budget)
	}
}

// reset makes all counts zero.
func (c *counter) reset() {
	c.nodes, c.pods, c.over = 0, 0, false
	c.owners, c.budgets = make(map[string]int), make([]int, len(c.limits.Budgets))
}

// addNode counts a node and the evictions from it.
func (c *counter) addNode(n *node) {
	l := c.limits
	c.nodes++
	c.over = exceeds(c.nodes, l.MaxNodes)
	for _, x := range n.evictions {
		owner := x.pod.in[byOwner].name
		c.pods++
		c.owners[owner]++
		c.over = c.over || exceeds(c.pods, l.MaxPods) || c.exceedsShare() || owner != "" && exceeds(c.owners[owner], l.MaxPerOwner)
		for at, budgets := range [...][]int{c.all, c.budgetOf[owner], c.ofPod[x.pod.name]} {
			for _, i := range budgets {
				if _, again := slices.BinarySearch(c.budgetOf[owner], i); again && at == 2 {
					continue // counted with its owner
				}
				c.budgets[i]++
				c.over = c.over || c.budgets[i] > l.Budgets[i].Allowed
			}
		}
	}
}

// exceeds reports whether a count is more than a limit, if that is one.
func exceeds(count, limit int) bool { return limit > 0 && count > limit }

// exceedsShare is exceeds for MaxPercent, which may allow no pods.
func (c *counter) exceedsShare() bool { return c.limits.MaxPercent > 0 && c.pods > c.percent }

// violations returns the limits that are not kept.
func (c *counter) violations() (vs []Violation) {
	l := c.limits
	if exceeds(c.nodes, l.MaxNodes) {
		vs = append(vs, Violation{"MaxNodes", "", l.MaxNodes, c.nodes})
	}
	if exceeds(c.pods, l.MaxPods) {
		vs = append(vs, Violation{"MaxPods", "", l.MaxPods, c.pods})
	}
	if c.exceedsShare() {
		vs = append(vs, Violation{"MaxPercent", "", c.percent, c.pods})
	}
	first := len(vs)
	for name, pods := range c.owners {
		if name != "" && exceeds(pods, l.MaxPerOwner) {
			vs = append(vs, Violation{"MaxPerOwner", name, l.MaxPerOwner, pods})
		}
	}
	slices.SortFunc(vs[first:], func(a, b Violation) int { return cmp.Compare(a.Name, b.Name) })
	for i, n := range c.budgets {
		if b := &l.Budgets[i]; n > b.Allowed {
			vs = append(vs, Violation{"Budgets", b.Name, b.Allowed, n})
		}
	}
	return vs
}
