package matchtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// recorder keeps the first failure of a comparison.
type recorder struct{ failure string }

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	if r.failure == "" {
		r.failure = fmt.Sprintf(format, args...)
	}
}

// Each set of effects is asked for, and the failure says with which tolerations.
func TestComparisonAsksForEachSet(t *testing.T) {
	tolerations := []toleration.Toleration{toleration.MustParse("b:NoSchedule")}
	taints := []taint.Taint{{Key: "a", Effect: taint.NoSchedule}}
	for _, set := range []taint.EffectSet{0, taint.Hard, taint.Soft, taint.Evicting, taint.OtherEffects, taint.AllEffects} {
		var r recorder
		wrong := func(list []toleration.Toleration) Matcher {
			m := Canonical()(list)
			right := m.CountUntolerated
			m.CountUntolerated = func(taints []taint.Taint, effects taint.EffectSet) int64 {
				if effects == set {
					return -1
				}
				return right(taints, effects)
			}
			return m
		}
		c := newComparison(&r, sides{wrong, Canonical()})
		c.setTolerations(tolerations)
		c.compare(taints)
		if !strings.Contains(r.failure, "CountUntolerated "+set.String()) || !strings.Contains(r.failure, "b:NoSchedule") {
			t.Errorf("%v: %q", set, r.failure)
		}
	}
}

// A nil predicate is asked for with all effects.
func TestComparisonAsksWithoutPredicate(t *testing.T) {
	var r recorder
	wrong := func([]toleration.Toleration) Matcher {
		return Matcher{FirstUntoleratedFunc: func(_ []taint.Taint, effects taint.EffectSet, keep func(*taint.Taint) bool) (int, bool) {
			return 0, keep == nil && effects == taint.AllEffects
		}}
	}
	c := newComparison(&r, sides{wrong, Canonical()})
	c.setTolerations(nil)
	c.compare(nil)
	if !strings.Contains(r.failure, "FirstUntoleratedFunc "+taint.AllEffects.String()+"\n") {
		t.Errorf("%q", r.failure)
	}
}
