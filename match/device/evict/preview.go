package evict

import (
	"fmt"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
)

// Impact is what a rule selects and what it would do if it evicted. The zero Impact
// is nothing. It is plain data; the numbers are those of the status that Kubernetes
// gives a rule with the effect None (rule D12).
type Impact struct {
	Published int // devices that slices of the newest generations have
	Allocated int // devices that claims hold, each as often as it is held
	Pods      int // that the rule would evict, whatever evicts them already
}

// Preview returns what a rule would do if its effect were NoExecute, and appends to
// dst one decision for each pod that it would evict, in no particular order (rule
// D12). The rule may be one that the queue knows, or another one: the queue takes no
// notice of it. added is when its taint would be added, which for a rule that is
// switched to NoExecute is the moment of the switch (rule D11); fractions of a second
// are cut off, as the API server does.
//
// The Kind of the decisions is Schedule, or Evict if nothing of the time is left at
// added. Due is the moment at which the rule alone evicts, and Was the one that is
// scheduled already, if any: the earlier one would count. Causes are the rule's own. A
// pod that was evicted already is not among them.
//
// A nil rule does nothing. The time is proportional to the published devices, and
// otherwise as for SetRule.
func (q *Queue[P]) Preview(dst []Decision[P], name string, r *device.Rule, added time.Time) ([]Decision[P], Impact) {
	if r == nil {
		return dst, Impact{}
	}
	spec := r.Clone()
	spec.Taint.Effect, spec.Taint.TimeAdded = taint.NoExecute, nil
	spec.SetDefaults(added)
	causes := []Cause{{Rule: name, Taint: spec.Taint}}
	plans := make(map[*claim[P]]*plan)
	impact := Impact{Published: q.published(&spec)}
	q.holdings.each(&spec, func(d *holding[P]) {
		for c := range d.claims {
			if plans[c] == nil {
				p := planOf(c.allocations, func(dst []Cause, id device.ID) []Cause {
					if spec.Selects(id) {
						impact.Allocated++
						dst = append(dst, causes...)
					}
					return dst
				})
				plans[c] = &p
			}
		}
	})
	before := len(dst)
	dst = q.appendPreview(dst, plans, added)
	impact.Pods = len(dst) - before
	return dst, impact
}

// appendPreview appends a decision for each pod that has a plan because of its
// claims.
func (q *Queue[P]) appendPreview(dst []Decision[P], plans map[*claim[P]]*plan, added time.Time) []Decision[P] {
	seen, none := make(map[*pod[P]]struct{}), new(plan)
	for c := range plans {
		for p := range c.pods {
			if _, done := seen[p]; done {
				continue
			}
			seen[p] = struct{}{}
			next := q.planFor(p, func(c *claim[P]) *plan {
				if own := plans[c]; own != nil {
					return own
				}
				return none
			})
			if !next.scheduled {
				continue
			}
			d := Decision[P]{Pod: p.key, Kind: Schedule, Due: next.due, Was: p.plan.due, Causes: next.causes}
			if !next.due.After(added) {
				d.Kind = Evict
			}
			dst = append(dst, d)
		}
	}
	return dst
}

// published counts the devices of the newest generations that a rule selects.
func (q *Queue[P]) published(r *device.Rule) (n int) {
	s := r.DeviceSelector
	if s == nil {
		return 0
	}
	if s.Driver != nil && s.Pool != nil {
		if p := q.pools[poolID{*s.Driver, *s.Pool}]; p != nil {
			n = p.count(s.Device)
		}
		return n
	}
	for id, p := range q.pools {
		if s.Driver != nil && *s.Driver != id.driver || s.Pool != nil && *s.Pool != id.name {
			continue
		}
		n += p.count(s.Device)
	}
	return n
}

// count returns the number of devices of the newest generation with the name, or of
// all if it is nil.
func (p *pool) count(name *string) (n int) {
	newest, _ := p.Generation()
	for _, s := range p.slices {
		if s.Generation == newest {
			n += s.count(name)
		}
	}
	return n
}

// count returns the number of devices with the name, or of all if it is nil.
func (s *published) count(name *string) (n int) {
	if name == nil {
		return len(s.names)
	}
	for _, own := range s.names {
		if own == *name {
			n++
		}
	}
	return n
}

// Condition is the condition EvictionInProgress of a rule's status, in the words that
// Kubernetes 1.37 gives it. The zero Condition is none. It is plain data.
type Condition struct {
	InProgress      bool // the condition's status is True
	Reason, Message string
}

// Condition returns the condition of the rule of that name as it is now, and whether
// the queue knows the rule (rule D12). namespace returns the namespace of a pod.
//
// Kubernetes updates the condition no more often than every 10 seconds, counts pods
// until their deletion has begun, and leaves the condition of a rule with the effect
// None as it was first. Pods that the queue evicted since it knows the rule are counted
// as evicted. The time is proportional to the pods, and for None as for Preview.
func (q *Queue[P]) Condition(name string, namespace func(P) string) (c Condition, ok bool) {
	r := q.rules.Get(name)
	if r == nil {
		return Condition{}, false
	}
	switch r.Taint.Effect {
	case taint.NoExecute:
		c = q.inProgress(name, namespace)
	case device.None:
		c = q.noEffect(name, r, namespace)
	default:
		c = Condition{Reason: "OtherEffect", Message: "Eviction only happens for the NoExecute effect."}
	}
	if n := q.evicted[name]; n > 0 {
		c.Message = strings.TrimPrefix(c.Message+" "+number(n, "pod", "pods")+" evicted since starting the controller.", " ")
	}
	return c, true
}

// inProgress is the condition of a rule that evicts.
func (q *Queue[P]) inProgress(name string, namespace func(P) string) Condition {
	pods, namespaces := 0, make(map[string]struct{})
	for _, p := range q.agenda {
		for i := range p.plan.causes {
			if p.plan.causes[i].Rule == name {
				pods++
				namespaces[namespace(p.key)] = struct{}{}
			}
		}
	}
	switch {
	case pods > 0:
		need := number(pods, "pod needs", "pods need")
		return Condition{true, "PodsPendingEviction", need + " to be evicted in " + number(len(namespaces), "namespace.", "different namespaces.")}
	case q.evicted[name] > 0:
		return Condition{Reason: "Completed"}
	}
	return Condition{Reason: "NotStarted"}
}

// noEffect is the condition of a rule that does nothing.
func (q *Queue[P]) noEffect(name string, r *device.Rule, namespace func(P) string) Condition {
	decisions, impact := q.Preview(nil, name, r, q.now)
	namespaces := make(map[string]struct{})
	for _, d := range decisions {
		namespaces[namespace(d.Pod)] = struct{}{}
	}
	return Condition{Reason: "NoEffect", Message: fmt.Sprintf("%s selected. %s selected. %s would be evicted in %s if the effect was NoExecute. "+
		"This information will not be updated again. Recreate the DeviceTaintRule to trigger an update.",
		number(impact.Published, "published device", "published devices"), number(impact.Allocated, "allocated device", "allocated devices"),
		number(impact.Pods, "pod", "pods"), number(len(namespaces), "namespace", "different namespaces"))}
}

// number returns the number and the word for it.
func number(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}
