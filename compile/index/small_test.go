package index_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/fuzz/fleet"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// smallTaints are taints of all effects, of which lists are made.
const smallTaints = "a:NoSchedule,a=5:NoSchedule,a=7:NoExecute,b=x:NoExecute,b=x:NoSchedule,b=y:PreferNoSchedule,c=7:PreferNoSchedule,c:NoSchedule,o=5:Odd"

// smallTolerations are of every form.
const smallTolerations = "*,*:NoExecute,*:NoSchedule@9,*=x,*>6,a,a:NoSchedule,a=5,a>6,a<6,b=x,b=x:NoExecute@0,b=y,b:NoExecute@300,c,c>0,o,d"

// TestRandomFleets does at random, the same each time, all that can be done to small fleets
// of nodes with much in common, and asks after each step.
func TestRandomFleets(t *testing.T) {
	taints, err := notation.Taints(smallTaints)
	if err != nil {
		t.Fatal(err)
	}
	tolerations, err := notation.Tolerations(smallTolerations)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(30) {
		r := smallFleet{Rand: rand.New(rand.NewPCG(seed, 1)), Model: fleet.New(t), taints: taints, tolerations: tolerations}
		for range 25 {
			r.step()
		}
		r.Snapshot()
		r.Ask(r.pod())
		r.Sweep()
	}
}

type smallFleet struct {
	*rand.Rand
	*fleet.Model
	taints      []taint.Taint
	tolerations []toleration.Toleration
	pods        []index.PodClass
}

func (r *smallFleet) node() (list []taint.Taint) {
	for range r.IntN(4) {
		list = append(list, r.taints[r.IntN(len(r.taints))])
	}
	return list
}

func (r *smallFleet) pod() (list []toleration.Toleration) {
	for range r.IntN(4) {
		list = append(list, r.tolerations[r.IntN(len(r.tolerations))])
	}
	return list
}

func (r *smallFleet) step() {
	name := fmt.Sprint("node-", r.IntN(12))
	switch r.IntN(12) {
	case 0, 1, 2:
		r.Set(name, r.node())
	case 3, 4:
		r.Delete(name)
	case 5: // a pool, which may outgrow a shared page
		list := r.node()
		for i := range r.IntN(100) {
			r.Set(fmt.Sprint("node-", i), list)
		}
	case 6:
		r.Load(func(yield func(string, []taint.Taint) bool) {
			for i := range r.IntN(20) {
				if !yield(fmt.Sprint("node-", i), r.node()) {
					return
				}
			}
		})
	case 7:
		r.pods = append(r.pods, r.Pods.Add(r.pod()))
	case 8:
		if n := len(r.pods); n > 3 {
			r.Pods.Remove(r.pods[0])
			r.pods = r.pods[1:]
		}
	case 9:
		r.Snapshot()
	case 10:
		if n := len(r.Taken); n > 0 {
			r.CompareTwo(&r.Taken[r.IntN(n)], &r.Taken[r.IntN(n)])
		}
	case 11:
		if n := len(r.Taken); n > 0 {
			r.Fork(&r.Taken[r.IntN(n)])
		}
	}
	r.Ask(r.pod())
}
