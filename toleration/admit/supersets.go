package admit

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// supersets answers whether some toleration of a list is a superset of another one,
// by [UpstreamIsSuperset], in constant expected time.
type supersets struct {
	all  map[written]bool
	wide map[wide]limit
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

// limit is the most seconds that one of them has.
type limit struct {
	unlimited bool
	seconds   int64
}

func newSupersets(list []toleration.Toleration) *supersets {
	s := &supersets{make(map[written]bool, len(list)), make(map[wide]limit)}
	for i := range list {
		t := &list[i]
		s.all[asWritten(t)] = true
		w := wide{key: t.Key, effect: t.Effect, anyEffect: t.Effect == ""}
		switch t.Operator {
		case toleration.OpEqual, "":
			w.value = t.Value
		case toleration.OpExists:
			w.exists, w.anyKey = true, t.Key == ""
		default:
			continue
		}
		known, found := s.wide[w]
		switch {
		case t.Effect != taint.NoExecute || t.TolerationSeconds == nil: // the seconds do not matter
			s.wide[w] = limit{unlimited: true}
		case !found || !known.unlimited && known.seconds < *t.TolerationSeconds:
			s.wide[w] = limit{seconds: *t.TolerationSeconds}
		}
	}
	return s
}

// of reports whether some toleration of the list is a superset of t.
func (s *supersets) of(t *toleration.Toleration) bool {
	if s.all[asWritten(t)] {
		return true
	}
	for _, effect := range [...]wide{{effect: t.Effect, anyEffect: t.Effect == ""}, {anyEffect: true}} {
		for _, w := range [...]wide{{anyKey: true, exists: true}, {key: t.Key, exists: true, anyKey: t.Key == ""}, {key: t.Key, value: t.Value}} {
			w.effect, w.anyEffect = effect.effect, effect.anyEffect
			most, found := s.wide[w]
			if found && (w.exists || t.Operator == toleration.OpEqual) &&
				(most.unlimited || t.TolerationSeconds != nil && *t.TolerationSeconds <= most.seconds) {
				return true
			}
		}
	}
	return false
}
