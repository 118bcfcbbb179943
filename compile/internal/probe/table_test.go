package probe

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A table and its forks do what maps do, with hashes that collide, position zero and
// many changes.
func TestTableAgreesWithMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type world struct {
			table Table
			model map[uint32]uint32 // hashes by position
		}
		hashes := rapid.SampledFrom([]uint32{0, 1, 1 << 26, 2 << 26, 61 << 26, 62 << 26, 63 << 26, 1 << 31, 1<<32 - 1})
		worlds := []*world{{model: map[uint32]uint32{}}}
		for range rapid.IntRange(1, 300).Draw(t, "changes") {
			w := worlds[rapid.IntRange(0, len(worlds)-1).Draw(t, "world")]
			position := rapid.Uint32Range(0, 90).Draw(t, "position")
			hash, found := w.model[position]
			switch fork := rapid.IntRange(0, 40).Draw(t, "fork"); {
			case fork == 0 && len(worlds) < 4:
				copied := &world{table: w.table.Fork(), model: map[uint32]uint32{}}
				for position, hash := range w.model {
					copied.model[position] = hash
				}
				worlds = append(worlds, copied)
			case found:
				w.table.Remove(hash, position)
				delete(w.model, position)
			default:
				w.model[position] = hashes.Draw(t, "hash")
				w.table.Insert(w.model[position], position)
			}
		}
		for _, w := range worlds {
			compare(t, &w.table, w.model)
		}
	})
}

func compare(t *rapid.T, table *Table, model map[uint32]uint32) {
	if table.Len() != len(model) {
		t.Fatalf("%d entries, want %d", table.Len(), len(model))
	}
	byHash := map[uint32][]uint32{7: nil}
	for position, hash := range model {
		byHash[hash] = append(byHash[hash], position)
	}
	for hash, want := range byHash {
		slices.Sort(want)
		if got := slices.Sorted(table.Candidates(hash)); !slices.Equal(got, want) {
			t.Fatalf("hash %d: %v, want %v", hash, got, want)
		}
	}
}

// A table has room for what it has, and no more than it needs; the loop over candidates
// ends when it is told to.
func TestTableGrows(t *testing.T) {
	var table Table
	const spread = uint32(0x9e3779b9)
	for i := range uint32(10_000) {
		table.Insert(i*spread, i)
		if n, slots := table.Len(), table.cells.Len(); 8*(n-1) >= 5*slots || slots > 64 && 12*n < 5*(slots-1) {
			t.Fatalf("%d entries in %d slots", table.Len(), table.cells.Len())
		}
	}
	table.Insert(0, 10_001)
	found := 0
	for range table.Candidates(0) {
		found++
		break
	}
	if found != 1 || len(slices.Collect(table.Candidates(0))) != 2 {
		t.Error("the loop over candidates did not end")
	}
	size, run := table.cells.Len(), 0
	for i := range 2 * size { // twice around
		if table.cells.At(uint32(i%size)).entry == 0 {
			run = 0
		} else if run++; run > 300 {
			t.Fatal("a run of more than 300 cells")
		}
	}
	for round := range uint32(10) { // all entries go and others come
		for i := range uint32(10_000) {
			table.Remove((i+round)*spread, i)
			table.Insert((i+round+1)*spread, i)
		}
	}
	if table.cells.Len() != size {
		t.Errorf("%d cells, were %d", table.cells.Len(), size)
	}
}
