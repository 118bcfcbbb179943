package device

import "github.com/tolero-dev/tolero/toleration"

// Operator relates the value of a taint to that of a toleration. It is the type
// of node tolerations' operators, of which devices know [OpEqual] and [OpExists]; the
// empty one means OpEqual, and any other matches nothing (rule D2).
type Operator = toleration.Operator

// The operators of device tolerations.
const (
	// OpEqual matches taints with the value of the toleration.
	OpEqual = toleration.OpEqual
	// OpExists matches taints with any value.
	OpExists = toleration.OpExists
)

// MaxTolerations is how many tolerations a request may have, as the API
// documents it. Kubernetes 1.37 does not enforce it (rule D13).
const MaxTolerations = 16

// Toleration is a toleration of a claim's request, with the field names of the
// Kubernetes API. The scheduler copies the tolerations of a request into the
// result of each device that it allocates for it, and there they never change. It
// has the fields of [toleration.Toleration], so that each converts to the other:
// device.Toleration(t).
//
// The zero Toleration tolerates every taint whose value is empty; it is what the
// API makes an Equal toleration of. A copy shares TolerationSeconds, which no
// function writes to. A Toleration may be read concurrently.
type Toleration struct {
	// Key is the key of the taints that are tolerated. Empty matches every key,
	// with any operator.
	Key string `json:"key,omitempty"`
	// Operator is Exists or Equal; empty means Equal.
	Operator Operator `json:"operator,omitempty"`
	// Value is the value of the taints that are tolerated, if Operator is Equal.
	Value string `json:"value,omitempty"`
	// Effect is the effect of the taints that are tolerated. Empty matches every
	// effect where devices are allocated, and none where pods are evicted (rule D6).
	Effect Effect `json:"effect,omitempty"`
	// TolerationSeconds limits how long after its TimeAdded a NoExecute taint is
	// tolerated. Nil is forever; zero or less is not at all. It counts only if
	// Effect is NoExecute.
	TolerationSeconds *int64 `json:"tolerationSeconds,omitempty"`
}

// Tolerates reports whether t tolerates x (rule D2). That is the answer for
// allocating the device: the seconds play no part. Neither t nor x has to be
// valid. It does not allocate.
func (t *Toleration) Tolerates(x *Taint) bool {
	if t.Effect != "" && t.Effect != x.Effect {
		return false
	}
	if t.Key != "" && t.Key != x.Key {
		return false
	}
	// Devices know no Gt and Lt, as a cluster with its gate off.
	return toleration.Rules{}.Holds(t.Operator, x.Value, t.Value)
}

// ToleratesExecution reports whether t lets pods that use a device with the taint
// x go on for a while or forever (rule D6). For that the effect of t has to be
// NoExecute: one that is empty does not do. It is false for taints of any other
// effect, which evict nobody.
func (t *Toleration) ToleratesExecution(x *Taint) bool {
	return t.Effect == NoExecute && t.Tolerates(x)
}

// Matches reports whether t and u have the same key, operator, value and effect.
func (t *Toleration) Matches(u *Toleration) bool {
	return (*toleration.Toleration)(t).Matches((*toleration.Toleration)(u))
}

// Equal reports whether t and u match and have the same seconds.
func (t *Toleration) Equal(u *Toleration) bool {
	return (*toleration.Toleration)(t).Equal((*toleration.Toleration)(u))
}
