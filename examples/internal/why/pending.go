package why

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/placement"
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
	byOther     = "other"      // not taints, and the input does not tell what
)

// waiting is why pods are pending, beside taints: what the input tells of it.
type waiting struct {
	Kind      string               `json:"kind"`
	cause     string               // the one of Reasons that is about Kind
	Reasons   []string             `json:"reasons"`
	Fit       int                  `json:"fit"` // of the nodes that accept it, those with room for its requests
	Short     []placement.Shortage `json:"short,omitempty"`
	Refused   int                  `json:"refused,omitempty"`   // nodes with room for it that refuse it by taints, if none that accepts it can ever run it
	Scheduler string               `json:"scheduler,omitempty"` // what the scheduler said last
	Since     string               `json:"for,omitempty"`       // for how long that was so when the input was made
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
	claims  map[string]*manifest.Claim // by namespace/name
	room    *placement.Room
}

func newWorld(c *manifest.Cluster) *world {
	w := &world{c, make(map[string]*manifest.Claim, len(c.Claims)), placement.NewRoom(c)}
	for i := range c.Claims {
		w.claims[c.Claims[i].Namespace+"/"+c.Claims[i].Name] = &c.Claims[i]
	}
	return w
}

// waitsFor returns why a pending pod waits. The nodes that accept it are given.
func (w *world) waitsFor(p *manifest.Pod, f *placement.Fleet, excluded int, accepting []placement.Group) *waiting {
	s := p.State
	if s == nil {
		s = new(manifest.PodState)
	}
	admitted := 0
	for i := range accepting {
		admitted += accepting[i].Count
	}
	why := &waiting{Kind: byOther, Reasons: []string{}}
	add := func(kind, format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		if why.Kind == byOther {
			why.Kind, why.cause = kind, text
		}
		why.Reasons = append(why.Reasons, text)
	}
	if len(s.Gates) > 0 {
		add(byGate, "Its scheduling gate %s holds it: no scheduler looks at it before that is taken off.", strings.Join(s.Gates, ", "))
	}
	switch {
	case why.Kind != byOther:
	case excluded == f.Count:
		why.Kind = bySelector
	case admitted == 0:
		why.Kind = byTaints
	}
	w.unbound(p, false, add)
	if admitted > 0 {
		w.requests(why, s, f, admitted, accepting, add)
	}
	w.unbound(p, true, add) // after what is the cause for certain
	if slices.Contains(s.Constraints, "resourceClaims") {
		add(byDevice, "It waits for the devices of its resource claims; tolero matrix tells which of them their tolerations leave.")
	}
	if s.Nominated != "" {
		add(byPreempted, "Preemption makes room for it on %s.", s.Nominated)
	}
	w.rest(why, s)
	return why
}

// unbound tells of PersistentVolumeClaims that are not bound: of those that are pending, which
// may be because they wait for the pod, or of the others.
func (w *world) unbound(p *manifest.Pod, pending bool, add func(kind, format string, args ...any)) {
	if p.State == nil || len(w.cluster.Claims) == 0 {
		return
	}
	for _, name := range p.State.Claims {
		switch claim := w.claims[p.Namespace+"/"+name]; {
		case claim == nil && !pending:
			add(byClaim, "Its PersistentVolumeClaim %s does not exist.", name)
		case claim == nil || claim.Phase == "Bound" || pending != (claim.Phase == "Pending"):
		case pending:
			add(byClaim, "Its PersistentVolumeClaim %s is Pending; with a storage class that waits for the first consumer that is not the cause.", name)
		default:
			add(byClaim, "Its PersistentVolumeClaim %s is %s.", name, cmp.Or(claim.Phase, "not bound"))
		}
	}
}

// requests compares what it requests with what the nodes that accept it have free.
func (w *world) requests(why *waiting, s *manifest.PodState, f *placement.Fleet, admitted int, accepting []placement.Group, add func(kind, format string, args ...any)) {
	fit, known, short := w.room.Fit(f, accepting, s.Requests)
	why.Fit, why.Short = fit, short
	if known == 0 || len(s.Requests) == 0 && fit == known {
		return
	}
	text := fmt.Sprintf("It requests %s; %d of %s that accept it %s that free", placement.Amounts(s.Requests), fit, command.Plural(admitted, "node"), plural(fit, "has", "have"))
	if len(s.Requests) == 0 {
		text = fmt.Sprintf("%d of %s that accept it %s room for one more pod", fit, command.Plural(admitted, "node"), plural(fit, "has", "have"))
	}
	var lacks []string
	for _, x := range short {
		lacks = append(lacks, fmt.Sprintf("%s lacks %s (most: %s on %s)", command.Plural(x.Nodes, "node"), x.Resource, x.Most, x.On))
	}
	if fit > 0 {
		why.Reasons = append(why.Reasons, text+".")
		return
	}
	add(byResources, "%s: %s.", text, strings.ReplaceAll(strings.Join(lacks, ", "), "nodes lacks", "nodes lack"))
}

// beyond compares what pods request with what the nodes have free that refuse them by taints. If
// none that accepts them could ever run them, such as on a GPU, and some of these have room, it
// returns only those, and taints are the cause. If none of these has room, a toleration does not
// help, which is said.
func (w *world) beyond(g *podGroup, f *placement.Fleet, accepting, refusing []placement.Group) []placement.Group {
	why, s := g.waits, g.pending.State
	if s == nil || why.Kind != byTaints && (why.Kind != byResources || w.room.Holds(f, accepting, s.Requests)) {
		return refusing
	}
	var roomy []placement.Group
	for _, node := range refusing {
		if fit, known, _ := w.room.Fit(f, []placement.Group{node}, s.Requests); known > 0 && fit == 0 {
			continue
		} else if known > 0 {
			why.Refused += fit
		}
		roomy = append(roomy, node)
	}
	switch {
	case why.Kind == byResources && why.Refused > 0:
		why.Kind = byTaints
		why.Reasons = append(why.Reasons, fmt.Sprintf("%s %s that free and %s it by taints.", command.Plural(why.Refused, "node"),
			plural(why.Refused, "has", "have"), plural(why.Refused, "refuses", "refuse")))
		return roomy
	case why.Kind == byTaints && len(refusing) > 0 && roomy == nil:
		lacks := "None of these nodes has room for one more pod"
		if len(s.Requests) > 0 {
			lacks = fmt.Sprintf("It requests %s, and none of these nodes has that free", placement.Amounts(s.Requests))
		}
		why.Reasons = append(why.Reasons, lacks+": a toleration alone does not help.")
	}
	return refusing
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
		why.Reasons = append(why.Reasons, "Not looked at: "+strings.Join(unread, ", ")+".")
	}
	if s.Scheduler != "" && s.Scheduler != "default-scheduler" {
		why.Reasons = append(why.Reasons, "It is for the scheduler "+s.Scheduler+".")
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
