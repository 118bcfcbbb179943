package cow_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/compile/internal/cow"
)

// large is an item of which a chunk has 128.
type large [1 << 10]int64

const inChunk = 128

// heap returns how much memory is in use.
func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// What is emptied is given back, also what a copy shared that is gone; the chunks that stay
// keep their items.
func TestShedGivesBack(t *testing.T) {
	const chunk = inChunk * 8 << 10
	for what, c := range map[string]struct {
		chunks int
		used   []uint32
		left   int // chunks, beside an empty one that is shared
		length int
		freeze bool
	}{
		"nothing":              {3, []uint32{0, inChunk, 2 * inChunk}, 3, 2*inChunk + 1, false},
		"the end":              {5, []uint32{0, 2*inChunk - 1}, 2, 2 * inChunk, false},
		"between":              {5, []uint32{7, 4 * inChunk}, 3, 4*inChunk + 1, false},
		"all":                  {3, nil, 0, 0, false},
		"the end of a shared":  {3, []uint32{0}, 1, 1, true},
		"all of the shared":    {3, nil, 0, 0, true},
		"between, of a shared": {4, []uint32{2, 3*inChunk + 7}, 3, 3*inChunk + 8, true},
	} {
		var v cow.Vector[large]
		v.Extend(c.chunks * inChunk)
		for _, i := range c.used {
			v.Edit(i)[0] = int64(i) + 1
		}
		before := heap()
		if c.freeze {
			v.Freeze()
		}
		v.Shed(func(i uint32) bool { return slices.Contains(c.used, i) })
		if freed, want := before-heap(), (c.chunks-c.left)*chunk; freed < want-chunk/2 || v.Len() != c.length {
			t.Errorf("%s: %d bytes given back, want %d, and %d items left, want %d", what, freed, want, v.Len(), c.length)
		}
		for i := range uint32(v.Len()) {
			if want := int64(i) + 1; slices.Contains(c.used, i) && v.At(i)[0] != want || !slices.Contains(c.used, i) && v.At(i)[0] != 0 {
				t.Errorf("%s: item %d is %d", what, i, v.At(i)[0])
			}
		}
		runtime.KeepAlive(&v)
	}
}

// allocations returns how often and how much a function allocates.
func allocations(f func()) (times, bytes int) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.Mallocs - before.Mallocs), int(after.TotalAlloc - before.TotalAlloc)
}

// An item that is appended is in a chunk of the vector's own: nothing is copied, in a
// new vector, a copy, and one that was emptied.
func TestAppendCopiesNothing(t *testing.T) {
	const n, size = 5 * inChunk, 8 << 10
	add := func(v *cow.Vector[large]) func() {
		return func() {
			for range n {
				v.Append(large{})
			}
		}
	}
	var fresh, emptied, grown cow.Vector[large]
	grown.Extend(inChunk)
	frozen := grown.Freeze()
	emptied.Extend(n)
	emptied.Freeze()
	emptied.Shed(func(uint32) bool { return false })
	for what, v := range map[string]*cow.Vector[large]{"a new vector": &fresh, "a copy": &frozen, "an emptied vector": &emptied} {
		times, bytes := allocations(add(v))
		// There is room for lists that grow, and for what else runs in the process.
		if most := n / 4; times > most {
			t.Errorf("%s: %d allocations for %d chunks, want no more than %d", what, times, n/inChunk, most)
		}
		if most := n*size + n*size/8; bytes > most { // a chunk that is copied would be a fifth
			t.Errorf("%s: %d bytes for %d bytes of items", what, bytes, n*size)
		}
	}
}

// The first write after a Freeze copies the list of chunks, and the first to each chunk copies
// that: nothing is copied twice.
func TestWritesCopyOnce(t *testing.T) {
	var v cow.Vector[[40]int64]
	v.Extend(5 * inChunk)
	for what, c := range map[string]struct {
		write []uint32
		want  float64
	}{
		"one chunk":    {[]uint32{0, 1, 0}, 2},
		"two chunks":   {[]uint32{0, inChunk, 1, inChunk + 1}, 3},
		"three chunks": {[]uint32{0, 4 * inChunk, 2 * inChunk, 1, 4*inChunk + 1}, 4},
	} {
		if got := testing.AllocsPerRun(50, func() {
			v.Freeze()
			for _, i := range c.write {
				v.Edit(i)[0]++
			}
		}); got != c.want {
			t.Errorf("%s: %v allocations, want %v", what, got, c.want)
		}
		if got := testing.AllocsPerRun(50, func() { v.Edit(c.write[0])[0]++ }); got != 0 {
			t.Errorf("%s: %v allocations without a Freeze", what, got)
		}
	}
}

// A write after a Freeze copies a chunk, and of the rest of a long vector no more than a pointer for
// each chunk.
func TestWritesCopyLittleOfALongVector(t *testing.T) {
	const items, size = 100_000, 9 * 8
	const most = inChunk*size + 8 + 8*(items/inChunk+1)
	var v cow.Vector[[9]int64]
	v.Extend(items)
	const rounds = 100
	_, bytes := allocations(func() {
		for i := range uint32(rounds) {
			v.Freeze()
			v.Edit(i * 997)[0]++
		}
	})
	if bytes/rounds > most*5/4 { // what a size class rounds up
		t.Errorf("%d bytes for a write, want %d", bytes/rounds, most)
	}
}

// A copy that ends with a full chunk grows by a chunk of its own, and what it writes to
// the chunk before stays its own too.
func TestCopiesOfFullChunksAreApart(t *testing.T) {
	for chunks := range 4 {
		var v cow.Vector[[40]int64]
		v.Extend(chunks * inChunk)
		c := v.Freeze()
		c.Append([40]int64{7})
		v.Append([40]int64{8})
		for i := range uint32(chunks * inChunk) {
			c.Edit(i)[0] = 9
		}
		for i := range uint32(chunks * inChunk) {
			if got := v.At(i)[0]; got != 0 {
				t.Fatalf("%d chunks: item %d is %d in the original, by a write to the copy", chunks, i, got)
			}
		}
		if a, b := c.At(uint32(chunks * inChunk))[0], v.At(uint32(chunks * inChunk))[0]; a != 7 || b != 8 {
			t.Errorf("%d chunks: the items that were appended are %d and %d", chunks, a, b)
		}
	}
}

// A copy that sheds before anything is written to it can be frozen in its turn.
func TestCopiesThatShedAreApart(t *testing.T) {
	var v cow.Vector[[40]int64]
	v.Extend(3 * inChunk)
	for _, left := range []int{0, 1, inChunk, inChunk + 1, 3*inChunk - 1} {
		c := v.Freeze()
		c.Shed(func(i uint32) bool { return int(i) == left-1 })
		second := c.Freeze()
		for i := range uint32(left) {
			c.Edit(i)[0] = 1
		}
		c.Append([40]int64{1})
		second.Append([40]int64{2})
		for i := range uint32(left) {
			if first, got := v.At(i)[0], second.At(i)[0]; first != 0 || got != 0 {
				t.Fatalf("%d left: item %d is %d and %d, by a write to a copy", left, i, first, got)
			}
		}
		if a, b := c.At(uint32(left))[0], second.At(uint32(left))[0]; a != 1 || b != 2 || v.Len() != 3*inChunk {
			t.Errorf("%d left: appended are %d and %d", left, a, b)
		}
	}
}

// Changed tells of each chunk that differs, and of what only one of two vectors has.
func TestChangedFindsEveryChunk(t *testing.T) {
	var v cow.Vector[[40]int64]
	v.Extend(5*inChunk + 6)
	for i := uint32(0); int(i) < v.Len(); i += inChunk / 2 {
		c := v.Freeze()
		c.Edit(i)[0]++
		first := i / inChunk * inChunk
		want := fmt.Sprint([][2]uint32{{first, first + inChunk}})
		if a, b := fmt.Sprint(ranges(&v, &c)), fmt.Sprint(ranges(&c, &v)); a != want || b != want {
			t.Errorf("item %d: changed are %s, and the other way %s, want %s", i, a, b, want)
		}
	}
	for n := 1; n < v.Len(); n += inChunk / 4 {
		c := v.Freeze()
		c.Shed(func(i uint32) bool { return int(i)%inChunk == 0 && int(i) < n })
		var want [][2]uint32
		for first := uint32((n + inChunk - 1) / inChunk * inChunk); int(first) < v.Len(); first += inChunk {
			want = append(want, [2]uint32{first, first + inChunk})
		}
		if a, b := ranges(&v, &c), ranges(&c, &v); !slices.Equal(a, want) || !slices.Equal(b, want) {
			t.Errorf("shortened to %d: changed are %v, and the other way %v, want %v", n, a, b, want)
		}
	}
}

func ranges(v, other *cow.Vector[[40]int64]) (all [][2]uint32) {
	for first, end := range v.Changed(other) {
		all = append(all, [2]uint32{first, end})
	}
	return all
}

// A copy that nobody wrote to is not written to by Freeze, so that any number of
// goroutines may freeze it.
func TestFreezeOnlyReadsCopies(t *testing.T) {
	var v cow.Vector[int]
	v.Extend(1000)
	c := v.Freeze()
	before := fmt.Sprintf("%+v", c)
	done := make(chan bool)
	for range 2 {
		go func() {
			c.Freeze()
			done <- true
		}()
	}
	<-done
	<-done
	if after := fmt.Sprintf("%+v", c); after != before {
		t.Errorf("a copy was %s and is %s", before, after)
	}
}
