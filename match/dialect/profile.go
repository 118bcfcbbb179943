package dialect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Class is what a project takes a taint for. The zero Class is [Permanent]. A Class is
// a small integer, free to copy and to share.
type Class uint8

// The classes.
const (
	Permanent Class = iota
	Startup
	Status
	Ephemeral
)

var classes = [...]string{"permanent", "startup", "status", "ephemeral"}

// String returns "permanent", "startup", "status" or "ephemeral", and for any other
// value its number, such as "Class(9)".
func (c Class) String() string {
	if int(c) < len(classes) {
		return classes[c]
	}
	return fmt.Sprintf("Class(%d)", uint8(c))
}

// Selector gives taints a class: those with the key or, if Prefix is set, those whose
// keys begin with Key. An empty effect is every effect. It is plain data.
type Selector struct {
	Class  Class
	Key    string
	Prefix bool
	Effect taint.Effect
	// Source is the file that adds the taint or gives it the class. It is a file of the
	// project unless it names a repository, as Fact.Source does.
	Source string
}

func (s *Selector) selects(x *taint.Taint) bool {
	key := x.Key == s.Key || s.Prefix && strings.HasPrefix(x.Key, s.Key)
	return key && (s.Effect == "" || s.Effect == x.Effect)
}

// Topic is what a [Fact] is about. The zero Topic is [Elsewhere]. A Topic is a small
// integer, free to copy and to share.
type Topic uint8

// The topics.
const (
	Elsewhere   Topic = iota // what the functions of this package do not show
	Effects                  // which effects keep a pod out
	Comparisons              // whether Gt and Lt count
	LeftOut                  // which taints are left out
	Matches                  // how tolerations are compared with taints
	Relaxes                  // which effects are ignored when a pod fits nowhere otherwise
)

var topics = [...]string{"elsewhere", "effects", "comparisons", "left out", "matches", "relaxes"}

// String returns "elsewhere", "effects", "comparisons", "left out", "matches" or
// "relaxes", and for any other value its number, such as "Topic(9)".
func (t Topic) String() string {
	if int(t) < len(topics) {
		return topics[t]
	}
	return fmt.Sprintf("Topic(%d)", uint8(t))
}

// Fact is something about a project, and where it can be read. It is plain data.
type Fact struct {
	Topic Topic
	Text  string
	// Source is a file of the project. If the rule comes from another project, Source
	// begins with its repository and release, as in "kubernetes/kubernetes 1.37.1, pkg/...".
	Source string
	// Ran is the release whose own code was run and answered as Text says. If it is empty,
	// the source was only read, at the Version of the profile.
	Ran string
}

// Profile is how a project decides whether the taints of a node keep a pod out. It is
// plain data: a copy shares its slices, which nothing here writes to, and it may be
// read concurrently. The zero Profile lets every pod in.
type Profile struct {
	Name    string
	Version string // of the project, that was read
	// Rules say whether Gt and Lt count.
	Rules toleration.Rules
	// Effects keep a pod out if it does not tolerate a taint that has one.
	Effects taint.EffectSet
	// OwnEffects keep a pod out too. Kubernetes does not have them.
	OwnEffects []taint.Effect
	// ByText is set if a toleration counts for a taint whose key and value are its own,
	// and for no other, whatever its operator and the effects.
	ByText bool
	// ByCount is set if a pod with fewer tolerations than the node has taints is kept
	// out, whatever they tolerate.
	ByCount bool
	// Yields are those of Effects that the project ignores when the pod fits nowhere
	// otherwise; see Relaxed.
	Yields taint.EffectSet
	// Selectors give taints their classes. The first that selects a taint counts.
	Selectors []Selector
	// LeavesOut are the classes of taints that do not matter to the decision.
	LeavesOut []Class
	// Facts have the source of each rule: of the effects and comparisons that count and,
	// where they are set, of ByText, ByCount, Yields and LeavesOut. Selectors have their own.
	Facts []Fact
}

// Class returns what the project takes the taint for.
func (p *Profile) Class(x *taint.Taint) Class {
	for i := range p.Selectors {
		if p.Selectors[i].selects(x) {
			return p.Selectors[i].Class
		}
	}
	return Permanent
}

// Considers reports whether x matters to the decision: whether its effect and its
// class do.
func (p *Profile) Considers(x *taint.Taint) bool {
	return p.hasEffect(x) && !slices.Contains(p.LeavesOut, p.Class(x))
}

func (p *Profile) hasEffect(x *taint.Taint) bool {
	return p.Effects.Has(x.Effect) || slices.Contains(p.OwnEffects, x.Effect)
}

// Refuses returns the index of the first taint that keeps a pod with the tolerations
// out, and whether there is one; else the index is 0. If it is the number of tolerations
// that keeps it out, the taint is the first for which none is left.
func (p *Profile) Refuses(taints []taint.Taint, tolerations []toleration.Toleration) (index int, refused bool) {
	return p.refuses(taints, p.counting(tolerations), len(tolerations))
}

// counting returns the tolerations that count: by text, all do.
func (p *Profile) counting(list []toleration.Toleration) []toleration.Toleration {
	if p.ByText {
		return list
	}
	return p.Rules.Active(nil, list)
}

// refuses is Refuses by the tolerations that count, and the number of all.
func (p *Profile) refuses(taints []taint.Taint, active []toleration.Toleration, number int) (index int, refused bool) {
	for i := range taints {
		if x := &taints[i]; p.Considers(x) && !p.tolerates(active, x) {
			return i, true
		}
	}
	if p.ByCount && number < len(taints) {
		return number, true
	}
	return 0, false
}

// tolerates reports whether a list tolerates x in the way of the project.
func (p *Profile) tolerates(list []toleration.Toleration, x *taint.Taint) bool {
	for i := range list {
		if t := &list[i]; p.ByText && t.Key == x.Key && t.Value == x.Value || !p.ByText && t.Tolerates(x) {
			return true
		}
	}
	return false
}

// Relaxed returns p as it decides when no node is left otherwise: without the effects
// that it yields.
func (p *Profile) Relaxed() Profile {
	relaxed := *p
	relaxed.Effects &^= p.Yields
	relaxed.Yields = 0
	return relaxed
}

// fact returns the first fact about the topic, and whether there is one.
func (p *Profile) fact(topic Topic) (Fact, bool) {
	i := slices.IndexFunc(p.Facts, func(f Fact) bool { return f.Topic == topic })
	if i < 0 {
		return Fact{}, false
	}
	return p.Facts[i], true
}
