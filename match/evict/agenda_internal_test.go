package evict

import (
	"math/rand/v2"
	"testing"
)

// The first group of an agenda is one that is due first, whatever was added, moved and
// removed, and each group knows its place.
func TestAgenda(t *testing.T) {
	rand := rand.New(rand.NewPCG(1, 2))
	var a agenda
	var all []group
	scheduled := map[uint32]bool{}
	pick := func() uint32 {
		for g := range scheduled {
			return g
		}
		return none
	}
	for range 20_000 {
		switch g := pick(); {
		case rand.IntN(3) == 0 && len(scheduled) < 50:
			all = append(all, group{}) // which may move them all
			g = uint32(len(all))
			all[g-1].plan.due = rand.Int64N(30)
			a.add(all, g)
			scheduled[g] = true
			all = append(all, group{}) // of one that is not scheduled
		case g == none:
		case rand.IntN(2) == 0:
			all[g-1].plan.due = rand.Int64N(30)
			a.move(all, g)
		case rand.IntN(3) == 0:
			a.remove(all, g)
			delete(scheduled, g)
			if all[g-1].at != none {
				t.Fatalf("group %d is at %d", g, all[g-1].at)
			}
		}
		first := a.first()
		if (first == none) != (len(scheduled) == 0) || len(a.groups) != len(scheduled) {
			t.Fatalf("the first of %d is %d", len(scheduled), first)
		}
		for g := range scheduled {
			if all[g-1].plan.due < all[first-1].plan.due || a.groups[all[g-1].at-1] != g {
				t.Fatalf("group %d is due at %d, before %d, the first, at %d", g, all[g-1].plan.due, first, all[first-1].plan.due)
			}
		}
	}
}
