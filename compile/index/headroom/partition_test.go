package headroom

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// After each class, sets are in the same part if and only if every class so far may use both
// or none, and parts without sets are used again.
func TestPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := []string{"a", "b", "c"}
		var ix index.Index
		for i := range 1 << len(keys) {
			ix.Set(fmt.Sprint("n", i), taintsOf(keys, i))
		}
		for i := range rapid.IntRange(0, 7).Draw(t, "deleted") {
			ix.Delete(fmt.Sprint("n", i)) // some sets have no nodes
		}
		f := New(ix.Snapshot(), 0, nil)
		p := newPartition(f)
		signatures := make([]string, len(p.part)) // by set: which classes may use it
		check(t, p, signatures)
		for range rapid.IntRange(0, 12).Draw(t, "classes") {
			var list []toleration.Toleration
			for _, key := range keys {
				if rapid.Bool().Draw(t, key) {
					list = append(list, toleration.Toleration{Key: key, Operator: toleration.OpExists})
				}
			}
			var fit index.Fit
			f.snapshot.FitList(&fit, list)
			p.split(&fit)
			uses := make([]bool, len(p.part))
			for set := range fit.HardSets() {
				uses[set] = true
			}
			for set := range signatures {
				signatures[set] += fmt.Sprint(uses[set], " ")
			}
			check(t, p, signatures)
		}
		regions := p.regions()
		if n := len(slices.Compact(slices.Sorted(slices.Values(living(p, signatures))))); len(regions) != n {
			t.Fatalf("%d regions, want %d", len(regions), n)
		}
		for class := range 1 << len(keys) {
			var fit index.Fit
			var list []toleration.Toleration
			for _, x := range taintsOf(keys, class) {
				list = append(list, toleration.For(&x))
			}
			f.snapshot.FitList(&fit, list)
			want := map[uint32]bool{}
			for set := range fit.HardSets() {
				want[uint32(p.part[set])] = true
			}
			if got := p.used(&fit); !slices.Equal(got, slices.Sorted(maps.Keys(want))) {
				t.Fatalf("a class uses the regions %v, want %v", got, want)
			}
		}
		next := 0
		for set := range p.part {
			if p.fleet.nodes[set] == 0 {
				continue
			}
			if p.part[set] > next {
				t.Fatalf("region %d comes before region %d", p.part[set], next)
			}
			next = max(next, p.part[set]+1)
		}
	})
}

func taintsOf(keys []string, set int) (list []taint.Taint) {
	for i, key := range keys {
		if set&(1<<i) != 0 {
			list = append(list, taint.Taint{Key: key, Effect: taint.NoSchedule})
		}
	}
	return list
}

// living returns the signatures of the sets that have nodes.
func living(p *partition, signatures []string) (list []string) {
	for set, nodes := range p.fleet.nodes {
		if nodes > 0 {
			list = append(list, signatures[set])
		}
	}
	return list
}

// failer is *testing.T and *rapid.T.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

func check(t failer, p *partition, signatures []string) {
	t.Helper()
	sizes, signature := make([]int, len(p.sizes)), make(map[int]string)
	part := make(map[string]int)
	for set, nodes := range p.fleet.nodes {
		if nodes == 0 {
			continue
		}
		at := p.part[set]
		sizes[at]++
		if of, known := signature[at]; known && of != signatures[set] {
			t.Fatalf("part %d has sets that differ", at)
		}
		if of, known := part[signatures[set]]; known && of != at {
			t.Fatalf("sets that do not differ are in parts %d and %d", of, at)
		}
		signature[at], part[signatures[set]] = signatures[set], at
	}
	if !slices.Equal(sizes, p.sizes) {
		t.Fatalf("sizes %v, want %v", p.sizes, sizes)
	}
	free := slices.Sorted(slices.Values(p.free))
	var empty []int
	for at, n := range sizes {
		if n == 0 && (at > 0 || len(part) > 0) {
			empty = append(empty, at)
		}
	}
	if !slices.Equal(free, empty) {
		t.Fatalf("free parts %v, want %v", free, empty)
	}
	if slices.ContainsFunc(p.into, func(n int) bool { return n != -1 }) || len(p.moved) > 0 || len(p.into) != len(p.sizes) {
		t.Fatalf("left over: into %v, moved %v", p.into, p.moved)
	}
}
