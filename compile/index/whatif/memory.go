package whatif

import "github.com/tolero-dev/tolero/compile/index"

// memory is what evaluations leave for the next one. What it says is true of one snapshot
// and of the pods as they were then; for others, its room serves again. Answers do not
// depend on it.
//
// Pods keeps memories in a [sync.Pool], so each evaluation that is under way has its own,
// and the garbage collector takes those that no evaluation has used for a while.
type memory struct {
	fleet      *index.Snapshot
	changes    uint64 // those of the pods then
	tolerators *index.Tolerators
	places     []place // by number of the node

	accounts  []account         // by class of pods; none is of the current round
	round     uint32            // increases with each pair, of which a plan has less than 2^31
	positions map[uint64]uint32 // a buffer
}

// place is where the pods of a node are in the directory, plus two, if that is known: zero
// is not yet, and noPods nowhere.
type place uint32

const noPods place = 1

// mostRounds is how many rounds are counted in a memory. A variable for tests.
var mostRounds uint32 = 1 << 31

// recall returns a memory for an evaluation, which forgets what it knows of others.
func (p *Pods) recall(fleet *index.Snapshot) *memory {
	m, _ := p.memories.Get().(*memory)
	if m == nil || m.round > mostRounds {
		m = &memory{positions: make(map[uint64]uint32)}
	}
	if m.fleet != fleet || m.changes != p.changes || m.tolerators.Full() {
		m.fleet, m.changes, m.tolerators = fleet, p.changes, p.classes.Tolerators(fleet)
		clear(m.places)
	}
	if n := len(p.limits) + 1; n > len(m.accounts) {
		m.accounts = make([]account, n)
	}
	return m
}

// residents returns the pods on a node, given by number and name.
func (m *memory) residents(p *Pods, number int, name string) []resident {
	at := m.placeOf(p, number, name)
	if at == noPods {
		return nil
	}
	return p.nodes.groups[at-noPods-1].members
}

// placeOf returns the place of a node, which it looks up once.
func (m *memory) placeOf(p *Pods, number int, name string) place {
	if number >= len(m.places) {
		m.places = append(m.places, make([]place, number+1-len(m.places))...)
	}
	at := &m.places[number]
	if *at != 0 {
		return *at
	}
	*at = noPods
	if position, found := p.nodes.byName[name]; found && name != "" { // that of pods that wait
		*at += place(position) + 1
	}
	return *at
}
