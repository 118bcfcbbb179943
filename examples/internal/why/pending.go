package why

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/placement"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/match/lint"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// The kinds of causes for which pods are pending.
const (
	byGate      = "schedulingGate"
	bySelector  = "nodeSelector"
	byTaints    = "taints"
	byResources = "resources"
	byClaim     = "persistentVolumeClaim"
	byDevice    = "device"
	byPreempted = "preemption" // of others, which are on their way out
	byPool      = "pool"       // which makes a node for it
	byNoNode    = "noNode"     // there are none at all
	byOther     = "other"      // not taints, and the input does not tell what
)

// waiting is why pods wait for a node, beside taints: what the input tells of it.
type waiting struct {
	Kind      string               `json:"kind"` // of the first cause
	causes    []string             // those of Reasons that are causes
	taints    bool                 // whether taints are one
	Reasons   []string             `json:"reasons"`
	Fit       int                  `json:"fit"` // of the nodes that accept it, those with room for its requests
	Short     []placement.Shortage `json:"short,omitempty"`
	Refused   int                  `json:"refused,omitempty"` // nodes with room for it that refuse it by taints, if none that accepts it can ever run it
	Pools     []pool               `json:"pools,omitempty"`
	Scheduler string               `json:"scheduler,omitempty"` // what the scheduler said last
	Since     string               `json:"for,omitempty"`       // for how long that was so when the input was made

	span
}

// span is what pods request: the least and the most of each resource.
type span struct{ least, most manifest.ResourceList }

// amounts is a placeholder for what pods request. It is filled in once the pods are grouped.
const amounts = "\x00"

// filled returns a text with what the pods request.
func (s *span) filled(text string) string {
	return strings.ReplaceAll(text, amounts, placement.Amounts(s.least, s.most))
}

// join adds what other pods request. Both are lists of their own then, because pods share theirs.
func (s *span) join(other *span) {
	least, most := make(manifest.ResourceList), make(manifest.ResourceList)
	for _, list := range [...]manifest.ResourceList{s.most, other.most} {
		for name := range list {
			least[name], most[name] = min(s.least[name], other.least[name]), max(s.most[name], other.most[name])
		}
	}
	*s = span{least, most}
}

// add adds a cause, and note what is none for certain.
func (why *waiting) add(kind, format string, args ...any) {
	why.Kind = cmp.Or(why.Kind, kind)
	why.note(format, args...)
	why.causes = append(why.causes, why.Reasons[len(why.Reasons)-1])
}

func (why *waiting) note(format string, args ...any) {
	why.Reasons = append(why.Reasons, fmt.Sprintf(format, args...))
}

// constraints are the fields that are not looked at, in words.
var constraints = map[string]string{
	"affinity.podAffinity":      "its required affinity to other pods",
	"affinity.podAntiAffinity":  "its required anti-affinity to other pods",
	"topologySpreadConstraints": "its topology spread constraints",
	"hostPort":                  "its host ports",
}

// world is what the cluster has beside nodes and pods.
type world struct {
	cluster *manifest.Cluster
	nodes   map[string]*manifest.Node
	claims  map[string]*manifest.Claim // by namespace/name
	devices map[string]*manifest.Claim // the same
	volumes map[string]bool            // names of those that are for some nodes only
	room    *placement.Room
}

func newWorld(c *manifest.Cluster) *world {
	w := &world{c, make(map[string]*manifest.Node), byName(c.Claims), byName(c.Devices), make(map[string]bool), placement.NewRoom(c)}
	for i := range c.Nodes {
		w.nodes[c.Nodes[i].Name] = &c.Nodes[i]
	}
	for i := range c.Volumes {
		w.volumes[c.Volumes[i].Name] = c.Volumes[i].Affinity.Terms != nil
	}
	return w
}

func byName(claims []manifest.Claim) map[string]*manifest.Claim {
	all := make(map[string]*manifest.Claim, len(claims))
	for i := range claims {
		all[claims[i].Namespace+"/"+claims[i].Name] = &claims[i]
	}
	return all
}

// volumesOf returns the names of the volumes of which affinity.Required.Volumes has the terms.
func (w *world) volumesOf(p *manifest.Pod) (names []string) {
	if p.State == nil {
		return nil
	}
	for _, name := range p.State.Claims {
		if claim := w.claims[p.Namespace+"/"+name]; claim != nil && w.volumes[claim.VolumeName] {
			names = append(names, claim.VolumeName)
		}
	}
	return names
}

func (w *world) known(volume string) bool { _, found := w.volumes[volume]; return found }

// running says where the pods of a group run and until when, those of a node together.
func (w *world) running(g *podGroup, o *options) {
	count := make(map[string]int)
	var all []string
	for _, p := range g.pods {
		if p.NodeName == "" {
			continue
		}
		text := p.NodeName + ": " + w.fate(p, o)
		if count[text]++; count[text] == 1 {
			all = append(all, text)
		}
	}
	for i, text := range all {
		if o.Limit > 0 && i == o.Limit {
			g.Runs = append(g.Runs, fmt.Sprintf("%d more; -limit 0 shows all.", len(all)-i))
			break
		}
		if n := count[text]; n > 1 {
			text = fmt.Sprintf("%s (%s)", text, command.Plural(n, "pod"))
		}
		g.Runs = append(g.Runs, "On "+text+".")
	}
}

// fate says what becomes of a pod that has a node.
func (w *world) fate(p *manifest.Pod, o *options) string {
	n := w.nodes[p.NodeName]
	switch {
	case p.Terminating:
		return "it is being deleted"
	case p.Phase == "Pending":
		return "it is scheduled, and starts. What it waits for is not the scheduler: kubectl describe pod tells"
	case n == nil:
		return "the input does not have that node"
	}
	taints := n.Taints()
	v := match.Decide(taints, command.Tolerations(p), o.Rules)
	if v.Eviction == match.Stay {
		return "no taint evicts it"
	}
	by := o.shown(&taints[v.EvictionTaint])
	left, counted := command.Left(v, taints, w.cluster.Latest)
	text := fmt.Sprintf("%s evicts it: %s", by, command.When(left, counted))
	if by.TimeAdded != nil && counted && !w.cluster.Latest.IsZero() {
		text += ", as of " + w.cluster.Latest.UTC().Format(command.Moment)
	}
	return text
}

// waitsFor says why a pod waits, and returns the nodes that taints keep it from needlessly: of
// those that refuse it, if taints are among the causes.
func (w *world) waitsFor(g *podGroup, f *placement.Fleet, accepting, refusing []placement.Group, o *options) []placement.Group {
	s := g.pods[0].State
	if s == nil {
		s = new(manifest.PodState)
	}
	why := &waiting{Reasons: []string{}, span: span{s.Requests, s.Requests}}
	g.Waits = why
	if len(s.Gates) > 0 {
		why.add(byGate, "Its scheduling gate %s holds it: no scheduler looks at it before that is taken off.", strings.Join(s.Gates, ", "))
	}
	switch {
	case f.Count == 0:
		why.add(byNoNode, "There are no nodes.")
	case g.unmet != "":
		why.add(bySelector, "%s. No toleration helps.", g.unmet)
	case g.Admitted == 0:
		why.Kind, why.taints = cmp.Or(why.Kind, byTaints), true
	}
	w.unbound(why, g.pods[0], false)
	if g.Admitted > 0 && g.unmet == "" {
		refusing = w.requests(g, f, accepting, refusing, o)
		g.restarts(f, accepting, o)
	}
	w.unbound(why, g.pods[0], true) // after what is the cause for certain
	if s.Nominated != "" {
		why.add(byPreempted, "Preemption makes room for it on %s.", s.Nominated)
	}
	why.Kind = cmp.Or(why.Kind, byOther)
	w.askPools(g, f, o)
	w.rest(why, s)
	if o.hideValues { // the scheduler's message has values of taints
		why.Scheduler, _, _ = strings.Cut(why.Scheduler, ":")
	}
	if !why.taints && !f.One && o.goal == explain.ToSchedule {
		return nil // no toleration helps
	}
	return refusing
}

// unbound tells of claims that are not bound: of those that are pending, which may be because
// they wait for the pod, or of the others.
func (w *world) unbound(why *waiting, p *manifest.Pod, pending bool) {
	if p.State == nil {
		return
	}
	w.unboundOf(why, p, p.State.Claims, w.claims, byClaim, pending)
	w.unboundOf(why, p, p.State.Devices, w.devices, byDevice, pending)
}

// kinds are those of claims, and what it means that one is pending.
var kinds = map[string]struct{ name, pending string }{
	byClaim:  {"PersistentVolumeClaim", "is Pending, which is not the cause if its class has the volumeBindingMode WaitForFirstConsumer"},
	byDevice: {"ResourceClaim", "waits for devices; tolero matrix tells which of them its tolerations leave"},
}

func (w *world) unboundOf(why *waiting, p *manifest.Pod, names []string, claims map[string]*manifest.Claim, by string, pending bool) {
	kind := kinds[by]
	for _, name := range names {
		switch claim := claims[p.Namespace+"/"+name]; {
		case name == "" && pending:
			why.add(by, "One of its %ss is not made from its template yet.", kind.name)
		case name == "":
		case claim == nil && len(claims) == 0 && pending:
			why.add(by, "It uses the %s %s, and the input has none; to see: kubectl get %ss -A -o json.", kind.name, name, strings.ToLower(kind.name))
		case claim == nil && len(claims) > 0 && !pending:
			why.add(by, "Its %s %s does not exist.", kind.name, name)
		case claim != nil && claim.VolumeName != "" && !w.known(claim.VolumeName) && pending:
			why.note("The PersistentVolume %s is not in the input: it may be for some nodes only.", claim.VolumeName)
		case claim == nil || claim.Phase == "Bound" || pending != (claim.Phase == "Pending"):
		case pending:
			why.add(by, "Its %s %s %s.", kind.name, name, kind.pending)
		default:
			why.add(by, "Its %s %s is %s.", kind.name, name, cmp.Or(claim.Phase, "not bound"))
		}
	}
}

// requests compares what a pod requests with what the nodes that accept it have free. If none of
// these could ever run it, such as on a GPU, taints of those that have room are the cause; if
// they are only full, taints that come and go, such as cordons, are one. It returns the nodes
// with these taints.
func (w *world) requests(g *podGroup, f *placement.Fleet, accepting, refusing []placement.Group, o *options) []placement.Group {
	why, requests := g.Waits, g.Waits.least
	fit, known, short := w.room.Fit(f, accepting, requests)
	why.Fit, why.Short = fit, short
	if known == 0 || len(requests) == 0 && fit == known {
		return refusing
	}
	what := ""
	if len(requests) > 0 {
		what = "It requests " + amounts + "; "
	}
	of := fmt.Sprintf("%s that %s it", command.Plural(g.Admitted, "node"), plural(g.Admitted, "accepts", "accept"))
	if fit > 0 {
		why.note("%s%d of %s %s room.", what, fit, of, plural(fit, "has", "have"))
		return refusing
	}
	who := "none of the " + of + " has room"
	if g.Admitted == 1 {
		who = "the only node that accepts it has no room"
	}
	why.add(byResources, "%s%s: %s.", what, who, lacks(short))
	ever := w.room.Holds(f, accepting, requests)
	var roomy []placement.Group
	for _, node := range refusing {
		if fit, _, _ := w.room.Fit(f, []placement.Group{node}, requests); fit > 0 && (!ever || passing(node.Taints)) {
			roomy = append(roomy, node)
			why.Refused += fit
		}
	}
	if roomy == nil {
		return refusing
	}
	slices.SortStableFunc(roomy, func(a, b placement.Group) int { return cmp.Compare(b.Count, a.Count) })
	for i := range roomy[:min(len(roomy), mostTaints)] {
		node := &roomy[i]
		x := &node.Taints[match.Decide(node.Taints, g.Tolerations, o.Rules).SchedulingTaint]
		why.add(byTaints, "%s with room: %s %s.", command.Plural(node.Count, "node"), o.shown(x), cmp.Or(command.Passing(x, f.Names(node)), "keeps it out"))
	}
	if why.taints = true; !ever && why.Kind == byResources {
		why.Kind = byTaints
	}
	return roomy
}

// passing reports whether all taints that keep pods out come and go.
func passing(taints []taint.Taint) bool {
	return !slices.ContainsFunc(taints, func(x taint.Taint) bool { return taint.Hard.Has(x.Effect) && !lint.Passes(x.Key) })
}

// lacks says what nodes lack.
func lacks(short []placement.Shortage) string {
	var parts []string
	for _, x := range short {
		if x.Nodes == 1 {
			parts = append(parts, fmt.Sprintf("%s has %s %s free", x.On, x.Most, x.Resource))
			continue
		}
		most := fmt.Sprintf("most: %s on %s", x.Most, x.On)
		if x.Most == "0" {
			most = "none has any"
		}
		parts = append(parts, fmt.Sprintf("%s lack %s (%s)", command.Plural(x.Nodes, "node"), x.Resource, most))
	}
	return strings.Join(parts, ", ")
}

// restarts tells of nodes that let pods in and evict them again.
func (g *podGroup) restarts(f *placement.Fleet, accepting []placement.Group, o *options) {
	for i := range accepting[:min(len(accepting), mostTaints)] {
		node := &accepting[i]
		if v := match.Decide(node.Taints, g.Tolerations, o.Rules); v.Eviction != match.Stay {
			g.Waits.note("On %s it is evicted again after %s: %s.", command.Some(f.Names(node)), command.Duration(v.After), o.shown(&node.Taints[v.EvictionTaint]))
		}
	}
}

// rest tells of what is not looked at, and what the scheduler said.
func (w *world) rest(why *waiting, s *manifest.PodState) {
	var unread []string
	for _, field := range s.Constraints {
		if words := constraints[field]; words != "" {
			unread = append(unread, words)
		}
	}
	if unread != nil {
		why.note("Not looked at: %s.", strings.Join(unread, ", "))
	}
	if s.Scheduler != "" && s.Scheduler != "default-scheduler" {
		why.note("It is for the scheduler %s.", s.Scheduler)
	}
	if c := &s.Scheduled; c.Status == "False" {
		why.Scheduler = strings.TrimPrefix(strings.TrimSpace(c.Reason+": "+c.Message), ": ")
		if !c.Since.IsZero() && w.cluster.Latest.After(c.Since) {
			why.Since = command.Duration(w.cluster.Latest.Sub(c.Since))
		}
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
