package lint

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Node is a node of the fleet. It is plain data.
type Node struct {
	Name   string
	Taints []taint.Taint
}

// Pod is a pod, or a workload that stands for pods. It is plain data.
type Pod struct {
	Name        string // as it is to be called in findings
	Tolerations []toleration.Toleration
	// DaemonSet says that it is one, which ought to run everywhere. Its tolerations
	// include those that the DaemonSet controller adds.
	DaemonSet bool
}

// Fleet is what is checked. It is plain data; the zero Fleet is empty.
type Fleet struct {
	Rules toleration.Rules // of the cluster
	Nodes []Node
	Pods  []Pod
}

// Severity says how bad a finding is. The zero Severity is [Info]. It is a small
// integer.
type Severity uint8

// The severities, in ascending order.
const (
	Info    Severity = iota // it may well be meant
	Warning                 // it is likely not to be meant
	Error                   // the API server refuses it
)

// String returns "info", "warning" or "error", and for any other value its number.
func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Warning:
		return "warning"
	case Error:
		return "error"
	}
	return fmt.Sprintf("Severity(%d)", uint8(s))
}

// MarshalText returns the text of String. It never fails.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes of the severities. Other texts are an
// error, and s stays as it is.
func (s *Severity) UnmarshalText(text []byte) error {
	for known := Info; known <= Error; known++ {
		if known.String() == string(text) {
			*s = known
			return nil
		}
	}
	return fmt.Errorf("unknown severity %q: must be info, warning or error", text)
}

// ID names a kind of finding. It is stable.
type ID string

// The IDs. The keys of package taint's constants, which Kubernetes and the common
// autoscalers use, come and go with the state of nodes: taints with one need not be
// tolerated, and tolerations with one need not match a node. A fleet without nodes has
// no MatchesNoNode, and one without pods no Untolerated. What Kubernetes adds to pods
// whatever they tolerate (rules A2, A3) is never Redundant.
const (
	InvalidTaint      ID = "invalid-taint"      // the API server refuses the taint, though pods match it
	InvalidToleration ID = "invalid-toleration" // the API server refuses the toleration, though it matches
	NeverMatches      ID = "never-matches"      // the toleration matches no valid taint, or does not count
	OrderDecides      ID = "order-decides"      // another order of the list gives another eviction time
	UselessSeconds    ID = "useless-seconds"    // the seconds of the toleration never count
	LikelyMisspelled  ID = "likely-misspelled"  // the key looks like one that is known or in the fleet
	NotANumber        ID = "not-a-number"       // a pod compares the taint's value, which is no integer
	Everything        ID = "everything"         // the pod tolerates every taint that keeps pods out
	Redundant         ID = "redundant"          // the toleration makes no difference to the list
	MatchesNoNode     ID = "matches-no-node"    // no node has a taint that the toleration matches
	Untolerated       ID = "untolerated"        // no pod tolerates the taint
	ManyValues        ID = "many-values"        // a key has very many values in the fleet
	DaemonSetMisses   ID = "daemonset-misses"   // a DaemonSet does not run on a node
)

// kinds has the IDs in the order of reports, with their severities.
var kinds = []struct {
	id       ID
	severity Severity
}{
	{InvalidTaint, Error}, {InvalidToleration, Error},
	{NeverMatches, Warning}, {OrderDecides, Warning}, {UselessSeconds, Warning}, {LikelyMisspelled, Warning}, {NotANumber, Warning},
	{Everything, Info}, {Redundant, Info}, {MatchesNoNode, Info}, {Untolerated, Info}, {ManyValues, Info}, {DaemonSetMisses, Info},
}

// Finding is something remarkable. It is plain data.
type Finding struct {
	ID       ID       `json:"id"`
	Severity Severity `json:"severity"`
	Object   string   `json:"object"`          // the name of the first node or pod
	Count    int      `json:"count"`           // how many nodes or pods it is about
	Field    string   `json:"field,omitempty"` // such as "tolerations[2]", of the first
	Reason   string   `json:"reason"`
	Fix      string   `json:"fix,omitempty"`
}

// String returns one line. Do not parse the text.
func (f Finding) String() string {
	place := f.Object
	if f.Count > 1 {
		place += fmt.Sprintf(" and %d more", f.Count-1)
	}
	if f.Field != "" {
		place += ", " + f.Field
	}
	text := fmt.Sprintf("%s: %s: %s (%s)", f.Severity, place, f.Reason, f.ID)
	if f.Fix != "" {
		text += "; " + f.Fix
	}
	return text
}

// Silence switches an ID off for one object. With an empty ID it is for all IDs, with an
// empty object for all. It is plain data.
type Silence struct {
	ID     ID
	Object string
}

// Options of a check. The zero Options report everything, at most 100 findings of one
// ID.
type Options struct {
	Silence []Silence
	// Limit is how many findings of one ID are reported; 100 if it is zero, all if it
	// is negative.
	Limit int
	// Values is from how many values on a key has many; 100 if it is zero.
	Values int
}

// Report is the result of a check. It is plain data.
type Report struct {
	Findings []Finding `json:"findings"`
	// Counts is how many findings of each ID there are, with those beyond the limit and
	// without those that are silenced.
	Counts map[ID]int `json:"counts"`
}

// Check returns what is remarkable in the fleet. A finding is silenced if the name of
// its first object is; that of others with the same list is not looked at.
func Check(f *Fleet, o Options) Report {
	c := newChecker(f, o)
	c.checkNodes()
	c.checkPods()
	r := Report{Findings: []Finding{}, Counts: c.counts}
	for _, k := range kinds {
		r.Findings = append(r.Findings, c.found[k.id]...)
	}
	return r
}

// checker collects findings.
type checker struct {
	*fleet
	options Options
	silent  map[Silence]bool
	found   map[ID][]Finding
	counts  map[ID]int
}

func newChecker(f *Fleet, o Options) *checker {
	o.Limit, o.Values = cmp.Or(o.Limit, 100), cmp.Or(o.Values, 100)
	c := &checker{
		fleet: newFleet(f), options: o,
		silent: make(map[Silence]bool), found: make(map[ID][]Finding), counts: make(map[ID]int),
	}
	for _, s := range o.Silence {
		c.silent[s] = true
	}
	return c
}

// add adds a finding about the group, unless it is silenced or beyond the limit.
func (c *checker) add(id ID, g *group, field, reason, fix string) {
	if c.silent[Silence{id, ""}] || c.silent[Silence{"", g.name}] || c.silent[Silence{id, g.name}] || c.silent[Silence{}] {
		return
	}
	c.counts[id]++
	if c.options.Limit >= 0 && len(c.found[id]) >= c.options.Limit {
		return
	}
	i := slices.IndexFunc(kinds, func(k struct {
		id       ID
		severity Severity
	}) bool {
		return k.id == id
	})
	c.found[id] = append(c.found[id], Finding{id, kinds[i].severity, g.name, g.count, field, reason, fix})
}
