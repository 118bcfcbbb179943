package taint

import "strings"

// KeySelector selects taints by key, for programs that leave some taints out of
// their decisions, such as those that a starting node loses by itself:
//
//	startup := taint.KeySelector{
//		Keys:     []string{taint.KeyNotReady},
//		Prefixes: []string{"startup-taint.cluster-autoscaler.kubernetes.io/"},
//	}
//
// The zero KeySelector selects nothing. Copies share the slices, which nothing
// in this module writes to. It may be read concurrently.
type KeySelector struct {
	Keys     []string // the taints with one of these keys
	Prefixes []string // the taints whose keys begin with one of these; the empty prefix selects all
}

// Selects reports whether s selects t, whatever its value and effect. The time
// is proportional to the number of keys and prefixes. It does not allocate.
func (s KeySelector) Selects(t *Taint) bool { return s.SelectsKey(t.Key) }

// SelectsKey reports whether s selects the taints with this key, for keys that are not
// in a Taint, such as those of a toleration. It is like [KeySelector.Selects].
func (s KeySelector) SelectsKey(key string) bool {
	for _, k := range s.Keys {
		if key == k {
			return true
		}
	}
	for _, prefix := range s.Prefixes {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}
