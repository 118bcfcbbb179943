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
func (s KeySelector) Selects(t *Taint) bool {
	for _, key := range s.Keys {
		if t.Key == key {
			return true
		}
	}
	for _, prefix := range s.Prefixes {
		if strings.HasPrefix(t.Key, prefix) {
			return true
		}
	}
	return false
}
