package index_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// A snapshot is promised to be immutable. So every snapshot and every fork of a walk is
// kept with what it answered, and all of them are asked again after each later change.

// kept is a snapshot and what it answered when it was taken.
type kept struct {
	snapshot *index.Snapshot
	fleet    map[string][]taint.Taint
	ids      []index.NodeID
	classes  string // what it says of its nodes and classes
	answers  []answer
	from     *kept  // one that was kept before, if any
	changes  string // since that
}

// answer is all that a Fit says of a pod.
type answer struct {
	nodes   []index.NodeID
	inWords []index.NodeID // those whose slots have a bit
	reasons []index.Reason
	words   []uint64
	classes []ofClass
}

// ofClass is what it says of a class.
type ofClass struct {
	class   index.Class
	has     bool
	first   taint.Taint
	refused bool
	soft    int64
	after   time.Duration
	evicted bool
}

func (a *answer) equal(b *answer) bool {
	return slices.Equal(a.classes, b.classes) && slices.Equal(a.nodes, b.nodes) && slices.Equal(a.inWords, b.inWords) &&
		slices.Equal(a.reasons, b.reasons) && slices.Equal(a.words, b.words)
}

// keep takes a snapshot, compares its answers with those of match, and keeps both.
func keep(t *testing.T, w *writer, from *kept) *kept {
	t.Helper()
	k := &kept{snapshot: w.ix.Snapshot(), fleet: maps.Clone(w.fleet), from: from}
	names := slices.Sorted(maps.Keys(w.fleet))
	for _, name := range names {
		id, _ := k.snapshot.ID(name)
		k.ids = append(k.ids, id)
	}
	k.classes, k.changes = k.askClasses(), k.askChanges()
	for i, id := range k.ids {
		if got, want := k.snapshot.AppendTaints(nil, k.snapshot.Class(id)), w.fleet[names[i]]; !slices.Equal(got, want) {
			t.Fatalf("%s has %v, want %v", names[i], got, want)
		}
	}
	for _, pod := range keptPods {
		a := k.ask(pod)
		k.answers = append(k.answers, a)
		if len(a.inWords) != len(a.nodes) {
			t.Fatalf("%s: %d nodes, %d in words", toleration.FormatList(pod), len(a.nodes), len(a.inWords))
		}
		fits := make(map[string]bool, len(a.nodes))
		for _, id := range a.nodes {
			name, _ := k.snapshot.Name(id)
			fits[name] = true
		}
		reasons := make(map[taint.Taint]int)
		for name, taints := range k.fleet {
			i, refused := match.FirstUntolerated(taints, pod, taint.Hard, comparing)
			if refused == fits[name] {
				t.Fatalf("%s on %s: match refuses %t", toleration.FormatList(pod), name, refused)
			}
			if refused {
				reasons[taints[i]]++
			}
		}
		for _, r := range a.reasons {
			if reasons[r.Taint] != r.Nodes {
				t.Fatalf("%s: %v, want %d nodes", toleration.FormatList(pod), r, reasons[r.Taint])
			}
			delete(reasons, r.Taint)
		}
		if len(reasons) > 0 {
			t.Fatalf("%s: %d taints that refuse nodes are no reasons", toleration.FormatList(pod), len(reasons))
		}
	}
	k.countNodes(t)
	return k
}

// countNodes fails unless the snapshot tells of every node, and of each once.
func (k *kept) countNodes(t *testing.T) {
	t.Helper()
	inClasses, iterated := 0, make(map[index.NodeID]bool)
	for _, n := range k.snapshot.Classes() {
		inClasses += n
	}
	for id := range k.snapshot.Nodes(nil) {
		iterated[id] = true
	}
	if want := len(k.fleet); k.snapshot.Len() != want || inClasses != want || len(iterated) != want {
		t.Fatalf("%d nodes, %d in classes and %d iterated, want %d", k.snapshot.Len(), inClasses, len(iterated), want)
	}
}

// ask returns what the snapshot answers now.
func (k *kept) ask(pod []toleration.Toleration) (a answer) {
	var f index.Fit
	k.snapshot.FitList(&f, pod)
	a.nodes = slices.Collect(f.Nodes())
	a.words = f.AppendWords(nil)
	a.reasons = f.AppendReasons(nil, -1)
	for _, id := range k.ids {
		if slot := k.snapshot.Slot(id); a.words[slot/64]>>(slot%64)&1 != 0 {
			a.inWords = append(a.inWords, id)
		}
	}
	for c := range k.snapshot.Classes() {
		of := ofClass{class: c, has: f.HasClass(c), soft: f.CountUntolerated(c, taint.Soft)}
		of.first, of.refused = f.FirstUntolerated(c, taint.AllEffects)
		of.after, of.evicted = f.EvictionDelay(c)
		a.classes = append(a.classes, of)
	}
	return a
}

// askClasses returns what the snapshot says of its nodes and classes now.
func (k *kept) askClasses() string {
	var text strings.Builder
	for c, nodes := range k.snapshot.Classes() {
		fmt.Fprintln(&text, c, nodes, k.snapshot.AppendTaints(nil, c))
	}
	for id := range k.snapshot.Nodes(nil) {
		name, class, ok := k.snapshot.Node(id)
		again, _ := k.snapshot.ID(name)
		fmt.Fprintln(&text, id, name, class, ok, k.snapshot.Slot(id), again == id)
	}
	return text.String()
}

// askChanges returns what the snapshot says now of what changed since another.
func (k *kept) askChanges() string {
	if k.from == nil {
		return ""
	}
	var d index.Diff
	var text strings.Builder
	d.Between(k.from.snapshot, k.snapshot)
	for m := range d.Moves() {
		fmt.Fprintln(&text, m.From, m.To, slices.Collect(d.Names(m)))
	}
	return text.String()
}

// askAgain fails unless the answers are those of before.
func (k *kept) askAgain(t *testing.T) {
	t.Helper()
	if k.askClasses() != k.classes || k.askChanges() != k.changes {
		t.Fatal("a snapshot has other nodes, classes or changes now")
	}
	for i, pod := range keptPods {
		if now := k.ask(pod); !now.equal(&k.answers[i]) {
			t.Fatalf("a snapshot has another answer to %s now: %d nodes, then %d", toleration.FormatList(pod), len(now.nodes), len(k.answers[i].nodes))
		}
	}
}

func mustParse(text string) []toleration.Toleration {
	list, err := toleration.ParseList(text)
	if err != nil {
		panic(err)
	}
	return list
}

// writer is an index that goes on, and its fleet.
type writer struct {
	ix    *index.Index
	fleet map[string][]taint.Taint
}

// own is a taint that only one node has, and pool one of a few.
func own(i int) taint.Taint {
	return taint.Taint{Key: "own", Value: fmt.Sprint(i), Effect: taint.NoSchedule}
}

func pool(i int) taint.Taint {
	return taint.Taint{Key: "pool", Value: fmt.Sprint(i), Effect: taint.NoExecute}
}

// keptPods are pods that fit much, little and nothing of such fleets.
var keptPods = [][]toleration.Toleration{
	nil,
	mustParse("own"),
	mustParse("own=7,own=90,own=450,own=990,pool=1"),
	mustParse("pool:NoExecute,own=3"),
	mustParse("*"),
}

// change makes a random change, small or large.
func (w *writer) change(r *rand.Rand, nodes int) {
	switch name := fmt.Sprint("n", r.IntN(nodes)); r.IntN(8) {
	case 0:
		w.drop(r.IntN(nodes), r.IntN(nodes/2))
	case 1, 2:
		w.ix.Delete(name)
		delete(w.fleet, name)
	case 3:
		w.set(name, own(r.IntN(nodes)), pool(r.IntN(3)))
	case 4:
		w.set(name, pool(r.IntN(3)))
	case 5:
		w.set(name)
		w.set(fmt.Sprint("n", r.IntN(nodes)), pool(r.IntN(3)), hardTaint("time", r.IntN(nodes), taint.PreferNoSchedule), pool(r.IntN(3)))
	case 6:
		w.fill(r.IntN(nodes), r.IntN(nodes/2))
	default:
		w.set(name, own(r.IntN(nodes)))
	}
}

func (w *writer) set(name string, taints ...taint.Taint) {
	w.ix.Set(name, taints)
	w.fleet[name] = taints
}

// fill gives nodes taints of their own, and drop deletes nodes.
func (w *writer) fill(first, n int) {
	for i := first; i < first+n; i++ {
		w.set(fmt.Sprint("n", i), own(i))
	}
}

func (w *writer) drop(first, n int) {
	for i := first; i < first+n; i++ {
		w.ix.Delete(fmt.Sprint("n", i))
		delete(w.fleet, fmt.Sprint("n", i))
	}
}

// fork goes on with a fork of a snapshot that is kept.
func (k *kept) fork() *writer { return &writer{k.snapshot.Fork(), maps.Clone(k.fleet)} }

// An index and its forks go on, each from where it is, so that what any of them does might be
// seen by the snapshots of all. With few nodes every set is tested, and with many the columns are asked.
func TestEverySnapshotOfAWalkIsKept(t *testing.T) {
	for _, nodes := range []int{40, 400} {
		for seed := range uint64(3) {
			r := rand.New(rand.NewPCG(seed, 27))
			writers := []*writer{{index.New(comparing), map[string][]taint.Taint{}}}
			writers[0].fill(0, nodes)
			all := []*kept{keep(t, writers[0], nil)}
			for range 40 {
				i := r.IntN(len(writers))
				writers[i].change(r, nodes)
				for _, k := range all {
					k.askAgain(t)
				}
				switch r.IntN(3) {
				case 0:
					all = append(all, keep(t, writers[i], all[r.IntN(len(all))]))
				case 1:
					if len(writers) < 4 {
						writers = append(writers, all[r.IntN(len(all))].fork())
					}
				}
			}
			for _, w := range writers {
				keep(t, w, nil)
			}
		}
	}
}

// Half of 1,000 nodes go, each of which has a taint of its own: from the index, and from
// a fork. The snapshot does not notice, and neither does the other index.
func TestASnapshotSurvivesThatHalfOfItsNodesGo(t *testing.T) {
	w := &writer{new(index.Index), map[string][]taint.Taint{}}
	w.fill(0, 1000)
	before := keep(t, w, nil)
	fork := before.fork()
	for _, changed := range []*writer{fork, w} {
		changed.drop(0, 500)
		before.askAgain(t)
		keep(t, fork, nil)
		keep(t, w, nil)
	}
}

// What is noted since the base was made is noted by an index and a fork of it apart, also where
// there is room after what both have.
func TestForksNoteApart(t *testing.T) {
	w := &writer{new(index.Index), map[string][]taint.Taint{}}
	w.fill(0, 8)
	keep(t, w, nil)
	for i := range 12 {
		a := keep(t, w, nil)
		w.set("n1", own(100+i))
		w.set("n2", hardTaint("time", i, taint.PreferNoSchedule))
		b := keep(t, w, a)
		fork := a.fork()
		fork.set("n3", own(200+i))
		fork.set("n4", hardTaint("other", i, taint.PreferNoSchedule))
		c := keep(t, fork, a)
		w.set("n5", own(300+i))
		for _, k := range []*kept{a, b, c} {
			k.askAgain(t)
		}
		w.ix.CheckAll()
		fork.ix.CheckAll()
	}
}
