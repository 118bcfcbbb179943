package whatif

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The limit of a list is what package match says of each of its tolerations and a taint that
// it tolerates: of all short lists, valid or not.
func TestLimits(t *testing.T) {
	var tolerations []toleration.Toleration
	for _, effect := range []taint.Effect{"", "A", taint.NoExecute, taint.NoSchedule, "x"} {
		tolerations = append(tolerations, toleration.Toleration{Key: "k", Operator: toleration.OpExists, Effect: effect})
		for _, seconds := range []int64{-1, 0, 1, 2} {
			tolerations = append(tolerations, toleration.Toleration{Key: "k", Operator: toleration.OpExists, Effect: effect, TolerationSeconds: &seconds})
		}
	}
	out := []taint.Taint{{Key: "k", Effect: taint.NoExecute}}
	limits := make(map[limit]int)
	for list := range matchtest.Lists(tolerations, 2) {
		want := unlimited
		for i := range list {
			v := match.FirstMatch.Decide(out, list[i:i+1], time.Time{})
			switch {
			case !match.Tolerates(list[i:i+1], &out[0]) || v.Eviction == match.Stay:
			case v.After == 0:
				want = atOnce
			default:
				want = max(want, notAtOnce)
			}
		}
		limits[want]++
		if got := limitOf(list); got != want {
			t.Fatalf("%s: limit %d, want %d", toleration.FormatList(list), got, want)
		}
	}
	if len(limits) != 3 {
		t.Errorf("limits %v, want all of them", limits)
	}
}

// check checks that each pod is where it is said to be, and that there are so many.
func (p *Pods) check(t *testing.T, pods int) {
	t.Helper()
	if p.Len() != pods {
		t.Fatalf("%d pods, want %d", p.Len(), pods)
	}
	for name, position := range p.byName {
		at := p.pods[position]
		if on := p.nodes.groups.At(at.node).members[at.onNode]; on.pod != position || on.name != name {
			t.Fatalf("pod %s: %s is in its place on the node", name, on.name)
		}
		if got := p.owners.groups.At(at.owner).members[at.ofOwner]; got != position {
			t.Fatalf("pod %s: pod %d is in its place with the owner, want %d", name, got, position)
		}
	}
}

// Pods that share nodes and owners go in any order, and others take their places; when all are
// gone, no name and no list is left.
func TestPodsGoInAnyOrder(t *testing.T) {
	const n = 4
	var order []int
	for i := range n {
		order = append(order, i)
	}
	for order := range matchtest.Lists(order, n) {
		if len(order) < n || len(slices.Compact(slices.Sorted(slices.Values(order)))) < n {
			continue
		}
		var p Pods
		set := func(i int) {
			p.Set(Pod{
				Name: fmt.Sprint(i), Node: fmt.Sprint(i % 2), Owner: fmt.Sprint(i / 3),
				Tolerations: []toleration.Toleration{{Key: fmt.Sprint(i)}},
			})
		}
		for i := range n {
			set(i)
			p.check(t, i+1)
		}
		for round := range 3 {
			for i, pod := range order {
				before := p.changes
				if p.Delete("none"); p.changes != before {
					t.Fatal("a change, and no pod went")
				}
				if !p.Delete(fmt.Sprint(pod)) || p.changes == before {
					t.Fatalf("pod %d went, and %d changes are counted", pod, p.changes-before)
				}
				p.check(t, n-1-i)
			}
			for i := range p.texts.owners.Len() {
				if owner := *p.texts.owners.At(uint32(i)); owner != "" {
					t.Fatalf("owner %q is left", owner)
				}
			}
			for i := range p.texts.lists.Len() {
				if list := *p.texts.lists.At(uint32(i)); list != nil {
					t.Fatalf("list %v is left", list)
				}
			}
			if round == 2 {
				break
			}
			for i := range n {
				set(i)
				p.check(t, i+1)
			}
			if len(p.pods) != n {
				t.Fatalf("places for %d pods, want %d", len(p.pods), n)
			}
		}
	}
}
