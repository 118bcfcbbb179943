package taint

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/taint/word"
)

// Taint is an item of a node's spec.taints, with the field names of the
// Kubernetes API.
//
// The zero Taint is not valid (a key and an effect are required) but every
// function of this module accepts it. A copy shares strings and TimeAdded, which
// nothing in this module writes to.
//
// Taint can be compared with ==, which compares TimeAdded by pointer; use
// [Taint.Equal] to compare the instants.
type Taint struct {
	// Key is a qualified name, such as "node.kubernetes.io/not-ready".
	Key string `json:"key"`
	// Value is a label value; it may be empty.
	Value string `json:"value,omitempty"`
	// Effect says what the taint does to pods that do not tolerate it.
	Effect Effect `json:"effect"`
	// TimeAdded is when the taint was put on the node; nil if that is not known.
	// Matching ignores it (rule M6).
	TimeAdded *Time `json:"timeAdded,omitempty"`
}

// Matches reports whether t and u are the same taint of a node: equal in key
// and effect, whatever their values (rule K3).
func (t Taint) Matches(u *Taint) bool {
	return t.Key == u.Key && t.Effect == u.Effect
}

// Equal reports whether t and u have the same key, value and effect and were
// added at the same instant. A nil TimeAdded and one that points to the zero
// Time are the same: JSON, which writes both as null, cannot tell them apart.
func (t Taint) Equal(u *Taint) bool {
	return t.Matches(u) && t.Value == u.Value && t.TimeAdded.orZero().Equal(u.TimeAdded.orZero())
}

// UnmarshalJSON reads what is a taint for the API server: the case of field names
// counts, and other fields are ignored. Fields that are missing stay as they were.
func (t *Taint) UnmarshalJSON(data []byte) error {
	_, err := word.Fields(data, t.fields())
	return err
}

func (t *Taint) fields() map[string]any {
	return map[string]any{"key": &t.Key, "value": &t.Value, "effect": &t.Effect, "timeAdded": &t.TimeAdded}
}

// ParseListJSON reads a JSON list of taints, such as a node's spec.taints, and does not
// validate them. It is strict: an unknown field, one in another case and one that is
// repeated are errors, which give the index of the taint. Null gives a nil list.
func ParseListJSON(data []byte) ([]Taint, error) { return word.List(data, "taints", (*Taint).fields) }

// Time is an instant with the JSON form that the Kubernetes API gives to
// timestamps: RFC 3339 in UTC with whole seconds, and null for the zero Time.
//
// The zero Time is the zero [time.Time]; everywhere in this module it means the
// same as a nil *Time: no time is known. Its layout is that of metav1.Time, so that
// a *Time converts to and from a *metav1.Time without allocation.
type Time struct {
	time.Time
}

// IsZero reports whether t is nil or the zero Time.
func (t *Time) IsZero() bool {
	return t == nil || t.Time.IsZero()
}

// orZero returns the zero time if t is nil.
func (t *Time) orZero() time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.Time
}

// MarshalJSON writes t as the Kubernetes API does; fractions of a second are
// cut off. A year that RFC 3339 does not have, before 0 or after 9999, is an error.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	utc := t.UTC()
	if year := utc.Year(); year < 0 || year > 9999 {
		return nil, fmt.Errorf("time %v: the year is not one of 0 to 9999", utc)
	}
	return utc.AppendFormat(nil, `"`+time.RFC3339+`"`), nil
}

// UnmarshalJSON reads an RFC 3339 timestamp, with or without fractions of a
// second, or null, which gives the zero Time. Anything else is an error and
// leaves t as it was. The location of the result is UTC.
func (t *Time) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*t = Time{}
		return nil
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	parsed, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return err
	}
	t.Time = parsed.UTC()
	return nil
}
