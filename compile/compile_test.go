package compile_test

import (
	"testing"
	"time"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// matcher is a compiled list for the proof kit.
func matcher(tolerations []toleration.Toleration) matchtest.Matcher {
	m := compile.New(tolerations)
	return matchtest.Matcher{
		Tolerates:        m.Tolerates,
		FirstTolerating:  m.FirstTolerating,
		Filter:           m.Filter,
		FirstUntolerated: m.FirstUntolerated,
		Decide:           m.Decide,
		CountUntolerated: m.CountUntolerated,
		EvictionDelay: func(taints []taint.Taint, p match.EvictionPolicy, now time.Time) (time.Duration, bool) {
			return m.Delay(taints, p, now)
		},
	}
}

func TestMatcherAgreesWithMatch(t *testing.T) {
	matchtest.Run(t, matcher)
}

// The thresholds and the hash function change the way, not the answer.
func TestEveryHashAgreesWithMatch(t *testing.T) {
	for name, hash := range map[string]func(func()){
		"probe":    func(f func()) { compile.WithHash(compile.ProbeHash, f) },
		"strong":   func(f func()) { compile.WithHash(compile.StrongHash, f) },
		"constant": func(f func()) { compile.WithHash(compile.ConstantHash, f) },
		"four bit": func(f func()) { compile.WithHash(compile.FourBitHash, f) },
	} {
		t.Run(name, func(t *testing.T) { hash(func() { matchtest.Run(t, matcher) }) })
	}
}

func FuzzMatcher(f *testing.F) {
	matchtest.Fuzz(f, matcher)
}
