package toleration_test

import (
	"os"
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// universe returns every valid toleration over two keys, a word, the integers at the bounds
// and between them, all effects, and some seconds.
func universe(t *testing.T) (all []toleration.Toleration) {
	t.Helper()
	values := []string{"", "x", "-9223372036854775808", "0", "9223372036854775807"}
	for _, key := range []string{"", "a", "b"} {
		for _, operator := range []toleration.Operator{toleration.OpExists, toleration.OpEqual, toleration.OpGt, toleration.OpLt} {
			for _, value := range values {
				for _, effect := range []taint.Effect{"", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute} {
					for _, seconds := range []*int64{nil, new(int64), ptr(5)} {
						one := toleration.Toleration{Key: key, Operator: operator, Value: value, Effect: effect, TolerationSeconds: seconds}
						if comparisons.Validate([]toleration.Toleration{one}) == nil {
							all = append(all, one)
						}
					}
				}
			}
		}
	}
	return all
}

// Every list of up to three tolerations of the universe, with every taint that they tell
// apart: the level is that of the first toleration that matches, and the minimal list means
// the same. Without TOLERO_LONG, one in 499.
func TestMeaningOfTheUniverse(t *testing.T) {
	all := universe(t)
	var taints []taint.Taint
	for _, effect := range []taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute} {
		for _, key := range []string{"a", "b", "c"} {
			for _, value := range []string{"", "x", "y", "-9223372036854775808", "-9223372036854775807", "-1", "0", "1", "9223372036854775806", "9223372036854775807"} {
				taints = append(taints, taint.Taint{Key: key, Value: value, Effect: effect})
			}
		}
	}
	alone := make([][]toleration.Level, len(all))
	for i := range all {
		for j := range taints {
			alone[i] = append(alone[i], levelBy(all[i:i+1], &taints[j]))
		}
	}
	step, n := 499, 0
	if os.Getenv("TOLERO_LONG") != "" {
		step = 1
	}
	check := func(of ...int) {
		if n++; len(of) == 3 && n%step > 0 {
			return
		}
		var list []toleration.Toleration
		for _, i := range of {
			list = append(list, all[i])
		}
		m := mustMean(t, list)
		for j := range taints {
			want := toleration.NotTolerated
			for k := 0; k < len(of) && want == toleration.NotTolerated; k++ {
				want = alone[of[k]][j]
			}
			if got := m.Level(&taints[j]); got != want {
				t.Fatalf("%s: %s is %s, want %s", toleration.FormatList(list), taints[j], got, want)
			}
		}
		if again := mustMean(t, m.AppendTolerations(nil)); !again.Equal(m) {
			t.Fatalf("%s: the minimal list %s means something else", toleration.FormatList(list), again)
		}
	}
	check()
	for i := range all {
		check(i)
		for j := range all {
			check(i, j)
			for k := range all {
				check(i, j, k)
			}
		}
	}
	t.Logf("%d tolerations, %d lists, one in %d of those of three", len(all), n, step)
}
