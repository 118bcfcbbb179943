package whatif

import (
	"encoding/binary"
	"math"
	"slices"
)

// fate is what becomes of a pod, or of all pods on a node: one of these, or the position of a
// verdict that evicts.
type fate int32

const (
	stays fate = -1 - iota
	spared
	anyway // with the plan or without

	differs       // from pod to pod, a byte for each
	differsWidely // from pod to pod, four bytes for each
)

// fates is the fates of the pods on nodes where they differ: a byte for each pod, or four on a node
// with a verdict whose position among all verdicts of the plan does not fit. Allocating memory
// takes more time than filling it.
//
// The zero fates is empty. One goroutine at a time may add to it; while nobody does, any number
// may read it. It retains nothing.
type fates struct {
	bytes []byte
}

// add adds the fates of the pods on a node, at least one. It returns where they begin, and how
// they differ.
func (s *fates) add(list []fate) (first uint32, how fate) {
	first = uint32(len(s.bytes))
	if slices.Max(list) > anyway+math.MaxUint8 {
		for _, f := range list {
			s.bytes = binary.LittleEndian.AppendUint32(s.bytes, uint32(f))
		}
		return first, differsWidely
	}
	for _, f := range list {
		s.bytes = append(s.bytes, byte(f-anyway))
	}
	return first, differs
}

// at returns the i-th fate of a node, of which add returned first and how.
func (s *fates) at(first uint32, how fate, i int) fate {
	if how == differsWidely {
		return fate(binary.LittleEndian.Uint32(s.bytes[int(first)+4*i:]))
	}
	return fate(s.bytes[int(first)+i]) + anyway
}

// reset takes all fates out.
func (s *fates) reset() { s.bytes = s.bytes[:0] }

func (s *fates) clone() fates { return fates{slices.Clone(s.bytes)} }
