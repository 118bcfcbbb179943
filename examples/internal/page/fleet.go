package page

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/match/dialect"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// How many rows and columns a matrix has at most: the heaviest.
const (
	maxRows    = 160
	maxColumns = 24
)

// row is pods that are alike: those of a workload, or all with the same tolerations.
type row struct {
	ID        string
	Namespace string
	Name      string
	Pods      int64
	Pending   int64
	Refused   int64 // of those that are pending, how many because of taints
	Evicted   int64
	Cells     []cell
	Accepting int    // columns with a node that accepts it
	Only      string // the only one, if there is one of several

	class  *class
	sample *manifest.Pod
}

// class is what decides which nodes accept pods. Rows share it.
type class struct {
	id          int
	tolerations []toleration.Toleration
	required    affinity.Required
	whole       bool // nothing of required is unknown
}

// column is nodes that belong together: a pool, or all with the same taints.
type column struct {
	ID    string
	Name  string
	Nodes int64
	at    int    // its place
	label string // that names the pool, or empty
	nodes []int32
}

// Title names the column in a sentence.
func (to *column) Title() string {
	if to.label != "" {
		return "pool " + to.Name
	}
	return "nodes with " + to.Name
}

// view is how a matrix puts pods and nodes together.
type view struct {
	ID, Title, About string
	row              func(p *manifest.Pod, key []byte) []byte
	column           func(n *manifest.Node, labels []string) string
}

// views are those of the page: the first is how an operator thinks, and the second how the
// scheduler does.
var views = [...]view{
	{"w", "Workloads by pools", "How many nodes of a pool accept a workload, by their taints and by its node selector, required node affinity and volumes.", workload, poolOf},
	{"l", "Toleration lists by taint lists", "The same by taints alone: pods with the same tolerations, and nodes with the same taints.", tolerationList, taintList},
}

// workload appends what tells rows of workloads apart: the name, and lists and requirements,
// which differ while a new version of it is rolled out.
func workload(p *manifest.Pod, key []byte) []byte {
	key = append(append(key, command.Owner(p)...), 0)
	key = toleration.AppendList(key, command.Tolerations(p))
	if required, _ := command.Affinity(p); !required.IsZero() {
		key = fmt.Appendf(key, "\x00%#v", required)
	}
	return key
}

func tolerationList(p *manifest.Pod, key []byte) []byte {
	return toleration.AppendList(key, command.Tolerations(p))
}

// poolOf returns the pool of a node; of one without, its lasting taints, or else its zone.
func poolOf(n *manifest.Node, labels []string) string {
	if pool := command.Pool(n, labels); pool != "" {
		return pool
	}
	kubernetes := dialect.Kubernetes()
	lasting := slices.DeleteFunc(slices.Clone(n.Taints()), func(t taint.Taint) bool {
		return t.Effect == taint.PreferNoSchedule || kubernetes.Class(&t) != dialect.Permanent
	})
	switch zone := zoneOf(n); {
	case len(lasting) > 0:
		return listed(lasting)
	case zone != "":
		return "zone " + zone
	}
	return "no pool"
}

// zoneOf returns the zone of a node as people write it: the region and the zone.
func zoneOf(n *manifest.Node) string {
	return strings.Trim(strings.ReplaceAll(lifecycle.ZoneKey(n.Labels), ":\x00:", "/"), "/")
}

// taintList returns the taints of a node. Times, which soft taints of autoscalers have as
// values, are left out: each node would be a column of its own.
func taintList(n *manifest.Node, _ []string) string {
	taints := slices.Clone(n.Taints())
	for i := range taints {
		if t := &taints[i]; t.Effect == taint.PreferNoSchedule {
			if _, err := strconv.ParseInt(t.Value, 10, 64); err == nil {
				t.Value = "TIME"
			}
		}
	}
	return cmp.Or(listed(taints), "no taints")
}

func listed(taints []taint.Taint) string {
	words := make([]string, len(taints))
	for i := range taints {
		words[i] = taints[i].String()
	}
	return strings.Join(words, ", ")
}

// columnsOf returns the columns of the cluster, the largest first, and how many are left out.
func columnsOf(v *view, c *manifest.Cluster, labels []string) (all []*column, more int) {
	at := make(map[string]*column)
	for i := range c.Nodes {
		n := &c.Nodes[i]
		name := v.column(n, labels)
		to := at[name]
		if to == nil {
			to = &column{Name: name}
			at[name] = to
			all = append(all, to)
			for _, label := range labels {
				if v.ID == "w" && to.label == "" && n.Labels[label] == name {
					to.label = label
				}
			}
		}
		to.Nodes++
		to.nodes = append(to.nodes, int32(i))
	}
	slices.SortStableFunc(all, func(a, b *column) int { return cmp.Compare(b.Nodes, a.Nodes) })
	more = max(0, len(all)-maxColumns)
	all = all[:len(all)-more]
	for i, to := range all {
		to.ID, to.at = fmt.Sprintf("%sp%d", v.ID, i), i
	}
	return all, more
}

// need is what a pod adds to the weight of its row: who is in trouble comes first.
func (in *source) need(p *manifest.Pod) (pending, refused, evicted int64) {
	switch {
	case p.Kind == "Pod" && p.Pending():
		pending = p.Count
		if in.refused[p.ID()] {
			refused = p.Count
		}
	case p.NodeName != "" && match.Decide(in.taints[p.NodeName], command.Tolerations(p), in.Rules).Eviction != match.Stay:
		evicted = p.Count
	}
	return pending, refused, evicted
}

// rowsOf returns the rows of the cluster, the heaviest first, and how many are left out. A
// row is made only once it is known to be among the heaviest: there may be a million.
func (in *source) rowsOf(v *view) (rows []*row, more int) {
	chosen, more := in.heaviest(v)
	at := make(map[string]*row)
	classes := make(map[string]*class)
	var key []byte
	for i := range in.Cluster.Pods {
		p := &in.Cluster.Pods[i]
		key = v.row(p, key[:0])
		if !chosen[maphash.Bytes(in.seed, key)] {
			continue
		}
		r := at[string(key)]
		if r == nil {
			r = in.newRow(v, p, classes)
			at[string(key)] = r
			rows = append(rows, r)
		}
		pending, refused, evicted := in.need(p)
		r.Pods, r.Pending, r.Refused, r.Evicted = r.Pods+p.Count, r.Pending+pending, r.Refused+refused, r.Evicted+evicted
		if r.Refused > 0 && !r.sample.Pending() {
			r.sample = p
		}
		in.rowOf[v.ID][i] = r
	}
	slices.SortStableFunc(rows, func(a, b *row) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(b.weight(), a.weight()))
	})
	for i, r := range rows {
		r.ID = fmt.Sprintf("%sr%d", v.ID, i)
	}
	return rows, more
}

func (r *row) weight() int64 { return r.Pods + trouble*(r.Pending+r.Evicted) }

// trouble is how much heavier pods are that are pending or evicted.
const trouble = 1_000_000

// heaviest returns the hashes of the keys of the heaviest rows, and how many others there are.
func (in *source) heaviest(v *view) (chosen map[uint64]bool, more int) {
	type weight struct {
		hash uint64
		sum  int64
	}
	at := make(map[uint64]int)
	var all []weight
	var key []byte
	for i := range in.Cluster.Pods {
		p := &in.Cluster.Pods[i]
		key = v.row(p, key[:0])
		hash := maphash.Bytes(in.seed, key)
		j, found := at[hash]
		if !found {
			j = len(all)
			at[hash] = j
			all = append(all, weight{hash, 0})
		}
		pending, _, evicted := in.need(p)
		all[j].sum += p.Count + trouble*(pending+evicted)
	}
	slices.SortStableFunc(all, func(a, b weight) int { return cmp.Compare(b.sum, a.sum) })
	more = max(0, len(all)-maxRows)
	chosen = make(map[uint64]bool)
	for _, w := range all[:len(all)-more] {
		chosen[w.hash] = true
	}
	return chosen, more
}

func (in *source) newRow(v *view, p *manifest.Pod, classes map[string]*class) *row {
	r := &row{Namespace: cut(p.Namespace), Name: command.Owner(p), sample: p}
	made := &class{tolerations: command.Tolerations(p), whole: true}
	if v.ID == "w" {
		made.required, made.whole = command.Affinity(p)
		r.Name = cut(strings.Replace(r.Name, " "+p.Namespace+"/", " ", 1))
	} else {
		r.Namespace, r.Name = "", cmp.Or(cut(strings.ReplaceAll(toleration.FormatList(made.tolerations), ",", ", ")), "no tolerations")
	}
	key := fmt.Sprintf("%s\n%#v %t", toleration.FormatList(made.tolerations), made.required, made.whole)
	if r.class = classes[key]; r.class == nil {
		made.id = len(classes)
		classes[key], r.class = made, made
	}
	return r
}
