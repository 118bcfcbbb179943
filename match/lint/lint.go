package lint

import (
	"cmp"
	"fmt"

	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Node is a node of the fleet. It is plain data.
type Node struct {
	Name string // as it is to be called in findings
	// Taints are spec.taints, so that a finding about "taints[0]" names the field of the
	// node. A cordon is not among them: it is no mistake.
	Taints []taint.Taint
	// NodeName is metadata.name, the name that an Affinity can ask for. If it is empty,
	// Name is used.
	NodeName string
	// Labels are those of the node. They matter only to pods with an Affinity.
	Labels map[string]string
}

// Pod is a pod, or a workload that stands for pods. It is plain data.
type Pod struct {
	Name        string // as it is to be called in findings
	Tolerations []toleration.Toleration
	// DaemonSet says that it is one, which should run everywhere. Its tolerations
	// include those that the DaemonSet controller adds.
	DaemonSet bool
	// Affinity is what it requires of its nodes: those that it does not admit do not count. The
	// zero Affinity admits all. That of a DaemonSet is what its template requires: a pod that
	// the DaemonSet controller made has the node selector of the template, but not its terms.
	Affinity affinity.Required
	// Pending says that it waits for a node, and Node is the metadata.name of the one it runs
	// on, empty if it is not known or the pod is being deleted. They tell what taints do to
	// pods now.
	Pending bool
	Node    string
	// Static says that it is a static pod, which a kubelet runs on its own node. That it
	// tolerates everything is no finding.
	Static bool
	// Count is how many pods it stands for, such as the replicas of a Deployment. Less than
	// one counts as one. Sums beyond the greatest int stay there.
	Count int
	// Removes are the keys of startup taints that stay on a node until this pod runs: on the node
	// if it is of a DaemonSet, and else anywhere. A key that ends in "/" stands for all that begin
	// with it. [StartupTaints] has those of common projects.
	Removes []string
}

// Fleet is what is checked. It is plain data; the zero Fleet is empty.
type Fleet struct {
	Rules toleration.Rules // of the cluster
	Nodes []Node
	Pods  []Pod
	Pools []Pool // that can make further nodes
}

// Finding is something remarkable. It is plain data; a copy shares its slices.
type Finding struct {
	ID       ID       `json:"id"`
	Severity Severity `json:"severity"`
	Object   string   `json:"object"`          // the name of the first node or pod
	Count    int      `json:"count"`           // how many nodes or pods it is about
	Field    string   `json:"field,omitempty"` // such as "tolerations[2].key", of the first
	Key      string   `json:"key,omitempty"`   // of the taint or toleration; empty if it is about a list, or any key
	Reason   string   `json:"reason"`
	Fix      string   `json:"fix"`
	// Additions are the least tolerations that bring a DaemonSet to all nodes that it misses:
	// one for each taint that is not silenced. If the taint is valid, it tolerates no other.
	// Beyond 1000 MoreAdditions counts them. Only DaemonSetMisses has any.
	Additions     []toleration.Toleration `json:"additions,omitempty"`
	MoreAdditions int                     `json:"moreAdditions,omitempty"`
	// Objects has the names of all nodes or pods that it is about, each once, if
	// [Options.Objects] asks for them. The first is Object.
	Objects []string `json:"objects,omitempty"`
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
	return fmt.Sprintf("%s: %s: %s (%s); %s", f.Severity, place, f.Reason, f.ID, f.Fix)
}

// Silence returns what silences the finding: its ID for its object and key, with its
// reason. If the finding has no key, that is every key of the object, and if the object
// has no name, every object. It names one object of several, the first; Silences names
// them all.
func (f Finding) Silence() Silence {
	return Silence{ID: f.ID, Object: f.Object, Key: f.Key, Reason: f.Reason}
}

// Silences returns what silences the finding for all of its Objects: a silence as of
// Silence for each. Without Objects, that is the one of Silence.
func (f Finding) Silences() []Silence {
	if len(f.Objects) == 0 {
		return []Silence{f.Silence()}
	}
	list := make([]Silence, len(f.Objects))
	for i, name := range f.Objects {
		list[i] = f.Silence()
		list[i].Object = name
	}
	return list
}

// Options of a check. The zero Options report everything, at most 100 findings of one
// ID.
type Options struct {
	// Silence is what not to report; see [ParseSilences] for a file of them.
	Silence []Silence
	// Limit is how many findings of one ID are reported; 100 if it is zero, all if it
	// is negative. Counts are exact whatever the limit.
	Limit int
	// Objects asks for the Objects of each finding, which are otherwise nil. They cost memory
	// and time in proportion to the number of names, in the fleet and in all findings that
	// are not silenced.
	Objects bool
	// Values is the least number of values that counts as many; 100 if it is zero.
	Values int
}

// Report is the result of a check. It is plain data.
type Report struct {
	Findings []Finding `json:"findings"`
	// Counts is how many findings of each ID there are, with those beyond the limit and
	// without those that are silenced.
	Counts map[ID]int `json:"counts"`
	// Silenced is how many findings were silenced.
	Silenced int `json:"silenced"`
	// Unused has the silences that silence nothing, in their order: their cause is gone,
	// or they are mistaken, or an equal one comes before them.
	Unused []Silence `json:"unused,omitempty"`
	// Skipped is the number of pods that were not checked for nodes that they miss, or for one
	// that they may use, because they and the kinds of nodes were too many: see the package
	// comment.
	Skipped int `json:"skipped,omitempty"`
}

// Check returns what is remarkable in the fleet.
//
// A finding about several nodes or pods is silenced for those that a silence names, and
// remains for the others. Pods with equal tolerations that different silences name are
// findings of their own.
func Check(f *Fleet, o Options) Report {
	c := newChecker(f, o)
	c.check()
	c.checkStartup(f)
	r := Report{Findings: []Finding{}, Counts: c.counts, Silenced: c.silenced, Unused: c.silencing.unused(), Skipped: c.skipped}
	for _, k := range kinds {
		r.Findings = append(r.Findings, c.found[k.id]...)
	}
	return r
}

// checker collects findings.
type checker struct {
	*fleet
	limit, values int
	found         map[ID][]Finding
	counts        map[ID]int
	silenced      int
}

func newChecker(f *Fleet, o Options) *checker {
	return &checker{
		fleet: newFleet(f, newSilences(o.Silence), o.Objects), limit: cmp.Or(o.Limit, 100), values: cmp.Or(o.Values, 100),
		found: make(map[ID][]Finding), counts: make(map[ID]int),
	}
}

func (c *checker) check() {
	c.checkNodes()
	c.checkPods()
}

// text is the reason and the fix of a finding. It is made for findings that are
// reported, and not for those beyond the limit.
type text func() (reason, fix string)

// add adds a finding about the group, unless it is silenced or beyond the limit.
func (c *checker) add(id ID, g *group, field, key string, words text) {
	c.steps++
	if c.silences(id, g, key) {
		c.silenced++
		return
	}
	c.report(id, g, field, key, words)
}

// report adds a finding that is not silenced and returns it. Beyond the limit it is
// counted only, and nil is returned.
func (c *checker) report(id ID, g *group, field, key string, words text) *Finding {
	c.counts[id]++
	if c.full(id) {
		return nil
	}
	reason, fix := words()
	c.found[id] = append(c.found[id], Finding{
		ID: id, Severity: id.Severity(), Object: g.name, Count: g.count, Objects: distinct(g.names), Field: field, Key: key, Reason: reason, Fix: fix,
	})
	return &c.found[id][len(c.found[id])-1]
}

// distinct returns the names, each once, in their order.
func distinct(names []string) []string {
	var list []string
	known := make(map[string]bool, len(names))
	for _, name := range names {
		if !known[name] {
			known[name] = true
			list = append(list, name)
		}
	}
	return list
}

// full reports whether further findings of the ID are only counted.
func (c *checker) full(id ID) bool { return len(c.found[id]) == c.limit }

// silences reports whether the finding about the group is silenced.
func (c *checker) silences(id ID, g *group, key string) bool {
	return c.silencing.cover(g.silences, id, key)
}
