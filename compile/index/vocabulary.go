package index

import (
	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/internal/cow"
	"github.com/tolero-dev/tolero/taint"
)

// element is an interned taint. The zero element is none.
type element = compile.TaintID

// hard are the effects that keep pods away. The position of an effect in it numbers
// the hard effects.
var hard = [...]taint.Effect{taint.NoSchedule, taint.NoExecute}

const hardEffects = len(hard)

// isHard reports whether the effect of an element is hard.
func isHard(e element) bool { return e.Effects()&taint.Hard != 0 }

// hardNumber returns the number of a hard effect.
func hardNumber(effects taint.EffectSet) int {
	if effects&taint.Evicting != 0 {
		return 1
	}
	return 0
}

// pairOf returns the position of the pair of key and value of an element.
func pairOf(e element) uint32 { return uint32(e.Index() / 4) }

// taintOf returns an element that is in use as a taint.
func (a *state) taintOf(e element) taint.Taint {
	t, _ := a.vocabulary.Taint(e)
	return t
}

// stack is positions that are free. It can be frozen.
type stack struct {
	positions cow.Vector[uint32]
	count     uint32
}

func (s *stack) freeze() stack { return stack{s.positions.Freeze(), s.count} }

func (s *stack) push(position uint32) {
	if int(s.count) == s.positions.Len() {
		s.positions.Append(position)
	} else {
		*s.positions.Edit(s.count) = position
	}
	s.count++
}

func (s *stack) pop() uint32 {
	s.count--
	return *s.positions.At(s.count)
}

// place puts an entry into a free position of a vector, or at its end.
func place[T any](v *cow.Vector[T], free *stack, entry T) uint32 {
	if free.count > 0 {
		position := free.pop()
		*v.Edit(position) = entry
		return position
	}
	return v.Append(entry)
}
