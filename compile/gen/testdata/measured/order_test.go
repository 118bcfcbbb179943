package measured_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/compile/gen/generated/byeffect"
	"github.com/tolero-dev/tolero/compile/gen/generated/bykey"
	"github.com/tolero-dev/tolero/compile/gen/generated/bylength"
	"github.com/tolero-dev/tolero/compile/gen/gentest"
	"github.com/tolero-dev/tolero/compile/gen/internal/measured"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
)

// orders are the measured lists in every order of tests.
var orders = map[string]struct{ byKey, byEffect, byLength func(*taint.Taint) bool }{
	"daemon set":   {bykey.DaemonSet{}.Tolerates, byeffect.DaemonSet{}.Tolerates, bylength.DaemonSet{}.Tolerates},
	"defaults":     {bykey.Defaults{}.Tolerates, byeffect.Defaults{}.Tolerates, bylength.Defaults{}.Tolerates},
	"linstor":      {bykey.Linstor{}.Tolerates, byeffect.Linstor{}.Tolerates, bylength.Linstor{}.Tolerates},
	"neuron":       {bykey.Neuron{}.Tolerates, byeffect.Neuron{}.Tolerates, bylength.Neuron{}.Tolerates},
	"alertmanager": {bykey.Alertmanager{}.Tolerates, byeffect.Alertmanager{}.Tolerates, bylength.Alertmanager{}.Tolerates},
	"everything":   {bykey.Everything{}.Tolerates, byeffect.Everything{}.Tolerates, bylength.Everything{}.Tolerates},
	"pools 01":     {bykey.Pools01{}.Tolerates, byeffect.Pools01{}.Tolerates, bylength.Pools01{}.Tolerates},
	"pools 02":     {bykey.Pools02{}.Tolerates, byeffect.Pools02{}.Tolerates, bylength.Pools02{}.Tolerates},
	"pools 04":     {bykey.Pools04{}.Tolerates, byeffect.Pools04{}.Tolerates, bylength.Pools04{}.Tolerates},
	"pools 08":     {bykey.Pools08{}.Tolerates, byeffect.Pools08{}.Tolerates, bylength.Pools08{}.Tolerates},
	"pools 16":     {bykey.Pools16{}.Tolerates, byeffect.Pools16{}.Tolerates, bylength.Pools16{}.Tolerates},
	"pools 32":     {bykey.Pools32{}.Tolerates, byeffect.Pools32{}.Tolerates, bylength.Pools32{}.Tolerates},
}

// TestOrders compares the orders with package match, which answers the other
// questions itself.
func TestOrders(t *testing.T) {
	for _, list := range measured.Lists() {
		order, found := orders[list.Name]
		if !found {
			t.Fatalf("%s is not among the orders", list.Name)
		}
		for name, tolerates := range map[string]func(*taint.Taint) bool{"key": order.byKey, "effect": order.byEffect, "length": order.byLength} {
			t.Run(list.Name+"/"+name, func(t *testing.T) {
				gentest.Run(t, list.Tolerations, gentest.Matcher{
					Tolerates: tolerates,
					FirstUntolerated: func(taints []taint.Taint, effects taint.EffectSet) (int, bool) {
						return match.FirstUntolerated(taints, list.Tolerations, effects)
					},
					Decide:        func(taints []taint.Taint) match.Verdict { return match.Decide(taints, list.Tolerations) },
					EvictionDelay: func(taints []taint.Taint) (time.Duration, bool) { return match.EvictionDelay(taints, list.Tolerations) },
				})
			})
		}
	}
}

// BenchmarkOrder compares the orders of tests, which is what chooseOrder goes
// by: all taints of the corpus, as often as they occur in it, with lists of
// figure P8 and with real ones.
func BenchmarkOrder(b *testing.B) {
	var taints []taint.Taint
	for _, node := range corpus.Taints() {
		taints = append(taints, node.Taints...)
	}
	for _, list := range measured.Lists() {
		order := orders[list.Name]
		b.Run(strings.ReplaceAll(list.Name, " ", "-"), func(b *testing.B) {
			side := func(name string, tolerates func(*taint.Taint) bool) ratio.Side {
				return ratio.Side{Name: name, Units: len(taints), Do: func() (tolerated int) {
					for i := range taints {
						if tolerates(&taints[i]) {
							tolerated++
						}
					}
					return tolerated
				}}
			}
			ratio.Measure(b, "taint", side("key", order.byKey), side("effect", order.byEffect), side("length", order.byLength)).
				Agree(b, "key", "effect", "length")
		})
	}
}
