package device_test

import (
	"math/big"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The functions of this file are a second reading of the rules, slow and obvious,
// that shares nothing with the package: they say what the answer is.

// specTolerates is rule D2.
func specTolerates(t *toleration.Toleration, x *taint.Taint) bool {
	return slices.Contains([]taint.Effect{"", x.Effect}, t.Effect) &&
		slices.Contains([]string{"", x.Key}, t.Key) &&
		(t.Operator == "Exists" || slices.Contains([]toleration.Operator{"", "Equal"}, t.Operator) && t.Value == x.Value)
}

// specForbids is rule D5.
func specForbids(taints []taint.Taint, tolerations []toleration.Toleration) []taint.Taint {
	var left []taint.Taint
	for _, x := range taints {
		if slices.Contains([]string{"NoSchedule", "NoExecute"}, string(x.Effect)) &&
			!slices.ContainsFunc(tolerations, func(t toleration.Toleration) bool { return specTolerates(&t, &x) }) {
			left = append(left, x)
		}
	}
	return left
}

// specMoment is rules D6 and D7 for one taint: the nanoseconds after its TimeAdded
// at which it evicts, nil if it does not.
func specMoment(x *taint.Taint, tolerations []toleration.Toleration) *big.Int {
	if x.Effect != "NoExecute" {
		return nil
	}
	var limits []*big.Int
	for _, t := range tolerations {
		if t.Effect != "NoExecute" || !specTolerates(&t, x) {
			continue
		}
		if t.TolerationSeconds == nil {
			return nil
		}
		limit := new(big.Int).Mul(big.NewInt(*t.TolerationSeconds), big.NewInt(1e9))
		limits = append(limits, clamp(limit))
	}
	if len(limits) == 0 {
		return new(big.Int)
	}
	return slices.MinFunc(limits, (*big.Int).Cmp)
}

// clamp cuts nanoseconds to what a duration can hold, and to no less than zero.
func clamp(n *big.Int) *big.Int {
	most := big.NewInt(1<<63 - 1)
	switch {
	case n.Sign() < 0:
		return new(big.Int)
	case n.Cmp(most) > 0:
		return most
	}
	return n
}

// specEviction is rules D6 to D8 for the taints of a device.
func specEviction(taints []taint.Taint, tolerations []toleration.Toleration) (at time.Time, evicted bool) {
	for _, x := range taints {
		after := specMoment(&x, tolerations)
		if after == nil || x.TimeAdded == nil {
			continue
		}
		if moment := x.TimeAdded.Add(time.Duration(after.Int64())); !evicted || moment.Before(at) {
			at, evicted = moment, true
		}
	}
	return at, evicted
}
