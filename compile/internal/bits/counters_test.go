package bits_test

import (
	"maps"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/internal/bits"
)

func TestCountersAgreeWithMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c bits.Counters[id]
		want := map[id]uint32{}
		for range rapid.IntRange(0, 40).Draw(t, "additions") {
			s, _, members := draw(t, "set")
			n := rapid.OneOf(rapid.Just[uint32](1), rapid.Uint32Range(0, 1<<26)).Draw(t, "n")
			c.Add(s, n)
			for member := range members {
				if n > 0 {
					want[member] += n
				}
			}
		}
		last := -1
		for member := range c.All() {
			if int(member) <= last {
				t.Fatalf("%d comes after %d", member, last)
			}
			last = int(member)
			break
		}
		if got := maps.Collect(c.All()); !maps.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
		c.Clear()
		for member, n := range c.All() {
			t.Fatalf("%d has %d after Clear", member, n)
		}
	})
}

// The largest number that there can be.
func TestCountersUpToTheLargest(t *testing.T) {
	var s bits.Set[id]
	s.Add(70)
	var c bits.Counters[id]
	c.Add(&s, math.MaxUint32-1)
	c.Add(&s, 1)
	for member, n := range c.All() {
		if member != 70 || n != math.MaxUint32 {
			t.Errorf("%d has %d", member, n)
		}
	}
}

// A number that overflows is not wrapped around silently.
func TestCountersPanicAboveTheLargest(t *testing.T) {
	var s bits.Set[id]
	s.Add(3)
	var c bits.Counters[id]
	c.Add(&s, math.MaxUint32)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	c.Add(&s, 1)
	t.Errorf("%v", maps.Collect(c.All()))
}

// Numbers that grow one by one are right at each step, and so are those of words that come later.
func TestCountersOneByOne(t *testing.T) {
	for most := range uint32(70) {
		var c bits.Counters[id]
		var s bits.Set[id]
		want := map[id]uint32{}
		for n := range most {
			if n%20 == 0 {
				s.Add(id(65 * n / 20))
			}
			c.Add(&s, 1)
			for member := range s.All() {
				want[member]++
			}
		}
		for range 2 {
			if got := maps.Collect(c.All()); !maps.Equal(got, want) {
				t.Fatalf("%v, want %v", got, want)
			}
		}
		c.Add(&s, 1)
		c.Clear()
		c.Add(&s, 1)
		for member, n := range c.All() {
			if n != 1 {
				t.Fatalf("%d has %d after Clear", member, n)
			}
		}
	}
}
