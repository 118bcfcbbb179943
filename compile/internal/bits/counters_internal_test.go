package bits

import "testing"

// The ones are carried only when they are full, or when somebody looks.
func TestOnesAreCarriedSeldom(t *testing.T) {
	var s Set[uint32]
	s.Add(1)
	var c Counters[uint32]
	for range 2 {
		for n := range 100 {
			if n == 0 && c.added != 0 {
				t.Fatalf("%d ones at first", c.added)
			}
			if c.Add(&s, 1); c.added != n%15+1 {
				t.Fatalf("%d ones after %d times, want %d", c.added, n+1, n%15+1)
			}
		}
		for range c.All() {
			if c.added != 0 {
				t.Fatalf("%d ones while somebody looks", c.added)
			}
		}
		c.Add(&s, 1)
		c.Clear()
	}
}
