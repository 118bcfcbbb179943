package probe

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Entries stay at their positions, and do what a map does. There are as many places as there ever
// were entries at a time, and what is removed is not retained.
func TestEntriesAgreeWithMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type entry struct {
			hash uint32
			name string
		}
		var e Entries[*entry]
		model, most := map[uint32]*entry{}, 0
		hashes := rapid.Uint32Range(0, 2)
		for range rapid.IntRange(1, 60).Draw(t, "changes") {
			if position := rapid.Uint32Range(0, 9).Draw(t, "position"); model[position] != nil {
				e.Remove(model[position].hash, position)
				delete(model, position)
				if *e.At(position) != nil {
					t.Fatalf("%v is left at %d", *e.At(position), position)
				}
			} else {
				x := &entry{hashes.Draw(t, "hash"), "name"}
				position := e.Insert(x.hash, x)
				if model[position] != nil {
					t.Fatalf("there are two entries at %d", position)
				}
				model[position] = x
			}
			most = max(most, len(model))
			if e.Len() != len(model) || e.Places() != most {
				t.Fatalf("%d entries in %d places, want %d in %d", e.Len(), e.Places(), len(model), most)
			}
			for position, x := range model {
				if *e.At(position) != x {
					t.Fatalf("%v is at %d, want %v", *e.At(position), position, x)
				}
			}
			for hash := range uint32(4) {
				var want []uint32
				for position, x := range model {
					if x.hash == hash {
						want = append(want, position)
					}
				}
				slices.Sort(want)
				if got := slices.Sorted(e.Candidates(hash)); !slices.Equal(got, want) {
					t.Fatalf("hash %d: %v, want %v", hash, got, want)
				}
				if got := e.Guess(hash); got == None && len(want) > 0 || got != None && !slices.Contains(want, got) {
					t.Fatalf("hash %d: the guess is %d, and there are %v", hash, got, want)
				}
			}
		}
	})
}
