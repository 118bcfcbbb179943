package index_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"
	"weak"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// A Fit retains nothing of a list once it is filled with another, shorter or not
// known to any node.
func TestFitsRetainNothingOfTheLastList(t *testing.T) {
	ix := index.New(comparing)
	ix.Set("a", []taint.Taint{taint.MustParse("k:NoExecute")})
	s := ix.Snapshot()
	var fit index.Fit
	var seconds []weak.Pointer[[8]int64]
	for _, keys := range [][]string{{"k", "k", "k", "k"}, {"k", "nowhere"}, {"nowhere"}} {
		var list []toleration.Toleration
		for _, key := range keys {
			number := new([8]int64) // large enough to have its memory to itself
			seconds = append(seconds, weak.Make(number))
			list = append(list, toleration.Toleration{Key: key, TolerationSeconds: &number[0]})
		}
		s.FitList(&fit, list)
	}
	var other compile.Matcher
	s.Compile(&other, nil)
	s.Fit(&fit, &other) // fit has no list of its own any more
	runtime.GC()
	for i, pointer := range seconds {
		if pointer.Value() != nil {
			t.Errorf("the seconds of toleration %d are retained", i)
		}
	}
	runtime.KeepAlive(&fit)
}

// A Diff retains no names of an earlier difference, and an index none of nodes that
// are gone.
func TestNamesOfGoneNodesAreNotRetained(t *testing.T) {
	ix := index.New(comparing)
	var diff index.Diff
	var names []weak.Pointer[byte]
	all := func(yield func(string, []taint.Taint) bool) {
		for i := range 10 {
			name := strings.Repeat(fmt.Sprint(i), 100)
			names = append(names, weak.Make(unsafe.StringData(name)))
			if !yield(name, nil) {
				return
			}
		}
	}
	ix.Load(all)
	before := ix.Snapshot()
	for i := range 10 {
		ix.Set(strings.Repeat(fmt.Sprint(i), 100), []taint.Taint{taint.MustParse("k:NoExecute")})
	}
	diff.Between(before, ix.Snapshot())
	for i := range 10 {
		ix.Delete(strings.Repeat(fmt.Sprint(i), 100))
	}
	diff.Between(ix.Snapshot(), ix.Snapshot())
	runtime.GC()
	for i, name := range names {
		if name.Value() != nil {
			t.Errorf("the name of node %d is retained", i)
		}
	}
	runtime.KeepAlive(ix)
	runtime.KeepAlive(&diff)
}

// Reasons are merged in the caller's memory, which retains none of those merged.
func TestNothingIsLeftBehindReasons(t *testing.T) {
	ix := index.New(comparing)
	for i := range 5 {
		ix.Set(fmt.Sprint(i), []taint.Taint{taint.MustParse("k:NoExecute"), {Key: "x", Value: fmt.Sprint(i), Effect: taint.NoSchedule}})
	}
	var fit index.Fit
	ix.Snapshot().FitList(&fit, nil)
	reasons := fit.AppendReasons(make([]index.Reason, 0, 10), -1)
	if len(reasons) != 1 || reasons[0].Nodes != 5 {
		t.Fatalf("reasons %v", reasons)
	}
	for _, reason := range reasons[1:cap(reasons)] {
		if reason != (index.Reason{}) {
			t.Errorf("%v is left behind the reasons", reason)
		}
	}
}

// An Impact retains no taints of the move that it was filled for.
func TestChangesRetainNoTaints(t *testing.T) {
	pods := index.NewPods(comparing)
	pods.Add(nil)
	var c index.Impact
	var keys []weak.Pointer[byte]
	set := func(ix *index.Index) {
		key := strings.Repeat("k", 100)
		keys = append(keys, weak.Make(unsafe.StringData(key)))
		ix.Set("node", []taint.Taint{{Key: key, Value: fmt.Sprint(len(keys)), Effect: taint.NoSchedule}})
	}
	func() {
		var before, after index.Index
		set(&before)
		set(&after)
		var d index.Diff
		d.Between(before.Snapshot(), after.Snapshot())
		for m := range d.Moves() {
			d.Impact(&c, pods, m)
			for range d.Names(m) {
				break
			}
		}
	}()
	runtime.GC()
	for i, key := range keys {
		if key.Value() != nil {
			t.Errorf("key %d is retained", i)
		}
	}
	runtime.KeepAlive(&c)
}

// The names of a move may be left off anywhere.
func TestNamesStop(t *testing.T) {
	var ix index.Index
	before := ix.Snapshot()
	for i := range 3 {
		ix.Set(fmt.Sprint(i), nil)
	}
	var d index.Diff
	d.Between(before, ix.Snapshot())
	for m := range d.Moves() {
		for last := range 3 {
			for name := range d.Names(m) {
				if name == fmt.Sprint(last) {
					break
				}
			}
		}
	}
}

// A Pods retains no list once it has no pods, and uses its position again.
func TestListsWithoutPodsAreNotRetained(t *testing.T) {
	var pods index.Pods
	var names []weak.Pointer[byte]
	seen := map[index.PodClass]bool{}
	for round := range 3 {
		var classes []index.PodClass
		for i := range 10 {
			value := strings.Repeat(fmt.Sprint(round, i), 100)
			names = append(names, weak.Make(unsafe.StringData(value)))
			c := pods.Add([]toleration.Toleration{{Key: "k", Value: value}})
			if round > 0 && !seen[c] {
				t.Errorf("class %d is new, though others have no pods", c)
			}
			seen[c] = true
			classes = append(classes, c)
		}
		for _, c := range classes {
			pods.Remove(c)
		}
	}
	runtime.GC()
	for i, name := range names {
		if name.Value() != nil {
			t.Errorf("the value of list %d is retained", i)
		}
	}
	runtime.KeepAlive(&pods)
}
