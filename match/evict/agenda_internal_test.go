package evict

import (
	"math/rand/v2"
	"testing"
)

// The first group of an agenda is one that is due first, whatever was added, moved and
// removed, and each group knows its place.
func TestAgenda(t *testing.T) {
	rand := rand.New(rand.NewPCG(1, 2))
	var a agenda[int]
	scheduled := map[*group[int]]bool{}
	pick := func() *group[int] {
		for g := range scheduled {
			return g
		}
		return nil
	}
	for range 20_000 {
		switch g := pick(); {
		case rand.IntN(3) == 0 && len(scheduled) < 50:
			g = &group[int]{plan: plan{due: rand.Int64N(30)}}
			a.add(g)
			scheduled[g] = true
		case g == nil:
		case rand.IntN(2) == 0:
			g.plan.due = rand.Int64N(30)
			a.move(g)
		case rand.IntN(3) == 0:
			a.remove(g)
			delete(scheduled, g)
			if g.due != 0 {
				t.Fatalf("a group is at %d", g.due)
			}
		}
		if len(a) != len(scheduled) {
			t.Fatalf("%d groups of %d", len(a), len(scheduled))
		}
		for g := range scheduled {
			if g.plan.due < a[0].plan.due || a[g.due-1] != g {
				t.Fatalf("a group at %d is due at %d, before the first, at %d", g.due, g.plan.due, a[0].plan.due)
			}
		}
	}
}
