package index_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// What is done to a fork is not done to the index, and the other way round.
func TestForksAreApart(t *testing.T) {
	hard := []taint.Taint{taint.MustParse("k:NoSchedule")}
	ix := index.New(comparing)
	for i := range 1000 {
		ix.Set(fmt.Sprint(i), nil)
	}
	s := ix.Snapshot()
	fork := s.Fork()
	for i := range 500 {
		fork.Set(fmt.Sprint(i), hard)
		ix.Delete(fmt.Sprint(999 - i))
	}
	var fit index.Fit
	for _, c := range []struct {
		what string
		s    *index.Snapshot
		fits int
		len  int
	}{{"the snapshot", s, 1000, 1000}, {"the fork", fork.Snapshot(), 500, 1000}, {"the index", ix.Snapshot(), 500, 500}} {
		c.s.FitList(&fit, nil)
		if fit.Len() != c.fits || c.s.Len() != c.len {
			t.Errorf("%s: %d of %d nodes fit, want %d of %d", c.what, fit.Len(), c.s.Len(), c.fits, c.len)
		}
	}
	ix.CheckAll()
	fork.CheckAll()
}

// A node that does not change has its ID and class in the index and in a fork; those
// that change get others, and no ID of the one is taken for one of the other.
func TestIDsInForks(t *testing.T) {
	hard := []taint.Taint{taint.MustParse("k:NoSchedule")}
	ix := index.New(comparing)
	same, other := ix.Set("same", nil), ix.Set("other", nil)
	fork := ix.Snapshot().Fork()
	inFork, inIndex := fork.Set("other", hard), ix.Set("other", hard)
	a, b := fork.Snapshot(), ix.Snapshot()
	if a.Class(same) != b.Class(same) || !a.Has(same) || !b.Has(same) {
		t.Error("a node that does not change has another class in a fork")
	}
	if inFork == inIndex || a.Has(inIndex) || b.Has(inFork) || a.Has(other) || b.Has(other) {
		t.Errorf("%v in the fork is known in the index, or %v in the fork", inFork, inIndex)
	}
	if b.HasClass(a.Class(inFork)) || a.HasClass(b.Class(inIndex)) {
		t.Error("a class of the fork is known in the index")
	}
}

// Who goes on with a fork of each snapshot has no more transfers than two bases take.
func TestForksOfForksDoNotAccumulate(t *testing.T) {
	ix := index.New(comparing)
	for i := range 100 {
		ix.Set(fmt.Sprint(i), nil)
	}
	s := ix.Snapshot()
	most := 2 * ix.MostTransfers()
	for i := range 1000 {
		fork := s.Fork()
		fork.Set(fmt.Sprint(i%100), []taint.Taint{{Key: "k", Value: fmt.Sprint(i % 3), Effect: taint.NoSchedule}})
		if s = fork.Snapshot(); fork.Sizes().Transfers > most {
			t.Fatalf("%d transfers after %d forks, want no more than %d", fork.Sizes().Transfers, i+1, most)
		}
		if n := s.Looked(); n > 2*(64+4) {
			t.Fatalf("%d classes are looked at after %d forks", n, i+1)
		}
	}
}

// Any number of forks may be made of one snapshot, and written to, at the same time.
func TestForksAtTheSameTime(t *testing.T) {
	ix := index.New(comparing)
	for i := range 300 {
		ix.Set(fmt.Sprint(i), nil)
	}
	s := ix.Snapshot()
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for range 20 {
				fork := s.Fork()
				for i := range 30 {
					fork.Set(fmt.Sprint(worker*30+i), []taint.Taint{{Key: "k", Value: fmt.Sprint(worker), Effect: taint.NoSchedule}})
				}
				var fit index.Fit
				fork.Snapshot().FitList(&fit, nil)
				if fit.Len() != 270 {
					t.Errorf("%d nodes fit, want 270", fit.Len())
				}
			}
		})
	}
	for i := range 300 {
		ix.Set(fmt.Sprint(i), []taint.Taint{taint.MustParse("x:NoSchedule")})
	}
	group.Wait()
}

// The zero Index is ready, and that of a default cluster: Gt and Lt count for nothing
// (rule N4).
func TestZeroIndexIsOfADefaultCluster(t *testing.T) {
	taints := []taint.Taint{{Key: "k", Value: "7", Effect: taint.NoSchedule}}
	above := []toleration.Toleration{{Key: "k", Operator: toleration.OpGt, Value: "5"}}
	var zero index.Index
	var zeroPods index.Pods
	for _, c := range []struct {
		what string
		ix   *index.Index
		pods *index.Pods
		fits int
	}{
		{"zero", &zero, &zeroPods, 0},
		{"default", index.New(toleration.Rules{}), index.NewPods(toleration.Rules{}), 0},
		{"comparing", index.New(comparing), index.NewPods(comparing), 1},
	} {
		if _, ok := c.ix.Snapshot().ID("a"); ok || c.ix.Delete("a") || c.ix.Snapshot().Fork().Len() != 0 {
			t.Errorf("%s: there is a node", c.what)
		}
		c.ix.Set("a", taints)
		var fit index.Fit
		c.ix.Snapshot().FitList(&fit, above)
		if fit.Len() != c.fits {
			t.Errorf("%s: %d nodes fit, want %d", c.what, fit.Len(), c.fits)
		}
		c.ix.Snapshot().Fork().Snapshot().FitList(&fit, above)
		if fit.Len() != c.fits {
			t.Errorf("%s: %d nodes fit in a fork, want %d", c.what, fit.Len(), c.fits)
		}
		c.pods.Add(above)
		var change index.Impact
		c.pods.NodeAdded(&change, taints)
		n := 0
		for range change.NowFit() {
			n++
		}
		if n != c.fits {
			t.Errorf("%s: %d classes fit a new node, want %d", c.what, n, c.fits)
		}
	}
}

// A class whose list is gone is stale, also when another list has its place; each answer is
// that of a taint that nothing tolerates.
func TestStaleClasses(t *testing.T) {
	ix := index.New(comparing)
	id := ix.Set("a", []taint.Taint{taint.MustParse("k:NoSchedule")})
	class := ix.Snapshot().Class(id)
	now := ix.Set("a", []taint.Taint{taint.MustParse("x:NoSchedule")})
	ix.Set("b", []taint.Taint{taint.MustParse("x=1:NoSchedule")}) // in the place of the first list
	s := ix.Snapshot()
	var fit index.Fit
	s.FitList(&fit, []toleration.Toleration{{Key: "x", Operator: toleration.OpExists}})
	if s.HasClass(class) || s.Has(id) || fit.HasClass(class) || fit.CountUntolerated(class, taint.AllEffects) != 1 || fit.CountUntolerated(class, 0) != 0 {
		t.Error("a stale class is known")
	}
	if x, found := fit.FirstUntolerated(class, taint.AllEffects); !found || x != (taint.Taint{}) {
		t.Errorf("the first untolerated taint of a stale class is %v, %t", x, found)
	}
	if _, found := fit.FirstUntolerated(class, 0); found {
		t.Error("a stale class has an untolerated taint without an effect")
	}
	if after, evicted := fit.EvictionDelay(class); after != 0 || !evicted {
		t.Errorf("a pod leaves a stale class after %v, %t", after, evicted)
	}
	if got := fit.AppendScores(nil, []index.NodeID{id, now, id}); got[0] != 0 || got[1] != 100 || got[2] != 0 {
		t.Errorf("scores %d, want none for a stale node", got)
	}
	if !s.HasClass(s.Class(now)) || !fit.HasClass(s.Class(now)) {
		t.Error("the class of a node is not known")
	}
}
