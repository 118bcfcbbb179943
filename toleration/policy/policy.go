package policy

import (
	"errors"
	"fmt"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Spec is a policy as it is written, with names for JSON and YAML. It is plain
// data. The zero Spec allows everything in a default cluster.
type Spec struct {
	// Rules are those of the cluster: the policy and the pods ignore what does not
	// count there (rule N4).
	Rules toleration.Rules `json:"-"`
	// Allowed tolerates all that a pod may tolerate, for as long as it may. If it is
	// nil, a pod may tolerate everything, and if it is empty, nothing.
	Allowed []toleration.Toleration `json:"allowed,omitzero"`
	// Denied tolerates what a pod may not tolerate, even if it is allowed. Seconds
	// do not matter.
	Denied []toleration.Toleration `json:"denied,omitzero"`
}

// Policy is a [Spec] made ready for many pods. The zero Policy allows everything, and
// so does a nil one. A Policy does not change; a copy shares its memory, and it may be
// used concurrently.
type Policy struct {
	rules   toleration.Rules
	allowed *toleration.Meaning // nil if everything is
	denied  toleration.Meaning
}

// New makes the policy of a spec. It retains strings of the spec and nothing else. It takes
// n log n steps. If a list is not valid, as far as it counts by the rules, the error has the
// faults of [toleration.NewMeaning] under "allowed" or "denied".
func New(spec Spec) (*Policy, error) {
	p := &Policy{rules: spec.Rules}
	allowed, err := toleration.NewLenientMeaning(spec.Rules.Active(nil, spec.Allowed))
	if err != nil {
		return nil, under("allowed", err)
	}
	if spec.Allowed != nil {
		p.allowed = allowed
	}
	denied, err := toleration.NewMeaning(spec.Rules.Active(nil, spec.Denied))
	if err != nil {
		return nil, under("denied", err)
	}
	p.denied = *denied
	return p, nil
}

// under puts the faults of a list under a field.
func under(field string, err error) error {
	var faults *taint.FieldErrors
	if errors.As(err, &faults) {
		return faults.Under(field)
	}
	return err
}

// Reason says why a list is not within a policy.
type Reason string

// The reasons.
const (
	NotAllowed Reason = "not allowed" // the list tolerates a taint that is not allowed
	Denied     Reason = "denied"      // the list tolerates a taint that is denied
	TooLong    Reason = "too long"    // the list tolerates a NoExecute taint for longer than is allowed
)

// Violation is an error: a taint for which a list is not within a policy. It is
// plain data, free to copy and to share, and shares strings and seconds with the list.
// The zero Violation means nothing.
type Violation struct {
	Reason Reason
	// Index is that of the first toleration in the list that tolerates the witness; with
	// TooLong, of the first one that does so for the longest time.
	Index      int
	Toleration toleration.Toleration
	// Witness is the taint. It is a valid one if there is any for the reason.
	Witness taint.Taint
}

// Error returns one line such as
//
//	tolerations[0]: "*" tolerates a:NoSchedule, which is not allowed
func (v *Violation) Error() string {
	why := string(v.Reason)
	if v.Reason == TooLong {
		why = "not allowed for so long"
	}
	return fmt.Sprintf("tolerations[%d]: %q tolerates %s, which is %s", v.Index, v.Toleration, v.Witness, why)
}

// Check returns nil if the list is within the policy, and otherwise an error: a [*Violation]
// or, if the list is not valid as far as it counts, that of [toleration.NewMeaning]. An empty
// list is within every policy.
// It looks for a taint that is not allowed, then for one that is denied, and then for
// one that is tolerated for too long, and names the first that it finds. For each NoExecute
// taint, the longest time that any toleration asks for must not exceed the longest that is
// allowed, whatever the order of the list.
func (p *Policy) Check(tolerations []toleration.Toleration) error {
	if p == nil {
		return nil
	}
	m, err := toleration.NewLenientMeaning(p.rules.Active(nil, tolerations))
	if err != nil {
		return err
	}
	if p.allowed != nil {
		if x, found := find(m, p.allowed, func(l, allowed toleration.Level) bool { return l > allowed && allowed == toleration.NotTolerated }); found {
			return p.violation(NotAllowed, tolerations, x)
		}
	}
	if x, found := find(m, &p.denied, func(l, denied toleration.Level) bool { return min(l, denied) > toleration.NotTolerated }); found {
		return p.violation(Denied, tolerations, x)
	}
	if p.allowed != nil {
		if x, found := find(m, p.allowed, func(l, allowed toleration.Level) bool { return l > allowed }); found {
			return p.violation(TooLong, tolerations, x)
		}
	}
	return nil
}

// find returns a taint whose levels by m and by other are as asked, a valid one if there is one.
func find(m, other *toleration.Meaning, asked func(a, b toleration.Level) bool) (taint.Taint, bool) {
	for x, l := range m.Compare(other) {
		if asked(l[0], l[1]) {
			return x, true
		}
	}
	return taint.Taint{}, false
}

// violation returns the violation for which x is the witness, which the list
// tolerates.
func (p *Policy) violation(reason Reason, list []toleration.Toleration, x taint.Taint) *Violation {
	v := &Violation{Reason: reason, Index: -1, Witness: x}
	for i := range list {
		t := &list[i]
		if !t.Tolerates(&x, p.rules) {
			continue
		}
		if v.Index < 0 || reason == TooLong && longer(t, &v.Toleration) {
			v.Index, v.Toleration = i, *t
		}
	}
	return v
}

// longer reports whether t asks for more time than u.
func longer(t, u *toleration.Toleration) bool {
	a, b := t.TolerationSeconds, u.TolerationSeconds
	return b != nil && (a == nil || *a > *b)
}

// Policies are the policies of a cluster, by namespace. The zero Policies allow
// everything. A copy shares the map, which nothing here writes to, so that Policies may
// be used concurrently.
type Policies struct {
	// Cluster is for every namespace: what it denies is denied everywhere, and what
	// it allows is allowed where Namespaces has nothing. It may be nil.
	Cluster *Policy
	// Namespaces has the policies of single namespaces, by name. A nil one allows
	// everything that the cluster does not deny.
	Namespaces map[string]*Policy
}

// Check returns nil if the list is within the policies for a pod in the namespace,
// and otherwise a [*Violation].
//
// The namespace's policy takes the place of the cluster's, except for what the
// cluster denies. So a namespace may be allowed more, and a policy without Allowed
// lifts the limit.
func (p *Policies) Check(namespace string, tolerations []toleration.Toleration) error {
	own, found := p.Namespaces[namespace]
	if !found {
		return p.Cluster.Check(tolerations)
	}
	if p.Cluster != nil {
		denials := Policy{rules: p.Cluster.rules, denied: p.Cluster.denied}
		if err := denials.Check(tolerations); err != nil {
			return err
		}
	}
	return own.Check(tolerations)
}
