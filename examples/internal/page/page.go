package page

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/lint"
	"github.com/tolero-dev/tolero/examples/internal/status"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Input is what a page is about. It is plain data.
type Input struct {
	Title   string
	Notes   []string // what a reader should know about it, one sentence each
	Rules   toleration.Rules
	Pool    string // the label that names the pool of a node; empty for those that are known
	Cluster *manifest.Cluster
}

// source is an input with what is looked up in it.
type source struct {
	Input
	labels  []string
	seed    maphash.Seed
	taints  map[string][]taint.Taint // of nodes, by name
	refused map[string]bool          // IDs of pods that are pending because of taints
	rowOf   map[string][]*row        // of each pod, by view
	asked   *manifest.Cluster        // the cluster, or that part of it that is asked about
	partly  bool                     // nearly all pods differ, and findings are left out
	report  *status.Report
}

// document is what the page shows; web/page.html shows it.
type document struct {
	Title    string
	Notes    []string
	Live     bool
	Headline string
	Healthy  bool
	Overview []section
	Findings []block
	Severity []severity
	Pending  []waiting
	Rest     []block // of what tolero why says
	Matrices []*matrix
	Panels   []*panel
	Pools    []pool
	Budgets  []budget
	Silences []silence
}

// section is a part of the overview.
type section struct {
	Heading, More string
	Lines         []line
	MoreLines     int
	Link          string // where the others are
}

// line is a line of the overview, with where it is explained, and the least to add.
type line struct{ Text, Link, Repair, Rest string }

// severity is how many findings are that severe.
type severity struct {
	Name, Text string
	Count      int
}

// budget is a PodDisruptionBudget.
type budget struct {
	Name    string
	Allowed int64
}

// Limits of the overview, and of the lines of an answer.
const (
	maxLines    = "20"
	maxOverview = 20
)

func newSource(in *Input) *source {
	s := &source{Input: *in, labels: command.PoolLabels(in.Pool), seed: maphash.MakeSeed(), taints: make(map[string][]taint.Taint, len(in.Cluster.Nodes)),
		refused: make(map[string]bool), rowOf: make(map[string][]*row)}
	for i := range in.Cluster.Nodes {
		s.taints[in.Cluster.Nodes[i].Name] = in.Cluster.Nodes[i].Taints()
	}
	s.bound()
	s.report = status.New(s.asked, s.Rules, s.Pool)
	for i := range s.report.Pending {
		if c := &s.report.Pending[i]; c.Kind == "taints" {
			for _, name := range c.Pods {
				s.refused[name] = true
			}
		}
	}
	return s
}

// Limits of what is asked about a cluster in which much is different.
const (
	maxQuestions = 2_000_000 // pairs of a pending pod's list and different taints that are explained, or fewer of long lists
	maxDifferent = 50_000    // toleration lists that package lint looks at
)

// bound makes a smaller cluster to ask about where answers would take minutes: with fewer
// pending pods, or if nearly all pods differ with those alone that are in trouble.
func (in *source) bound() {
	lists := make(map[string]bool)
	for _, taints := range in.taints {
		lists[listed(taints)] = true
	}
	room := maxQuestions
	different := make(map[uint64]bool)
	kept := make(map[string]bool)
	left := make(map[int]bool)
	var key []byte
	for i := range in.Cluster.Pods {
		p := &in.Cluster.Pods[i]
		if len(different) <= maxDifferent {
			key = tolerationList(p, key[:0])
			different[maphash.Bytes(in.seed, key)] = true
		}
		if !p.Pending() {
			continue
		}
		key = workload(p, key[:0])
		switch {
		case kept[string(key)]:
		case room < 0:
			left[i] = true
		default:
			kept[string(key)] = true
			room -= len(lists) * (1 + len(p.SpecTolerations)/4)
		}
	}
	in.partly = len(different) > maxDifferent
	in.asked = in.Cluster
	if len(left) == 0 && !in.partly {
		return
	}
	smaller := *in.Cluster
	smaller.Pods = nil
	for i := range in.Cluster.Pods {
		p := &in.Cluster.Pods[i]
		_, _, evicted := in.need(p)
		if !left[i] && (!in.partly || p.Pending() || evicted > 0) {
			smaller.Pods = append(smaller.Pods, *p)
		}
	}
	in.asked = &smaller
	in.Notes = slices.Clip(in.Notes)
	if len(left) > 0 {
		in.Notes = append(in.Notes, command.Plural(len(left), "pending pod")+" left out of the explanations, because they are so many, and so different: tolero why POD tells.")
	}
	if in.partly {
		in.Notes = append(in.Notes, "Findings are left out, because nearly all pods are different: tolero lint tells.")
	}
}

// headline says how large the cluster is, and that nothing is wrong if that is known.
func (in *source) headline() string {
	if in.asked == in.Cluster {
		return in.report.Headline()
	}
	pods := int64(0)
	for i := range in.Cluster.Pods {
		pods += in.Cluster.Pods[i].Count
	}
	return command.Plural(len(in.Cluster.Nodes), "node") + " and " + command.Plural(pods, "pod") + "."
}

// newDocument returns what the page shows.
func newDocument(s *source, live bool) (*document, error) {
	d := &document{Title: s.Title, Notes: s.Notes, Live: live, Headline: s.headline(), Healthy: s.report.Healthy() && s.asked == s.Cluster}
	places, err := s.pending(d)
	if err != nil {
		return nil, err
	}
	for i := range views {
		m := s.newMatrix(&views[i])
		d.Matrices = append(d.Matrices, m)
		d.Panels = append(d.Panels, s.panels(m, live)...)
	}
	d.Overview = s.overview(d.Pending, places, d.Matrices[0])
	if !s.partly {
		if err := s.findings(d); err != nil {
			return nil, err
		}
	}
	d.Pools = s.pools(d.Matrices[0])
	d.Silences = s.silences(d.Matrices[0])
	for i := range s.Cluster.Budgets {
		b := &s.Cluster.Budgets[i]
		d.Budgets = append(d.Budgets, budget{b.Namespace + "/" + b.Name, b.DisruptionsAllowed})
	}
	return d, nil
}

// findings sets what tolero lint says.
func (in *source) findings(d *document) error {
	for _, name := range []string{"error", "warning", "info"} {
		n := in.report.Findings[name]
		text := strings.TrimPrefix(command.Plural(n, name), command.Thousands(n)+" ")
		d.Severity = append(d.Severity, severity{name, strings.Replace(text, "infos", "info", 1), n})
	}
	findings, err := in.ask(in.asked, lint.Command, "", "-limit", maxLines)
	if err != nil {
		return err
	}
	d.Findings = blocksOf(findings)
	for _, name := range []string{"info", "warning", "error"} { // the first of each
		if i := slices.IndexFunc(d.Findings, func(b block) bool { return b.Depth == 0 && len(b.Text) > len(name) && b.Text[:len(name)+1] == name+":" }); i >= 0 {
			d.Findings[i].ID = "findings-" + name
		}
	}
	return nil
}

// overview returns what status says is wrong, each with where the page explains it.
func (in *source) overview(pending []waiting, places map[string]int, m *matrix) (sections []section) {
	cells := in.cellsOf(m)
	for _, s := range in.report.Sections() {
		to := section{Heading: s.Heading, More: s.More, MoreLines: max(0, len(s.Lines)-maxOverview), Link: "workloads"}
		for _, l := range s.Lines[:len(s.Lines)-to.MoreLines] {
			shown := line{Text: cuts(l.Text), Link: to.Link}
			if column := m.of[l.Node]; column != nil {
				shown.Link = column.ID
			}
			if len(l.Pods) > 0 && l.Node != "" {
				shown.Link = cmp.Or(cells[l.Pods[0]], shown.Link)
			} else if len(l.Pods) > 0 {
				to.Link = "why"
				if strings.Contains(l.Text, " more: ") && len(l.Pods) <= maxOverview {
					shown.Rest = strings.Join(l.Pods, ", ")
				}
				if at, found := places[l.Pods[0]]; found {
					shown.Link, shown.Repair = pending[at].ID, pending[at].repair()
				}
			}
			to.Lines = append(to.Lines, shown)
		}
		sections = append(sections, to)
	}
	return sections
}

// cellsOf returns where the cells of the pods are explained that are evicted.
func (in *source) cellsOf(m *matrix) map[string]string {
	cells := make(map[string]string)
	for i := range in.report.Evictions {
		cells[in.report.Evictions[i].Pod] = ""
	}
	for i, r := range in.rowOf[m.ID] {
		p := &in.Cluster.Pods[i]
		if to := m.of[p.NodeName]; to != nil && r != nil {
			if _, evicted := cells[p.ID()]; evicted {
				cells[p.ID()] = r.Cells[to.at].Link
			}
		}
	}
	return cells
}
