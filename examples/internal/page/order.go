package page

import (
	"cmp"
	"slices"
)

// sampled is how many rows or columns are compared to tell whether two columns or rows
// are alike.
const sampled = 128

// order puts rows and columns that are alike beside each other, from the list that
// tolerates most, and from the taints that are tolerated most.
func (b *builder) order() {
	kinds := make([][]uint8, len(b.rows))
	for i := range kinds {
		kinds[i] = make([]uint8, len(b.columns))
		for j := range kinds[i] {
			kinds[i][j] = uint8(b.Verdicts[b.cells[i][j]].Kind)
		}
	}
	b.RowOrder = clustered(kinds)
	b.ColumnOrder = clustered(transposed(kinds))
}

// clustered returns the indexes of rows, similar ones side by side. Equal rows are
// compared once.
func clustered(rows [][]uint8) []int {
	same := make(map[string][]int)
	var first []int // the first of each
	for i, row := range rows {
		if same[string(row)] == nil {
			first = append(first, i)
		}
		same[string(row)] = append(same[string(row)], i)
	}
	sum := func(i int) (n int) {
		for _, kind := range rows[i] {
			n += int(kind)
		}
		return n
	}
	slices.SortStableFunc(first, func(i, j int) int { return cmp.Compare(sum(i), sum(j)) })
	samples := make([][]uint8, len(first))
	for i, at := range first {
		samples[i] = sample(rows[at])
	}
	order := []int{}
	for _, i := range seriate(samples) {
		order = append(order, same[string(rows[first[i]])]...)
	}
	return order
}

// sample returns cells of a row, spread evenly, or all if they are few.
func sample(row []uint8) []uint8 {
	if len(row) <= sampled {
		return row
	}
	cells := make([]uint8, sampled)
	for i := range cells {
		cells[i] = row[i*len(row)/sampled]
	}
	return cells
}
