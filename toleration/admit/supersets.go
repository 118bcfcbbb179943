package admit

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// supersets answers whether some toleration that was added is a superset of another
// one, by [UpstreamIsSuperset], in constant expected time.
type supersets struct {
	all  map[written]bool
	wide map[wide]best
}

// written is a toleration with its seconds as a number.
type written struct {
	toleration.Toleration // without seconds
	timed                 bool
	seconds               int64
}

func asWritten(t *toleration.Toleration) written {
	w := written{Toleration: *t}
	if t.TolerationSeconds != nil {
		w.timed, w.seconds = true, *t.TolerationSeconds
	}
	w.TolerationSeconds = nil
	return w
}

// wide is what a toleration must have for others to be supersets of it: the key, if
// anyKey is not set; the effect, if anyEffect is not; and the value with the operator
// Equal, if exists is not.
type wide struct {
	key, value                string
	effect                    taint.Effect
	anyKey, anyEffect, exists bool
}

// best is the toleration with the most seconds of those with one wide, and another one
// that has as many, if there is one: so that a toleration does not find only itself.
type best [2]limit

// limit is a toleration, if it is known, and its seconds as far as they matter.
type limit struct {
	written
	known, unlimited bool
	most             int64
}

// less reports whether l has fewer seconds than other, which is known.
func (l limit) less(other limit) bool {
	return !l.known || !l.unlimited && (other.unlimited || l.most < other.most)
}

// allows reports whether l is known and t has no more seconds than it.
func (l limit) allows(t *toleration.Toleration) bool {
	return l.known && (l.unlimited || t.TolerationSeconds != nil && *t.TolerationSeconds <= l.most)
}

func newSupersets(list []toleration.Toleration) *supersets {
	s := &supersets{make(map[written]bool, len(list)), make(map[wide]best)}
	for i := range list {
		s.add(&list[i])
	}
	return s
}

func (s *supersets) add(t *toleration.Toleration) {
	l := limit{written: asWritten(t), known: true}
	if s.all[l.written] {
		return
	}
	s.all[l.written] = true
	w := wide{key: t.Key, effect: t.Effect, anyEffect: t.Effect == ""}
	switch t.Operator {
	case toleration.OpEqual, "":
		w.value = t.Value
	case toleration.OpExists:
		w.exists, w.anyKey = true, t.Key == ""
	default:
		return
	}
	if l.unlimited = t.Effect != taint.NoExecute || t.TolerationSeconds == nil; !l.unlimited {
		l.most = *t.TolerationSeconds
	}
	b := s.wide[w]
	switch {
	case b[0].less(l):
		b = best{l}
	case !l.less(b[0]):
		b[1] = l
	}
	s.wide[w] = b
}

// of reports whether some toleration is a superset of t.
func (s *supersets) of(t *toleration.Toleration) bool {
	return s.all[asWritten(t)] || s.other(t)
}

// other reports whether some toleration that does not equal t is a superset of it.
func (s *supersets) other(t *toleration.Toleration) bool {
	self := asWritten(t)
	for _, effect := range [...]wide{{effect: t.Effect, anyEffect: t.Effect == ""}, {anyEffect: true}} {
		for _, w := range [...]wide{{anyKey: true, exists: true}, {key: t.Key, exists: true, anyKey: t.Key == ""}, {key: t.Key, value: t.Value}} {
			w.effect, w.anyEffect = effect.effect, effect.anyEffect
			b := s.wide[w]
			l := b[0]
			if l.written == self {
				l = b[1]
			}
			if (w.exists || t.Operator == toleration.OpEqual) && l.allows(t) {
				return true
			}
		}
	}
	return false
}
