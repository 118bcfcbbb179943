package upstream

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The words that validation and matching can tell apart, and near misses.
var (
	long63 = strings.Repeat("x", 63)

	keyWords = []string{
		"a", "b", "example.com/a", "a/b", "A.b-c_d9", "9", // valid
		"", "-a", "a-", "a/", "/a", "a/b/c", "a b", "A/b", "a_b/c", "a..b/c", "a.-b/c", "é", // not valid
		long63, long63 + "x", strings.Repeat("x.", 126) + "x/a", strings.Repeat("x.", 126) + "xx/a", long63 + "x/" + long63,
		taint.KeyUnschedulable, taint.KeyNotReady,
	}
	valueWords = []string{
		"", "x", "y", "X.y-z_9", "0", "1", "5", "-1", "-0", "05", "+5", "5.0", " 5", "1e3", "-", "_", ".", "x/y", "x y", "é", "x-",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551621",
		long63, long63 + "x",
	}
	operatorWords = []toleration.Operator{"", toleration.OpEqual, toleration.OpExists, toleration.OpLt, toleration.OpGt, "exists", "In"}
	effectWords   = []taint.Effect{"", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, "noSchedule", "NoScheduleNoAdmit"}
	secondsWords  = []*int64{nil, seconds(-1), seconds(0), seconds(1), seconds(300)}
)

func seconds(n int64) *int64 { return &n }

// The words of small universes, in which lists often meet.
var (
	fewKeys      = []string{"", "a", "b"}
	fewValues    = []string{"", "1", "5", "x"}
	fewOperators = []toleration.Operator{"", toleration.OpEqual, toleration.OpExists, toleration.OpLt, toleration.OpGt, "In"}
	fewEffects   = []taint.Effect{"", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute}
)

func allTolerations(keys []string, operators []toleration.Operator, values []string, effects []taint.Effect, seconds []*int64) (all []toleration.Toleration) {
	for _, key := range keys {
		for _, operator := range operators {
			for _, value := range values {
				for _, effect := range effects {
					for _, s := range seconds {
						all = append(all, toleration.Toleration{Key: key, Operator: operator, Value: value, Effect: effect, TolerationSeconds: s})
					}
				}
			}
		}
	}
	return all
}

func allTaints(keys, values []string, effects []taint.Effect) (all []taint.Taint) {
	for _, key := range keys {
		for _, value := range values {
			for _, effect := range effects {
				all = append(all, taint.Taint{Key: key, Value: value, Effect: effect})
			}
		}
	}
	return all
}

// listsUpTo returns every list of at most n items, the empty one included.
func listsUpTo[T any](n int, items []T) [][]T {
	lists := [][]T{nil}
	for start := 0; n > 0; n-- {
		end := len(lists)
		for _, list := range lists[start:end] {
			for _, item := range items {
				lists = append(lists, append(list[:len(list):len(list)], item))
			}
		}
		start = end
	}
	return lists
}

// Generators: words that meet, words of every kind, and now and then any text.
var (
	anyKey      = rapid.OneOf(rapid.SampledFrom(fewKeys), rapid.SampledFrom(keyWords), rapid.String())
	anyValue    = rapid.OneOf(rapid.SampledFrom(fewValues), rapid.SampledFrom(valueWords), rapid.String())
	anyOperator = rapid.OneOf(rapid.SampledFrom(operatorWords[:5]), rapid.SampledFrom(operatorWords))
	anyEffect   = rapid.OneOf(rapid.SampledFrom(effectWords[:4]), rapid.SampledFrom(effectWords))

	anyTaint = rapid.Custom(func(t *rapid.T) taint.Taint {
		return taint.Taint{Key: anyKey.Draw(t, "key"), Value: anyValue.Draw(t, "value"), Effect: anyEffect.Draw(t, "effect")}
	})
	anyToleration = rapid.Custom(func(t *rapid.T) toleration.Toleration {
		return toleration.Toleration{Key: anyKey.Draw(t, "key"), Operator: anyOperator.Draw(t, "operator"), Value: anyValue.Draw(t, "value"),
			Effect: anyEffect.Draw(t, "effect"), TolerationSeconds: rapid.SampledFrom(secondsWords).Draw(t, "seconds")}
	})
	fewTaint      = rapid.SampledFrom(allTaints(fewKeys, fewValues, fewEffects))
	fewToleration = rapid.SampledFrom(allTolerations(fewKeys, fewOperators, fewValues, fewEffects, secondsWords))

	taintLists      = rapid.SliceOfN(rapid.OneOf(fewTaint, anyTaint), 0, 6)
	tolerationLists = rapid.SliceOfN(rapid.OneOf(fewToleration, anyToleration), 0, 6)
)
