package matchtest

import (
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The alphabets of the generators are small, so that equal parts meet often,
// and contain near-misses of each other.
var (
	keys      = []string{"", "a", "b", "A", "aa", "example.com/a", "example.com/b", taint.KeyNotReady, taint.KeyUnreachable}
	texts     = []string{"", "x", "y", "X", "true", "True", "0", "1", "2", "-1", "05", "+5", "9223372036854775807", "9223372036854775808"}
	effects   = []taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, "", "Other"}
	operators = []toleration.Operator{"", toleration.OpEqual, toleration.OpExists, toleration.OpLt, toleration.OpGt, "equal"}
	limits    = []int64{-1, 0, 1, 60, 300, 301, maxSeconds, maxSeconds + 1, 18446744074, 1<<63 - 1, -1 << 63}
)

// Epoch returns the instant around which [Taint] sets TimeAdded.
func Epoch() time.Time { return time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC) }

// Taint generates a taint, valid or not. TimeAdded is nil, the zero time, or
// a whole second around [Epoch].
func Taint() *rapid.Generator[taint.Taint] {
	return rapid.Custom(func(t *rapid.T) taint.Taint {
		return taint.Taint{
			Key:       drawString(t, keys, "key"),
			Value:     drawString(t, texts, "value"),
			Effect:    rapid.SampledFrom(effects).Draw(t, "effect"),
			TimeAdded: rapid.Ptr(timeAdded(), true).Draw(t, "timeAdded"),
		}
	})
}

// timeAdded generates a time around Epoch, and now and then the zero time, which
// is no time.
func timeAdded() *rapid.Generator[taint.Time] {
	return rapid.Map(rapid.Int64Range(-1000, 1000), func(s int64) taint.Time {
		if s%8 == 7 {
			return taint.Time{}
		}
		return taint.Time{Time: Epoch().Add(time.Duration(s) * time.Second)}
	})
}

// drawString draws from an alphabet most of the time, and any string at times.
func drawString(t *rapid.T, alphabet []string, label string) string {
	return rapid.OneOf(rapid.SampledFrom(alphabet), rapid.SampledFrom(alphabet), rapid.SampledFrom(alphabet), rapid.String()).Draw(t, label)
}

// Taints generates a node's taint list, with duplicates at times.
func Taints() *rapid.Generator[[]taint.Taint] {
	return rapid.SliceOfN(Taint(), 0, 6)
}

// Toleration generates a toleration, valid or not, independent of any taint.
func Toleration() *rapid.Generator[toleration.Toleration] {
	return rapid.Custom(func(t *rapid.T) toleration.Toleration {
		return toleration.Toleration{
			Key:               drawString(t, keys, "key"),
			Operator:          rapid.SampledFrom(operators).Draw(t, "operator"),
			Value:             drawString(t, texts, "value"),
			Effect:            rapid.SampledFrom(effects).Draw(t, "effect"),
			TolerationSeconds: rapid.Ptr(rapid.SampledFrom(limits), true).Draw(t, "seconds"),
		}
	})
}

// Tolerations generates a pod's toleration list with the given taints in mind:
// most of the tolerations are for one of them, exactly or with one field changed.
// The list of taints may be empty.
func Tolerations(taints []taint.Taint) *rapid.Generator[[]toleration.Toleration] {
	if len(taints) == 0 {
		return rapid.SliceOfN(Toleration(), 0, 8)
	}
	near := rapid.Custom(func(t *rapid.T) toleration.Toleration {
		return nearMiss(t, rapid.SampledFrom(taints).Draw(t, "taint"))
	})
	return rapid.SliceOfN(rapid.OneOf(near, near, Toleration()), 0, 8)
}

// nearMiss returns a toleration for x with at most one field changed.
func nearMiss(t *rapid.T, x taint.Taint) toleration.Toleration {
	near := toleration.Toleration{
		Key: x.Key, Operator: toleration.OpEqual, Value: x.Value, Effect: x.Effect,
		TolerationSeconds: rapid.Ptr(rapid.SampledFrom(limits), true).Draw(t, "seconds"),
	}
	switch other := Toleration().Draw(t, "other"); rapid.IntRange(0, 5).Draw(t, "change") {
	case 0:
		near.Key = other.Key
	case 1:
		near.Operator = other.Operator
	case 2:
		near.Value = other.Value
	case 3:
		near.Effect = other.Effect
	case 4:
		near.Operator, near.Value = toleration.OpExists, ""
	}
	return near
}
