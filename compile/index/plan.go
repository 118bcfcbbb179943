package index

import "fmt"

// plan is how the sets that fit are found.
type plan struct {
	way      way
	reached  []element // the hard taints that are tolerated
	followed []uint32  // and those of them that are watched
	rare     int       // how many sets watch those that have no column
	common   int       // and how many those that have one
	refusing []uint32  // the columns that are not tolerated, if they were counted
	blocks   int       // of a column
}

// steps returns how many taints, sets and blocks the plan looks at.
func (p *plan) steps() int {
	if p.way == columnwise {
		return len(p.followed) + p.rare + p.blocks*(1+len(p.refusing))
	}
	return len(p.followed) + p.rare + p.common
}

// way is how a pod's answer is found.
type way uint8

const (
	everything way = iota // no set has a taint that would have to be looked for
	watching              // each set that watches a tolerated taint is looked at
	columnwise            // and of the common taints, the columns are
)

// A block of a column takes as long as looking at blockCost sets, and to ask whether a
// column is tolerated the refuseShare-th part of one.
const blockCost, refuseShare = 2, 4

// choose returns how to find the sets that fit: which of the ways costs less, by
// counting what it would look at.
func (f *Fit) choose() way {
	p, s := &f.plan, f.snapshot
	p.followed, p.rare, p.common = p.followed[:0], 0, 0
	p.refusing, p.blocks = p.refusing[:0], 0
	if f.needed() == 0 {
		return everything
	}
	f.collect()
	if len(s.columns.elements) == 0 {
		return watching
	}
	p.blocks = int(s.blockCount())
	if p.common <= blockCost*p.blocks+len(s.columns.elements)/refuseShare {
		return watching // not worth counting the columns
	}
	f.refuse()
	if p.common <= blockCost*p.blocks*(1+len(p.refusing)) {
		return watching
	}
	return columnwise
}

// Asking whether a hard taint is tolerated takes a quarter of the time of finding what a
// toleration tolerates.
const askShare = 4

// collect finds the taints that are tolerated and watched.
func (f *Fit) collect() {
	p, s := &f.plan, f.snapshot
	effects := f.needed().effects()
	if s.taints.Len() <= askShare*len(f.matcher.Tolerations()) {
		for position := range uint32(s.taints.Len()) {
			if e := s.taints.At(position).element; e.Effects()&effects != 0 && f.tolerates(e) {
				f.reach(position)
			}
		}
		return
	}
	p.reached = f.matcher.AppendTolerated(p.reached[:0], effects)
	f.step(len(p.reached))
	for _, e := range p.reached {
		if position, found := s.hardTaintOf(e); found {
			f.reach(position)
		}
	}
}

// reach counts the sets that watch a taint that is tolerated.
func (f *Fit) reach(position uint32) {
	p, t := &f.plan, f.snapshot.taints.At(position)
	n := int(t.watched[primary])
	if f.whole != 0 {
		n += int(t.watched[secondary])
	}
	switch {
	case n == 0:
		return
	case t.column == 0:
		p.rare += n
	default:
		p.common += n
	}
	p.followed = append(p.followed, position)
}

// refuse finds the columns that are not tolerated.
func (f *Fit) refuse() {
	effects := f.needed().effects()
	for i, e := range f.snapshot.columns.elements {
		if e.Effects()&effects != 0 && !f.tolerates(e) {
			f.plan.refusing = append(f.plan.refusing, candidateColumns+uint32(i))
		}
	}
}

// search finds the sets that fit.
func (f *Fit) search() {
	switch f.plan.way = f.choose(); f.plan.way {
	case watching:
		for _, position := range f.plan.followed {
			f.follow(f.snapshot.taints.At(position))
		}
	case columnwise:
		f.subtract()
		for _, position := range f.plan.followed {
			if t := f.snapshot.taints.At(position); t.column == 0 {
				f.follow(t)
			}
		}
	}
}

// follow visits the sets that watch a tolerated taint.
func (f *Fit) follow(t *hardTaint) {
	number := hardNumber(t.element.Effects())
	kinds := t.first[:1]
	if f.whole != 0 {
		kinds = t.first[:]
	}
	for _, next := range kinds {
		for next != 0 {
			position := next - 1
			next = f.snapshot.sets.sets.At(position).watches[number].next
			f.visit(position, t.element)
		}
	}
}

// subtract takes in the sets whose taints are all common, except those in a column that
// is not tolerated.
func (f *Fit) subtract() {
	s := f.snapshot
	for b := range uint32(f.plan.blocks) {
		left := *s.line(b, uint32(f.needed())-1)
		for columns := f.plan.refusing; len(columns) > 0; columns = columns[min(together, len(columns)):] {
			f.step(min(together, len(columns)))
			var lines [together]*block
			for i := range lines {
				lines[i] = s.line(b, columns[min(i, len(columns)-1)])
			}
			left.without(&lines)
		}
		f.addBlock(b, &left)
	}
}

// Columns miss the near caches, and the processor waits for the first bytes of a line as long
// as it takes to read the rest. So several lines are read together.
const together = 4

// without takes out of b what is in one of the others.
func (b *block) without(others *[together]*block) {
	p, q, r, s := others[0], others[1], others[2], others[3]
	for i := range b {
		b[i] &^= p[i] | q[i] | r[i] | s[i]
	}
}

// Plan says in words how the answer was found and what was counted: for people, and
// not the same in every release.
func (f *Fit) Plan() string {
	p := &f.plan
	switch p.way {
	case watching:
		return fmt.Sprintf("watching: %d taints, %d sets", len(p.followed), p.rare+p.common)
	case columnwise:
		return fmt.Sprintf("columns: %d of %d, %d blocks, and %d sets; watching would be %d sets", len(p.refusing), len(f.snapshot.columns.elements), p.blocks, p.rare, p.rare+p.common)
	}
	return "everything"
}
