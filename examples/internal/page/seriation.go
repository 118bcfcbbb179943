package page

import (
	"cmp"
	"math"
	"slices"
)

// seriate returns the indexes of rows in an order in which similar rows stand near
// each other, so that blocks of equal cells become visible. The first row stays
// first. Each of the others is put, one after the other, where it adds least to
// the differences between neighbours, and of several such places beside the row
// that it differs least from. Equal rows stand side by side.
//
// The time is proportional to the square of the number of rows times that of
// columns.
func seriate(rows [][]uint8) []int {
	var order []int
	for i, row := range rows {
		var best, nearest int
		least := math.MaxInt
		for at := 1; at <= len(order); at++ {
			before := distance(rows[order[at-1]], row)
			added, near := before, before
			if at < len(order) {
				next := rows[order[at]]
				behind := distance(row, next)
				added += behind - distance(rows[order[at-1]], next)
				near = min(near, behind)
			}
			if cmp.Or(cmp.Compare(added, least), cmp.Compare(near, nearest)) <= 0 {
				best, least, nearest = at, added, near
			}
		}
		order = slices.Insert(order, best, i)
	}
	return order
}

// distance returns in how many columns a and b differ.
func distance(a, b []uint8) (n int) {
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// transposed returns the columns of cells as rows.
func transposed(cells [][]uint8) [][]uint8 {
	if len(cells) == 0 {
		return nil
	}
	columns := make([][]uint8, len(cells[0]))
	for j := range columns {
		columns[j] = make([]uint8, len(cells))
		for i := range cells {
			columns[j][i] = cells[i][j]
		}
	}
	return columns
}
