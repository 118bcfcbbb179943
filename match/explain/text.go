package explain

import (
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// String returns one sentence without a full stop, such as
//
//	dedicated=gpu:NoSchedule is tolerated by tolerations[2], dedicated:NoSchedule
//	dedicated=gpu:NoSchedule is not tolerated; nearest is tolerations[0], dedicated==cpu:NoSchedule: its value is "cpu"
//
// Do not parse the text.
func (r Reason) String() string {
	named := r.Taint.String()
	switch {
	case r.Tolerated:
		return fmt.Sprintf("%s is tolerated by tolerations[%d], %s", named, r.Index, r.Toleration)
	case r.Index < 0:
		return named + " is not tolerated; no toleration comes near"
	}
	return fmt.Sprintf("%s is not tolerated; nearest is tolerations[%d], %s: %s", named, r.Index, r.Toleration, r.differences())
}

// differences says in words what keeps the toleration from tolerating the taint.
func (r *Reason) differences() string {
	var parts []string
	add := func(d Mismatch, format string, args ...any) {
		if r.Differs&d != 0 {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	t := &r.Toleration
	add(KeyDiffers, "its key is %q", t.Key)
	add(GateOff, "%s does not count without the feature gate TaintTolerationComparisonOperators", t.Operator)
	add(EffectDiffers, "its effect is %q", t.Effect)
	switch {
	case t.Operator == toleration.OpGt:
		add(ValueDiffers, "the taint's value is not greater than %s", t.Value)
	case t.Operator == toleration.OpLt:
		add(ValueDiffers, "the taint's value is not less than %s", t.Value)
	case t.Operator == "" && t.Value == "":
		add(ValueDiffers, "it has no operator and so equals the empty value only; is operator: Exists meant?")
	default:
		add(ValueDiffers, "its value is %q", t.Value)
	}
	add(TaintNotInteger, "the taint's value is not a canonical integer")
	add(TolerationNotInteger, "its value %q is not a canonical integer", t.Value)
	add(OperatorUnknown, "its operator %q is unknown", t.Operator)
	return strings.Join(parts, ", ")
}

// String returns the verdict in a line and a line for each taint, one more if a
// toleration or the order of the tolerations decides when the pod is evicted, and one each if
// the explanation is truncated and if the tolerations are invalid. There is a newline after each line except the last. Do
// not parse the text.
func (e Explanation) String() string {
	lines := []string{e.Verdict.Sentence(e.taints())}
	for i := range e.Reasons {
		lines = append(lines, "  "+e.Reasons[i].String())
	}
	if e.Eviction.Listed.decided() || e.Eviction.OrderDecides() {
		lines = append(lines, "  "+e.Eviction.String())
	}
	if e.Truncated {
		lines = append(lines, "  too many keys to compare: a nearer toleration may exist")
	}
	if e.Invalid != nil {
		lines = append(lines, "  the API server refuses the tolerations: "+e.Invalid.Error())
	}
	return strings.Join(lines, "\n")
}

// taints returns those of the reasons.
func (e *Explanation) taints() []taint.Taint {
	list := make([]taint.Taint, len(e.Reasons))
	for i := range list {
		list[i] = e.Reasons[i].Taint
	}
	return list
}

// String returns one sentence without a full stop, such as
//
//	evicted after 5m0s: tolerations[1], a:NoExecute@300, decides; in another order of the tolerations, evicted after 30s at the soonest: tolerations[2], *@30, decides
//
// Do not parse the text.
func (e Eviction) String() string {
	text := e.Listed.sentence("")
	if !e.OrderDecides() {
		return text + "; the same in every order of the tolerations"
	}
	const another = "; in another order of the tolerations, "
	if !e.Soonest.same(&e.Listed) {
		text += another + e.Soonest.sentence(" at the soonest")
	}
	if !e.Latest.same(&e.Listed) {
		text += another + e.Latest.sentence(" at the latest")
	}
	return text
}

// String returns when the pod is evicted and which toleration decides, if one does, such
// as
//
//	evicted after 5m0s: tolerations[1], a:NoExecute@300, decides
//
// Do not parse the text.
func (o EvictionTime) String() string { return o.sentence("") }

// sentence puts the bound, such as " at the latest", after the time, if there is a time.
func (o *EvictionTime) sentence(bound string) string {
	text := "evicted at once"
	switch o.Eviction {
	case match.Stay:
		return "never evicted"
	case match.EvictAfter:
		text = "evicted after " + o.After.String() + bound
	}
	if o.decided() {
		text += fmt.Sprintf(": tolerations[%d], %s, decides", o.Toleration, o.By)
	}
	return text
}

// String returns one line such as
//
//	change tolerations[0], dedicated==cpu:NoSchedule, to dedicated:NoSchedule
func (e Edit) String() string {
	return fmt.Sprintf("change tolerations[%d], %s, to %s", e.Index, e.Old, e.New)
}

// String returns a line for each addition and each edit, such as
//
//	add dedicated==gpu:NoSchedule
//
// and one more line if r is truncated, without a newline after the last. If r is empty, it
// returns "change nothing". Do not parse the text.
func (r Repair) String() string {
	var lines []string
	for i := range r.Additions {
		lines = append(lines, "add "+r.Additions[i].String())
	}
	for i := range r.Edits {
		lines = append(lines, r.Edits[i].String())
	}
	if lines == nil {
		return "change nothing"
	}
	if r.Truncated {
		lines = append(lines, "too many keys to compare: a smaller change may exist")
	}
	return strings.Join(lines, "\n")
}
