package taint

import (
	"encoding/json"
	"time"
)

// Taint is an item of a node's spec.taints, with the field names of the
// Kubernetes API.
//
// The zero Taint is not valid (a key and an effect are required) but every
// function of this module accepts it. A copy shares strings and TimeAdded, which
// nothing in this module writes to. A Taint may be read concurrently. It retains
// only what its fields hold.
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
func (t *Taint) Matches(u *Taint) bool {
	return t.Key == u.Key && t.Effect == u.Effect
}

// Equal reports whether t and u have the same key, value and effect and were
// added at the same instant. A nil TimeAdded and one that points to the zero
// Time are the same: JSON, which writes both as null, cannot tell them apart.
func (t *Taint) Equal(u *Taint) bool {
	return t.Matches(u) && t.Value == u.Value && t.TimeAdded.orZero().Equal(u.TimeAdded.orZero())
}

// Time is an instant with the JSON form that the Kubernetes API gives to
// timestamps: RFC 3339 in UTC with whole seconds, and null for the zero Time.
//
// The zero Time is the zero [time.Time]; everywhere in this module it means the
// same as a nil *Time: no time is known. A Time may be copied and read
// concurrently, and retains nothing. Its layout is that of metav1.Time, so that
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
// cut off. It never fails.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return t.UTC().AppendFormat(nil, `"`+time.RFC3339+`"`), nil
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
