package browser

import (
	"cmp"
	"image/color"
	"maps"
	"slices"
)

// mostFrequent returns at most n colours, those that occur most, always in the same order.
func mostFrequent(counts map[color.RGBA]int, n int) color.Palette {
	number := func(c color.RGBA) int { return int(c.R)<<16 | int(c.G)<<8 | int(c.B) }
	all := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], number(a)-number(b))
	})
	var palette color.Palette
	for _, c := range all[:min(n, len(all))] {
		palette = append(palette, c)
	}
	return palette
}
