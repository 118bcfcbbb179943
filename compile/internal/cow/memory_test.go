package cow_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/tolero-dev/tolero/compile/internal/cow"
)

// large is an item of which four make a chunk, and 128 a group of 32 chunks.
type large [1 << 10]int64

const inGroup = 128

// heap returns how much memory is in use.
func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// What is emptied is given back, in a group of chunks, the groups after it, and what a
// copy shared that is gone.
func TestShedGivesBack(t *testing.T) {
	const most = 1 << 20 // of 3 MB and more
	for what, c := range map[string]struct {
		items, left int
		freeze      bool
	}{
		"in a group":        {inGroup * 3, inGroup*2 + 1, false},
		"all but a chunk":   {inGroup * 3, 1, false},
		"groups":            {inGroup * 5, inGroup, false},
		"all":               {inGroup * 3, 0, false},
		"a shared group":    {inGroup * 3, 1, true},
		"of shared groups":  {inGroup * 5, inGroup, true},
		"all of the shared": {inGroup * 3, 0, true},
	} {
		var v cow.Vector[large]
		v.Extend(c.items)
		before := heap()
		if c.freeze {
			v.Freeze()
		}
		v.Shed(func(i uint32) bool { return int(i) < c.left })
		freed, want := before-heap(), (c.items-c.left)*8<<10
		if freed < want-most/4 {
			t.Errorf("%s: %d bytes given back, want %d", what, freed, want)
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
	const n, size = 10 * inGroup, 8 << 10
	add := func(v *cow.Vector[large]) func() {
		return func() {
			for range n {
				v.Append(large{})
			}
		}
	}
	var fresh, emptied, grown cow.Vector[large]
	grown.Extend(inGroup)
	frozen := grown.Freeze()
	emptied.Extend(n)
	emptied.Freeze()
	emptied.Shed(func(uint32) bool { return false })
	for what, v := range map[string]*cow.Vector[large]{"a new vector": &fresh, "a copy": &frozen, "an emptied vector": &emptied} {
		times, bytes := allocations(add(v))
		// A chunk that is copied would be a second one: there is room for groups, for lists
		// that grow, and for what else runs in the process.
		if most := n/4 + n/8; times > most {
			t.Errorf("%s: %d allocations for %d chunks, want no more than %d", what, times, n/4, most)
		}
		if most := n*size + n*size/4; bytes > most {
			t.Errorf("%s: %d bytes for %d bytes of items", what, bytes, n*size)
		}
	}
}

// The first write to each chunk after a Freeze copies the chunk, the first to each group
// copies that, and the first of all the list of groups: nothing is copied twice.
func TestWritesCopyOnce(t *testing.T) {
	var v cow.Vector[[40]int64]
	v.Extend(5 * inGroup)
	for what, c := range map[string]struct {
		write []uint32
		want  float64
	}{
		"one chunk":                 {[]uint32{0, 1, 0}, 3},
		"two chunks of a group":     {[]uint32{0, 4, 1, 5}, 4},
		"two groups":                {[]uint32{0, inGroup, 1, inGroup + 1}, 5},
		"two chunks in each of two": {[]uint32{0, inGroup, 4, inGroup + 4}, 7},
	} {
		if got := testing.AllocsPerRun(50, func() {
			v.Freeze()
			for _, i := range c.write {
				v.Edit(i)[0]++
			}
		}); got != c.want {
			t.Errorf("%s: %v allocations, want %v", what, got, c.want)
		}
	}
}

// A copy that ends with a full group grows by a group of its own, and what it writes to
// the group before stays its own too.
func TestCopiesOfFullGroupsAreApart(t *testing.T) {
	for groups := range 4 {
		var v cow.Vector[[40]int64]
		v.Extend(groups * inGroup)
		c := v.Freeze()
		c.Append([40]int64{7})
		for i := range uint32(groups * inGroup) {
			c.Edit(i)[0] = 9
		}
		for i := range uint32(groups * inGroup) {
			if got := v.At(i)[0]; got != 0 {
				t.Fatalf("%d groups: item %d is %d in the original, by a write to the copy", groups, i, got)
			}
		}
		if got := c.At(uint32(groups * inGroup))[0]; got != 7 {
			t.Errorf("%d groups: the item that was appended is %d", groups, got)
		}
	}
}

// A copy that sheds before anything is written to it can be frozen in its turn.
func TestCopiesThatShedAreApart(t *testing.T) {
	var v cow.Vector[[40]int64]
	v.Extend(3 * inGroup)
	for _, left := range []int{0, 1, inGroup, inGroup + 1, 3*inGroup - 1} {
		c := v.Freeze()
		c.Shed(func(i uint32) bool { return int(i) < left })
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
		if a, b := c.At(uint32(left))[0], second.At(uint32(left))[0]; a != 1 || b != 2 || v.Len() != 3*inGroup {
			t.Errorf("%d left: appended are %d and %d", left, a, b)
		}
	}
}

// Changed tells of each chunk that differs, wherever it is in its group, and of what only
// one of two vectors has.
func TestChangedFindsEveryChunk(t *testing.T) {
	var v cow.Vector[[40]int64]
	v.Extend(3*inGroup + 6)
	for i := uint32(0); int(i) < v.Len(); i += 4 {
		c := v.Freeze()
		c.Edit(i)[0]++
		want := fmt.Sprint([][2]uint32{{i, min(i+4, uint32(v.Len()))}})
		if got := fmt.Sprint(ranges(&v, &c)); got != want {
			t.Errorf("item %d: changed are %s, want %s", i, got, want)
		}
		if got := fmt.Sprint(ranges(&c, &v)); got != want {
			t.Errorf("item %d: the other way changed are %s, want %s", i, got, want)
		}
	}
	for n := range v.Len() {
		c := v.Freeze()
		c.Shed(func(i uint32) bool { return int(i) < n })
		first, covered := v.Len(), n-n%4
		for _, r := range ranges(&v, &c) {
			if first = min(first, int(r[0])); int(r[0]) != covered {
				t.Fatalf("shortened to %d: %v does not follow %d", n, r, covered)
			}
			covered = int(r[1])
		}
		if first != n-n%4 || covered != v.Len() {
			t.Errorf("shortened to %d: changed are %d to %d", n, first, covered)
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
