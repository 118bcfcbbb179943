package index_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"
	"weak"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// expecting has so many classes that bits for them take expectedWords words. All tolerate a, b
// and numbers n above their own number.
const expectedWords = 11

func expecting() *index.Pods {
	pods := index.NewPods(comparing)
	for i := range 64 * (expectedWords - 1) {
		pods.Add([]toleration.Toleration{
			{Key: "a", Operator: toleration.OpExists}, {Key: "b", Operator: toleration.OpExists},
			{Key: "n", Operator: toleration.OpGt, Value: fmt.Sprint(i)},
		})
	}
	return pods
}

// Bits are written when half as many questions are expected as they take words, if they fit into
// the memory that may be kept, and once: a step to clear each word, and one to write it.
func TestExpectCounts(t *testing.T) {
	index.WithFewClasses(512, 2*expectedWords, func() {
		who := expecting().Tolerators(new(index.Index).Snapshot())
		steps := func(key string, questions int) int {
			row := who.Row(&taint.Taint{Key: key, Value: "1", Effect: taint.NoSchedule})
			before := who.Steps()
			who.Expect(row, questions)
			return who.Steps() - before
		}
		for i, c := range []struct {
			key             string
			questions, want int
			full            bool
		}{
			{"a", 0, 0, false}, {"a", -1, 0, false}, {"a", 0, 0, false}, {"a", 2, 0, false}, {"a", -9, 0, false}, {"a", 2, 0, false},
			{"a", 1, 2 * expectedWords, false},
			{"a", 1000, 0, false},
			{"nobody", 1000, 0, false}, // no class tolerates it
			{"b", 1000, 2 * expectedWords, true},
			{"b", 1000, 0, true},
			{"n", 1000, 0, true}, // no memory is left
		} {
			if got := steps(c.key, c.questions); got != c.want || who.Full() != c.full {
				t.Errorf("%d: %s, %d questions: %d steps, want %d; full: %t", i, c.key, c.questions, got, c.want, who.Full())
			}
		}
	})
}

// The bits of a number that somebody asks about often are kept from the first time on.
func TestExpectNumbers(t *testing.T) {
	pods := expecting()
	who := pods.Tolerators(new(index.Index).Snapshot())
	row := who.Row(&taint.Taint{Key: "n", Value: "1", Effect: taint.NoSchedule})
	who.Expect(row, 1000)
	before := who.Steps()
	who.Expect(row, 1000)
	for c := range pods.All() {
		if got, want := who.Tolerates(row, c), c == 1; got != want {
			t.Errorf("class %d: %t", c, got)
		}
	}
	if got, want := who.Steps()-before, 64*(expectedWords-1); got != want {
		t.Errorf("%d steps, want %d", got, want)
	}
}

// A Tolerators is full once there is no room for more words in eight megabytes.
func TestFullOfWords(t *testing.T) {
	const words, most = 64, 8 << 20 / 8
	pods := index.NewPods(toleration.Rules{})
	for i := range 64 * (words - 1) {
		var list []toleration.Toleration
		for j := range 5 {
			list = append(list, toleration.Toleration{Key: fmt.Sprint(i, "-", j), Operator: toleration.OpExists})
		}
		pods.Add(list)
	}
	who := pods.Tolerators(new(index.Index).Snapshot())
	for kept := 0; kept < most; kept += words {
		if who.Full() {
			t.Fatalf("%d words fill it", kept)
		}
		n := kept / words
		who.Expect(who.Row(&taint.Taint{Key: fmt.Sprint(n/5, "-", n%5), Effect: taint.NoSchedule}), words)
	}
	if !who.Full() {
		t.Errorf("%d words do not fill it", most)
	}
}

// A Tolerators is full once it has rows for more than 65,536 taints that no node has.
func TestFullOfTaints(t *testing.T) {
	who := new(index.Pods).Tolerators(new(index.Index).Snapshot())
	for n := range 1 << 16 {
		if who.Row(&taint.Taint{Key: "k", Value: fmt.Sprint(n), Effect: taint.NoSchedule}); who.Full() {
			t.Fatalf("%d taints fill it", n+1)
		}
	}
	if who.Row(&taint.Taint{Key: "k", Effect: taint.NoSchedule}); !who.Full() {
		t.Error("it is not full")
	}
}

// There is room for the taints of the snapshot, which has a place for none too if it has any,
// and the classes of pods, and for no others.
func TestRoomOfTolerators(t *testing.T) {
	pods := index.NewPods(toleration.Rules{})
	var ix index.Index
	who := pods.Tolerators(ix.Snapshot())
	for n := range 20 {
		if taints, classes := who.Room(); taints != n+min(n, 1) || classes != 2*n {
			t.Errorf("room for %d taints of %d, %d classes of %d", taints, n, classes, 2*n)
		}
		ix.Set(fmt.Sprint(n), []taint.Taint{{Key: fmt.Sprint(n), Effect: taint.NoSchedule}, {Key: fmt.Sprint(n), Effect: taint.NoExecute}})
		pods.Add([]toleration.Toleration{{Key: fmt.Sprint(n)}})
		pods.Add([]toleration.Toleration{{Value: fmt.Sprint(n)}})
		who.Reset(ix.Snapshot())
	}
}

// Zeros are as many as asked for, in the memory at hand if it is large enough.
func TestZeros(t *testing.T) {
	for room := range 4 {
		for n := range 6 {
			memory := []int{1, 2, 3, 4}[:room:room]
			got := index.Zeros(memory, n)
			if len(got) != n || slices.ContainsFunc(got, func(i int) bool { return i != 0 }) {
				t.Errorf("%d zeros in the memory of %d: %v", n, room, got)
			}
			if n > 0 && room > 0 && (&got[0] == &memory[0]) != (n <= room) {
				t.Errorf("%d zeros are in the memory of %d: %t", n, room, n > room)
			}
		}
	}
}

// A Tolerators that is reset retains no taints from before.
func TestTaintsAreNotRetainedAfterReset(t *testing.T) {
	pods := expecting()
	key := strings.Repeat("k", 100)
	pods.Add([]toleration.Toleration{{Key: key, Operator: toleration.OpGt, Value: "0"}})
	fleet := new(index.Index).Snapshot()
	who := pods.Tolerators(fleet)
	text := strings.Clone(key)
	pointer := weak.Make(unsafe.StringData(text))
	who.Row(&taint.Taint{Key: text, Value: "1", Effect: taint.NoSchedule})
	who.Reset(fleet)
	runtime.GC()
	if pointer.Value() != nil {
		t.Error("the key is retained")
	}
	runtime.KeepAlive(who)
}
