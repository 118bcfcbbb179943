package explain

import (
	"bytes"
	"encoding/json"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The JSON forms. Indexes are those of the lists in the query.
type (
	jsonExplanation struct {
		Scheduling      string        `json:"scheduling"`
		SchedulingTaint *int          `json:"schedulingTaint,omitempty"`
		Eviction        jsonOutcome   `json:"eviction"`
		Soonest         jsonOutcome   `json:"evictionAtTheSoonest"`
		Latest          jsonOutcome   `json:"evictionAtTheLatest"`
		Taints          []*jsonReason `json:"taints"`
		Truncated       bool          `json:"truncated,omitempty"`
		Invalid         string        `json:"invalid,omitempty"`
		Text            string        `json:"text"`
	}
	jsonReason struct {
		Taint       taint.Taint            `json:"taint"`
		ValueHidden bool                   `json:"valueHidden,omitempty"`
		Tolerated   bool                   `json:"tolerated"`
		Index       *int                   `json:"index,omitempty"`
		Toleration  *toleration.Toleration `json:"toleration,omitempty"`
		Differs     []string               `json:"differs,omitempty"`
		Text        string                 `json:"text"`
	}
	jsonOutcome struct {
		Eviction   string                 `json:"eviction"`
		Seconds    float64                `json:"seconds,omitempty"`
		Taint      *int                   `json:"taint,omitempty"`
		Index      *int                   `json:"index,omitempty"`
		Toleration *toleration.Toleration `json:"toleration,omitempty"`
		Text       string                 `json:"text"`
	}
	jsonRepair struct {
		Goal      string                  `json:"goal"`
		Additions []toleration.Toleration `json:"additions"`
		Edits     []Edit                  `json:"edits"`
		Size      int                     `json:"size"`
		Truncated bool                    `json:"truncated,omitempty"`
		Text      string                  `json:"text"`
	}
	jsonEdit struct {
		Index  int                   `json:"index"`
		Old    toleration.Toleration `json:"old"`
		New    toleration.Toleration `json:"new"`
		Fields []string              `json:"fields"`
	}
)

// MarshalJSON writes e as an object: "scheduling" in the words of package match, and
// "schedulingTaint", the index of the taint that decides; "eviction",
// "evictionAtTheSoonest" and "evictionAtTheLatest", the latter two for other orders of the
// list; "taints" as [Reason.MarshalJSON] has them; "truncated", left out if false;
// "invalid", what the API server refuses in the tolerations, if it does; and "text", the
// verdict as a sentence. It never fails.
//
// Each eviction is an object: "eviction" in the words of package match, the "seconds"
// until then, "taint", the index of the taint that decides, "toleration", the toleration
// whose seconds decide, and "index", its index in the list; and "text", as
// [EvictionTime.String] has it. What does not apply is left out.
func (e Explanation) MarshalJSON() ([]byte, error) {
	j := jsonExplanation{
		Scheduling: e.Verdict.Scheduling.String(),
		Eviction:   e.Eviction.Listed.json(),
		Soonest:    e.Eviction.Soonest.json(),
		Latest:     e.Eviction.Latest.json(),
		Taints:     make([]*jsonReason, len(e.Reasons)),
		Truncated:  e.Truncated,
		Text:       e.Verdict.Sentence(e.taints()),
	}
	if e.Invalid != nil {
		j.Invalid = e.Invalid.Error()
	}
	if e.Verdict.Scheduling != match.Schedulable {
		j.SchedulingTaint = &e.Verdict.SchedulingTaint
	}
	for i := range e.Reasons {
		j.Taints[i] = e.Reasons[i].json()
	}
	return marshal(j)
}

// MarshalJSON writes r as an object: "taint", "valueHidden", "tolerated", the
// "toleration" and its "index", "differs" as [Mismatch.Names] has it, and "text",
// the reason as a sentence. It never fails.
func (r Reason) MarshalJSON() ([]byte, error) {
	return marshal(r.json())
}

func (r *Reason) json() *jsonReason {
	j := &jsonReason{Taint: r.Taint, ValueHidden: r.ValueHidden, Tolerated: r.Tolerated, Differs: r.Differs.Names(), Text: r.String()}
	if r.Index >= 0 {
		j.Index, j.Toleration = &r.Index, &r.Toleration
	}
	return j
}

func (o *EvictionTime) json() jsonOutcome {
	j := jsonOutcome{Eviction: o.Eviction.String(), Seconds: o.After.Seconds(), Text: o.String()}
	if o.Eviction != match.Stay {
		j.Taint = &o.Taint
	}
	if o.decided() {
		j.Index, j.Toleration = &o.Toleration, &o.By
	}
	return j
}

// MarshalJSON writes r as an object: "goal", "additions", "edits" as
// [Edit.MarshalJSON] has them, "size" as [Repair.Size] has it, "truncated", left out if
// false, and "text". It never fails.
func (r Repair) MarshalJSON() ([]byte, error) {
	j := jsonRepair{r.Goal.String(), r.Additions, r.Edits, r.Size(), r.Truncated, r.String()}
	if j.Additions == nil {
		j.Additions = []toleration.Toleration{}
	}
	if j.Edits == nil {
		j.Edits = []Edit{}
	}
	return marshal(j)
}

// MarshalJSON writes e as an object: "index", the "old" and the "new" toleration, and
// "fields", those that change, as [Edit.Fields] has them. It never fails.
func (e Edit) MarshalJSON() ([]byte, error) {
	return marshal(jsonEdit{e.Index, e.Old, e.New, e.Fields()})
}

// marshal returns v as JSON in which "<", ">" and "&" are as they are: the encoder that
// asks for it escapes them, or does not.
func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}
