package taint_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/taint"
	"pgregory.net/rapid"
)

// A fixed seed makes every run of the tests the same run; give -rapid.seed on
// the command line to look elsewhere.
func init() {
	if err := flag.Set("rapid.seed", "20260101"); err != nil {
		panic(err)
	}
}

var effects = []taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute}

// The generators draw from the Kubernetes grammar, as regular expressions that
// the code under test does not contain.
var (
	validKey   = rapid.StringMatching(`([a-z0-9]([-a-z0-9]{0,4}[a-z0-9])?(\.[a-z0-9]{1,3}){0,2}/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,6}[A-Za-z0-9])?`)
	validValue = rapid.StringMatching(`([A-Za-z0-9]([-A-Za-z0-9_.]{0,6}[A-Za-z0-9])?)?`)
	anyTime    = rapid.SampledFrom([]*taint.Time{nil, instant(0), instant(1), sameInstantElsewhere(1), {}})
)

// validTaint draws taints that Kubernetes accepts, without TimeAdded.
var validTaint = rapid.Custom(func(t *rapid.T) taint.Taint {
	return taint.Taint{
		Key:    validKey.Draw(t, "key"),
		Value:  validValue.Draw(t, "value"),
		Effect: rapid.SampledFrom(effects).Draw(t, "effect"),
	}
})

// smallTaint draws from so few taints that lists of them meet often, invalid
// ones included.
var smallTaint = rapid.Custom(func(t *rapid.T) taint.Taint {
	return taint.Taint{
		Key:       rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(t, "key"),
		Value:     rapid.SampledFrom([]string{"", "v", "w"}).Draw(t, "value"),
		Effect:    rapid.SampledFrom(append([]taint.Effect{"", "Evict"}, effects...)).Draw(t, "effect"),
		TimeAdded: anyTime.Draw(t, "timeAdded"),
	}
})

// Some lists are longer than those that are searched.
var smallList = rapid.OneOf(rapid.SliceOfN(smallTaint, 0, 6), rapid.SliceOfN(smallTaint, 14, 40))

// instant returns a time that is n hours after a fixed one.
func instant(n int) *taint.Time {
	return &taint.Time{Time: time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC).Add(time.Duration(n) * time.Hour)}
}

// sameInstantElsewhere is instant(n) at another address, in another zone.
func sameInstantElsewhere(n int) *taint.Time {
	return &taint.Time{Time: instant(n).In(time.FixedZone("elsewhere", 2*60*60))}
}

// list reads taints written as the tests like them: separated by spaces, "-"
// for the empty list. Unlike Parse it takes invalid taints too.
func list(text string) []taint.Taint {
	var taints []taint.Taint
	for _, item := range strings.Fields(text) {
		pair, effect, _ := strings.Cut(item, ":")
		key, value, _ := strings.Cut(pair, "=")
		taints = append(taints, taint.Taint{Key: key, Value: value, Effect: taint.Effect(effect)})
	}
	return taints
}

// text is the inverse of list.
func text(taints []taint.Taint) string {
	var items []string
	for _, t := range taints {
		items = append(items, t.String())
	}
	return strings.Join(items, " ")
}

// many returns n taints, all different in key.
func many(n int) []taint.Taint {
	taints := make([]taint.Taint, n)
	for i := range taints {
		taints[i] = taint.Taint{Key: fmt.Sprintf("key-%06d", i), Value: "v", Effect: effects[i%len(effects)]}
	}
	return taints
}

// roomy returns a copy of taints with room for n more.
func roomy(taints []taint.Taint, n int) []taint.Taint {
	return slices.Grow(slices.Clone(taints), n)
}
