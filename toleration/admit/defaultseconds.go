package admit

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// DefaultSeconds is how long a pod stays on a node that is not ready or not
// reachable unless it says otherwise: the settings of the admission plugin
// DefaultTolerationSeconds. The zero DefaultSeconds evicts at once; start from
// [Defaults]. It is a plain value.
type DefaultSeconds struct {
	NotReady    int64 // --default-not-ready-toleration-seconds
	Unreachable int64 // --default-unreachable-toleration-seconds
}

// Defaults returns the settings of Kubernetes when no flag is given: five
// minutes each.
func Defaults() DefaultSeconds {
	return DefaultSeconds{NotReady: 300, Unreachable: 300}
}

// Append appends tolerations to dst and then those that the plugin adds: one for
// node.kubernetes.io/not-ready and one for node.kubernetes.io/unreachable, each
// with NoExecute and its seconds, unless the list has a toleration for that key,
// or for every key, and for NoExecute, or for every effect. Its operator and
// value are not looked at (rule A1). It returns the extended slice.
//
// dst may be tolerations[:0]; it must not overlap tolerations in any other way.
func (d DefaultSeconds) Append(dst, tolerations []toleration.Toleration) []toleration.Toleration {
	// The list may be written over by what is appended.
	notReady, unreachable := spoken(tolerations, taint.KeyNotReady), spoken(tolerations, taint.KeyUnreachable)
	dst = append(dst, tolerations...)
	if !notReady {
		dst = append(dst, forSeconds(taint.KeyNotReady, d.NotReady))
	}
	if !unreachable {
		dst = append(dst, forSeconds(taint.KeyUnreachable, d.Unreachable))
	}
	return dst
}

// spoken reports whether the pod has made up its mind about a key.
func spoken(tolerations []toleration.Toleration, key string) bool {
	for i := range tolerations {
		t := &tolerations[i]
		if (t.Key == key || t.Key == "") && (t.Effect == taint.NoExecute || t.Effect == "") {
			return true
		}
	}
	return false
}

func forSeconds(key string, seconds int64) toleration.Toleration {
	t := exists(key, taint.NoExecute)
	t.TolerationSeconds = &seconds
	return t
}
