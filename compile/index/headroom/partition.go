package headroom

import (
	"slices"

	"github.com/tolero-dev/tolero/compile/index"
)

// partition is the hard sets of a fleet in parts: two sets are in the same part if every
// class that was asked about so far may use both or none.
type partition struct {
	fleet *Fleet
	part  []int // by set
	sizes []int // by part: how many sets it has
	into  []int // by part: the new part of the sets that the current class may use, or -1
	free  []int // parts without sets
	moved []int // parts that have a new one
}

// newPartition returns the partition with all sets that have nodes in one part.
func newPartition(f *Fleet) *partition {
	p := &partition{fleet: f, part: make([]int, len(f.nodes)), sizes: []int{0}, into: []int{-1}}
	for _, nodes := range f.nodes {
		if nodes > 0 {
			p.sizes[0]++
		}
	}
	return p
}

// split tells the sets that a class may use apart from the others of their parts.
func (p *partition) split(fit *index.Fit) {
	for set := range fit.HardSets() {
		old := p.part[set]
		if p.into[old] < 0 {
			p.into[old] = p.newPart()
			p.moved = append(p.moved, old)
		}
		p.part[set] = p.into[old]
		p.sizes[old]--
		p.sizes[p.into[old]]++
	}
	for _, old := range p.moved {
		if p.into[old] = -1; p.sizes[old] == 0 {
			p.free = append(p.free, old)
		}
	}
	p.moved = p.moved[:0]
}

func (p *partition) newPart() (part int) {
	if n := len(p.free); n > 0 {
		part, p.free = p.free[n-1], p.free[:n-1]
		return part
	}
	p.sizes, p.into = append(p.sizes, 0), append(p.into, -1)
	return len(p.sizes) - 1
}

// regions returns the parts, in the order of their first sets. After that, part is the
// region of a set.
func (p *partition) regions() (regions []region) {
	for part := range p.into {
		p.into[part] = -1
	}
	for set, part := range p.part {
		nodes := p.fleet.nodes[set]
		if nodes == 0 {
			continue
		}
		if p.into[part] < 0 {
			p.into[part] = len(regions)
			regions = append(regions, region{total: *newTotal(p.fleet.kinds)})
		}
		p.part[set] = p.into[part]
		regions[p.part[set]].add(nodes, p.fleet.sumsOf(set))
	}
	return regions
}

// used returns the regions that a class may use, ascending.
func (p *partition) used(fit *index.Fit) (regions []uint32) {
	for set := range fit.HardSets() {
		regions = append(regions, uint32(p.part[set]))
	}
	slices.Sort(regions)
	return slices.Clip(slices.Compact(regions))
}
