// Package seconds compares how long tolerations tolerate.
package seconds

import (
	"cmp"

	"github.com/tolero-dev/tolero/toleration"
)

// Compare compares two tolerations by their seconds, as cmp.Compare does. No seconds are
// the most.
func Compare(t, u *toleration.Toleration) int {
	a, b := t.TolerationSeconds, u.TolerationSeconds
	switch {
	case a != nil && b != nil:
		return cmp.Compare(*a, *b)
	case a != nil:
		return -1
	case b != nil:
		return 1
	}
	return 0
}
