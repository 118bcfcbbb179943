package ordered

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A list has what a map has, in order, after every change.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l List[int, int]
		model := map[int]int{}
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				k, v := rapid.IntRange(0, 20).Draw(t, "key"), rapid.Int().Draw(t, "value")
				l.Set(k, v)
				model[k] = v
			},
			"delete": func(t *rapid.T) {
				k := rapid.IntRange(0, 20).Draw(t, "key")
				l.Delete(k)
				delete(model, k)
			},
			"": func(t *rapid.T) {
				var keys []int
				for e := l.First(); e != nil; e = e.Next() {
					keys = append(keys, e.Key)
				}
				if !slices.Equal(keys, slices.Sorted(maps.Keys(model))) {
					t.Fatalf("keys %v, want %v", keys, model)
				}
				for k := range 21 {
					v, known := model[k]
					if e := l.Get(k); (e != nil) != known || known && (e.Key != k || e.Value != v) {
						t.Fatalf("%d: %v, want %v, %t", k, e, v, known)
					}
				}
				if len(model) == 0 && len(l.head.next) != 0 {
					t.Fatalf("an empty list has %d levels", len(l.head.next))
				}
			},
		})
	})
}

// A step is a look at a link. A search takes a number of them that grows with the
// logarithm of the length, whatever the order in which the keys came: about seven for
// each factor of four. Chance alone gives ten times as many less than once in a lifetime.
func TestSteps(t *testing.T) {
	orders := map[string]func(i, n int) int{
		"upward":    func(i, _ int) int { return i },
		"downward":  func(i, n int) int { return n - i },
		"scattered": func(i, n int) int { return i * 7919 % n },
	}
	for name, key := range orders {
		const n = 1 << 14
		var l List[int, struct{}]
		total := 0
		for i := range n {
			var path [levels]*Entry[int, struct{}]
			_, steps := l.seek(key(i, n), &path)
			total += steps
			l.Set(key(i, n), struct{}{})
		}
		if mean := total / n; mean > 150 {
			t.Errorf("%s: %d steps for each of %d keys", name, mean, n)
		}
		for i := range n {
			l.Delete(key(i, n))
		}
		if l.First() != nil || len(l.head.next) != 0 {
			t.Errorf("%s: not empty", name)
		}
	}
}

func TestHeight(t *testing.T) {
	var counts [levels + 1]int
	for range 1 << 16 {
		h := height()
		if h < 1 || h > levels {
			t.Fatalf("height %d", h)
		}
		counts[h]++
	}
	if counts[1] < 1<<15 || counts[2] < 1<<12 {
		t.Errorf("heights %v", counts)
	}
}

func TestAllocs(t *testing.T) {
	var l List[string, int]
	l.Set("a", 1)
	if n := testing.AllocsPerRun(100, func() { l.Get("a"); l.First() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
