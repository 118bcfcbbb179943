package compile

import (
	"github.com/tolero-dev/tolero/taint"
)

// odd is a taint with an unknown effect, which is compared as a string (rule M5). There
// is no bit for it, and Kubernetes refuses it, so such taints are apart: whole, and
// answered by package match. The first position is never used.
type odd struct {
	taint taint.Taint // without a time
	hash  uint32
	uses  uint32 // how often it is in use; none if the position is free
	next  uint32 // the next free position
}

func (v *Vocabulary) oddHash(t *taint.Taint) uint32 {
	key := hash(v.seed, t.Key)
	return v.pairHash(key, t.Value) ^ v.pairHash(^key, string(t.Effect))
}

// findOdd returns the position of a taint with an unknown effect, or zero if it is not
// there.
func (v *Vocabulary) findOdd(t *taint.Taint) uint32 {
	if v.byOdd.Len() == 0 { // and there may be no seed yet
		return 0
	}
	for position := range v.byOdd.Candidates(v.oddHash(t)) {
		if o := &v.odds.At(position).taint; o.Key == t.Key && o.Value == t.Value && o.Effect == t.Effect {
			return position
		}
	}
	return 0
}

// addOdd counts a taint with an unknown effect, interned if need be.
func (v *Vocabulary) addOdd(t *taint.Taint) TaintID {
	position := v.findOdd(t)
	if position != 0 {
		v.odds.Edit(position).uses++
		return idOf(0, position, taint.OtherEffects)
	}
	v.changed()
	v.inUse++
	entry := odd{taint: *t, hash: v.oddHash(t), uses: 1}
	entry.taint.TimeAdded = nil
	if position = v.freeOdds; position == 0 {
		position = v.odds.Append(entry)
	} else {
		o := v.odds.Edit(position)
		v.freeOdds, *o = o.next, entry
	}
	v.byOdd.Insert(entry.hash, position)
	return idOf(0, position, taint.OtherEffects)
}

func (v *Vocabulary) releaseOdd(position uint32) {
	o := v.odds.Edit(position)
	if o.uses--; o.uses > 0 {
		return
	}
	v.inUse--
	v.changed()
	v.byOdd.Remove(o.hash, position)
	*o = odd{next: v.freeOdds}
	v.freeOdds = position
}

// appendOdds appends the taints in use that have an unknown effect, if that is one of
// the effects.
func (v *Vocabulary) appendOdds(dst []TaintID, effects taint.EffectSet) []TaintID {
	if effects&taint.OtherEffects == 0 {
		return dst
	}
	for position := range uint32(v.odds.Len()) {
		if v.odds.At(position).uses > 0 {
			dst = append(dst, idOf(0, position, taint.OtherEffects))
		}
	}
	return dst
}
