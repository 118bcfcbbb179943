package admit

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// DefaultSeconds is the admission plugin DefaultTolerationSeconds: how long a pod
// stays on a node that is not ready or not reachable, unless it says otherwise.
// The zero DefaultSeconds has Kubernetes' defaults, five minutes each.
//
// A DefaultSeconds is plain data. Copies share the numbers, which nothing in
// this package writes to.
type DefaultSeconds struct {
	// NotReady is --default-not-ready-toleration-seconds; nil is 300. Zero or
	// less evicts at once.
	NotReady *int64
	// Unreachable is --default-unreachable-toleration-seconds, likewise.
	Unreachable *int64
}

// defaultSeconds is the default of both flags.
const defaultSeconds = 300

// Append adds one toleration for node.kubernetes.io/not-ready and one for
// node.kubernetes.io/unreachable, each with Exists, NoExecute and its seconds;
// see [Part]. It leaves out the one whose key the list tolerates already: by a
// toleration with that key or with no key, for NoExecute or for every effect,
// whatever its operator and value (rule A1). The results do not share the
// numbers of d.
func (d DefaultSeconds) Append(dst, tolerations []toleration.Toleration) []toleration.Toleration {
	// What is appended may overwrite the list.
	notReady, unreachable := mentions(tolerations, taint.KeyNotReady), mentions(tolerations, taint.KeyUnreachable)
	dst = append(dst, tolerations...)
	if !notReady {
		dst = append(dst, forSeconds(taint.KeyNotReady, d.NotReady))
	}
	if !unreachable {
		dst = append(dst, forSeconds(taint.KeyUnreachable, d.Unreachable))
	}
	return dst
}

// mentions reports whether tolerations already tolerate NoExecute for the key,
// as the plugin sees it.
func mentions(tolerations []toleration.Toleration, key string) bool {
	for i := range tolerations {
		t := &tolerations[i]
		if (t.Key == key || t.Key == "") && (t.Effect == taint.NoExecute || t.Effect == "") {
			return true
		}
	}
	return false
}

func forSeconds(key string, seconds *int64) toleration.Toleration {
	t := exists(key, taint.NoExecute)
	t.TolerationSeconds = new(int64)
	if *t.TolerationSeconds = defaultSeconds; seconds != nil {
		*t.TolerationSeconds = *seconds
	}
	return t
}
