package whatif

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// A cache whose round numbers run out is not used again, and full Tolerators are replaced.
func TestCachesThatAreReplaced(t *testing.T) {
	var ix index.Index
	var p Pods
	fleet := ix.Snapshot()
	for range 20 { // the pool may forget one
		m := p.recall(fleet)
		m.round = mostRounds + 1
		p.caches.Put(m)
		if m := p.recall(fleet); m.round > mostRounds {
			t.Fatalf("a cache that has counted %d rounds is used again", m.round)
		}
	}
	m := p.recall(fleet)
	for i := 0; !m.tolerators.Full(); i++ {
		m.tolerators.Row(&taint.Taint{Key: fmt.Sprint(i), Effect: taint.NoSchedule})
	}
	p.caches.Put(m)
	if p.recall(fleet).tolerators.Full() {
		t.Error("full Tolerators are used again")
	}
}

// A small plan after a large one empties the map of the large one once, and the next ones do
// not; plans of about the same size keep it.
func TestLargeMapsAreLetGo(t *testing.T) {
	var b buffers
	plan := func(nodes int) {
		b.reset()
		b.emptied()[uint64(nodes)] = 1
		b.nodes = append(b.nodes, make([]selected, nodes)...)
		b.settle()
	}
	for _, c := range []struct {
		nodes int
		kept  bool
	}{{100_000, true}, {15_000, true}, {100_000, true}, {12_372, true}, {12_371, false}, {1024, true}, {0, true}, {1025, true}, {0, false}, {10, true}} {
		if plan(c.nodes); (b.positions != nil) != c.kept {
			t.Errorf("after a plan for %d nodes: kept %t, want %t", c.nodes, b.positions != nil, c.kept)
		}
	}
	if b.emptied()[10] != 0 {
		t.Error("there are entries of the last plan")
	}
}

// A cache has room for the classes that there are, made anew only if there are more.
func TestRoomForClasses(t *testing.T) {
	var ix index.Index
	var p Pods
	fleet := ix.Snapshot()
	again := 0
	for i := range 50 {
		p.Set(Pod{Name: fmt.Sprint(i), Tolerations: []toleration.Toleration{{Key: fmt.Sprint(i)}}})
		m := p.recall(fleet)
		if n := len(p.limits); len(m.memory) < n || len(m.evicted.others) < n {
			t.Fatalf("room for %d and %d classes, want %d", len(m.memory), len(m.evicted.others), n)
		}
		first := &m.memory[0]
		p.caches.Put(m)
		if r := p.recall(fleet); r == m { // now and then the pool forgets it
			if again++; first != &r.memory[0] {
				t.Fatal("the room is made anew, for as many classes")
			}
			p.caches.Put(r)
		}
	}
	if again == 0 {
		t.Error("no cache is used again")
	}
}

// What results say about owners and lists is frozen anew only if there is another owner or
// list.
func TestTextsAreFrozenOnce(t *testing.T) {
	var p Pods
	list := []toleration.Toleration{{Key: "k"}}
	for i, c := range []struct {
		pod  Pod
		anew bool
	}{
		{Pod{Name: "1", Owner: "a"}, true},
		{Pod{Name: "2", Owner: "a"}, false},
		{Pod{Name: "3", Owner: "b"}, true},
		{Pod{Name: "4", Owner: "b", Node: "x"}, false},
		{Pod{Name: "5", Owner: "b", Tolerations: list}, true},
		{Pod{Name: "6", Owner: "a", Tolerations: list}, false},
	} {
		before := p.texts.freeze()
		if p.Set(c.pod); (p.texts.freeze() != before) != c.anew {
			t.Errorf("pod %d: want another copy: %t", i, c.anew)
		}
	}
	before := p.texts.freeze()
	if p.Delete("1"); p.texts.freeze() != before {
		t.Error("another copy, and a pod of the owner is left")
	}
}

// Buffers that are not in use retain no pods, and nothing of a result.
func TestSettledBuffersRetainNothing(t *testing.T) {
	var b buffers
	b.on = append(b.on, nil, make([]resident, 1))
	b.groups = append(b.groups, nodeGroup{}, nodeGroup{added: make([]index.TaintRow, 1)})
	b.pairs = append(b.pairs, pair{}, pair{after: make([]taint.Taint, 1)})
	b.ofPairs = append(b.ofPairs, taint.Taint{Key: "pair"})
	b.outcomes.add(nil, &taint.Taint{Key: "added"})
	b.selection = selection{names: []string{"a"}, chains: make([]chain, 2), nodes: make([]selected, 1)}
	b.settle()
	if b.on[1] != nil || b.groups[1].added != nil || b.pairs[1].after != nil {
		t.Errorf("%v, %v and %v are left", b.on, b.groups, b.pairs)
	}
	if added := b.outcomes.added[:1]; b.ofPairs[0].Key != "" || added[0].Key != "" {
		t.Errorf("taints %v and %v are left", b.ofPairs, added)
	}
	if b.names != nil || b.chains != nil || len(b.nodes) != 0 {
		t.Errorf("names %q, steps %v and nodes %v are left", b.names, b.chains, b.nodes)
	}
	if b.reset(); len(b.ofPairs) != 0 {
		t.Errorf("%d taints of pairs are left", len(b.ofPairs))
	}
}

// Nothing of a snapshot is left in the whole of the buffers for taints and names.
func TestOldSnapshotsAreForgotten(t *testing.T) {
	list := func() []taint.Taint { return []taint.Taint{{Key: "a"}, {Key: "b"}} }
	all := [...][]taint.Taint{list(), list(), list(), list()}
	names := []string{"a", "b"}
	b := buffers{lists: all[0][:1], taints: all[1][:1], unplacedNames: names[:1]}
	b.edited[0], b.edited[1] = all[2][:1], all[3][:1]
	b.forget()
	for i, taints := range all {
		if taints[0].Key != "" || taints[1].Key != "" {
			t.Errorf("buffer %d has %v", i, taints)
		}
	}
	if names[0] != "" || names[1] != "" {
		t.Errorf("names %q are left", names)
	}
}

// A plan that evicts nobody leaves the pods of a node to be changed in place, however many there
// are; one that may evict some has them copied once. A taint whose effect there is not evicts
// nobody.
func TestPodsAreSharedIfNeedBe(t *testing.T) {
	for text, want := range map[string]uint32{"cordon --all": 0, "taint nodes --all x:NoExecute": 1, "tolerations x web": 1} {
		var ix index.Index
		var p Pods
		ix.Set("node", []taint.Taint{{Key: "odd", Effect: "A"}, {Key: "odd", Effect: "Z"}})
		for i := range 3 {
			p.Set(Pod{Name: fmt.Sprint(i), Node: "node", Owner: "web"})
		}
		plan, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Evaluate(ix.Snapshot(), &p, plan, Options{}); err != nil {
			t.Fatal(err)
		}
		at := p.nodes.find("node")
		if got := p.nodes.groups.At(at).shared; got != want {
			t.Errorf("%s: shared is %d, want %d", text, got, want)
		}
		members := &p.nodes.groups.At(at).members[0]
		p.Delete("2")
		if copied := &p.nodes.groups.At(at).members[0] != members; copied != (want == 1) || p.nodes.groups.At(at).shared != 0 {
			t.Errorf("%s: copied %t", text, copied)
		}
	}
}
