package page

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSeriate(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		rows := make([][]uint8, random.IntN(30))
		for i := range rows {
			rows[i] = make([]uint8, 6)
			for j := range rows[i] {
				rows[i][j] = uint8(random.IntN(2))
			}
		}
		order := seriate(rows)
		sorted := slices.Sorted(slices.Values(order))
		for i, index := range sorted {
			if i != index {
				t.Fatalf("not a permutation: %v", order)
			}
		}
		if len(order) != len(rows) || len(order) > 0 && order[0] != 0 {
			t.Fatalf("got %v for %d rows", order, len(rows))
		}
		seen := make(map[string]bool)
		last := ""
		for _, index := range order {
			row := string(rows[index])
			if row != last && seen[row] {
				t.Fatalf("equal rows are apart in %v of %v", order, rows)
			}
			seen[row], last = true, row
		}
	}
}

// Each row is put where it adds least to the differences between neighbours, and of such
// places beside the row that it differs least from.
func TestPlaces(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		rows := make([][]uint8, 2+random.IntN(8))
		for i := range rows {
			rows[i] = make([]uint8, 6)
			for j := range rows[i] {
				rows[i][j] = uint8(random.IntN(3))
			}
		}
		last := len(rows) - 1
		// cost returns the differences between neighbours, and the least one of the last row.
		cost := func(order []int) [2]int {
			all, least := 0, 6
			for i := range order[1:] {
				d := distance(rows[order[i]], rows[order[i+1]])
				all += d
				if order[i] == last || order[i+1] == last {
					least = min(least, d)
				}
			}
			return [2]int{all, least}
		}
		before, after := seriate(rows[:last]), seriate(rows)
		if rest := slices.DeleteFunc(slices.Clone(after), func(i int) bool { return i == last }); !slices.Equal(rest, before) {
			t.Fatalf("%v, without the last row %v", after, before)
		}
		for at := 1; at <= last; at++ {
			other := slices.Insert(slices.Clone(before), at, last)
			got, want := cost(after), cost(other)
			if slices.Compare(got[:], want[:]) > 0 {
				t.Fatalf("%v costs %v, and %v costs %v, of %v", after, got, other, want, rows)
			}
		}
	}
}

func TestOrderBlocks(t *testing.T) {
	rows := [][]uint8{{0, 0, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 1}, {1, 1, 0, 1}, {0, 1, 1, 1}}
	if got, want := seriate(rows), []int{0, 2, 4, 3, 1}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v: neighbours differ in 2, 1, 2 and 1 cells", got, want)
	}
}

func TestTransposed(t *testing.T) {
	got := transposed([][]uint8{{1, 2, 3}, {4, 5, 6}})
	want := [][]uint8{{1, 4}, {2, 5}, {3, 6}}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := transposed([][]uint8{{1, 2}}); !slices.EqualFunc(got, [][]uint8{{1}, {2}}, slices.Equal) {
		t.Errorf("one row gives %v", got)
	}
	if transposed(nil) != nil {
		t.Error("something made of nothing")
	}
}
