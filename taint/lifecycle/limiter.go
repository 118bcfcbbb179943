package lifecycle

import (
	"math"
	"time"
)

// instant is a time as the nanoseconds since the start of a Controller.
type instant = int64

const never instant = math.MaxInt64

// limiter is the token bucket of a zone, with room for one token. It gives the
// answers of the limiter that Kubernetes uses, which is golang.org/x/time/rate
// behind k8s.io/client-go/util/flowcontrol, operation by operation, because at
// which pass a token is there depends on how the numbers are rounded.
type limiter struct {
	rate   float32 // tokens a second, as it was asked for
	closed bool    // gives no token, ever: its rate is zero, and it has none
	tokens float64 // at the instant last
	last   instant // when the last token was taken, or the limiter made
}

func newLimiter(rate float32, now instant) limiter {
	return limiter{rate: rate, tokens: 1, last: now}
}

// take takes a token if there is one.
func (l *limiter) take(now instant) bool {
	if !l.ready(now) {
		return false
	}
	l.tokens, l.last = l.at(now)-1, now
	return true
}

// ready reports whether there is a token. A wait of less than a nanosecond
// does not count.
func (l *limiter) ready(now instant) bool {
	return l.wait(l.at(now)) <= 0
}

// at returns the number of tokens at the instant now.
func (l *limiter) at(now instant) float64 {
	// The conversion keeps processors from rounding once instead of twice.
	grown := float64(time.Duration(max(0, now-l.last)).Seconds() * float64(max(0, l.rate)))
	return min(l.tokens+grown, 1)
}

// wait returns how long it takes to have one token when there are that many.
func (l *limiter) wait(tokens float64) time.Duration {
	missing := 1 - tokens
	if missing <= 0 {
		return 0
	}
	wait := missing / float64(max(0, l.rate)) * float64(time.Second)
	if wait > math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(wait)
}

// next returns the first instant of the passes, not before from, at which there
// is a token.
func (l *limiter) next(from instant) instant {
	at := from
	if wait := l.wait(l.tokens); wait > 0 {
		at = max(from, later(l.last, wait))
	}
	// Rounding can make the estimate late by less than one period, and early.
	at = max(from, at-int64(passPeriod))
	for at = firstMultiple(passPeriod, at); at < never && !l.ready(at); {
		at = later(at, passPeriod)
	}
	return at
}

// swap gives the zone another rate. A limiter of the same rate stays as it is;
// the new one is empty if the old one is.
func (l *limiter) swap(rate float32, now instant) {
	if l.reported() == rate {
		return
	}
	if rate <= 0 {
		*l = limiter{closed: true}
		return
	}
	fresh := newLimiter(rate, now)
	if !l.take(now) {
		fresh.take(now)
	}
	*l = fresh
}

// reported is what the limiter says is its rate when Kubernetes compares it
// with the new one. That of a closed one says 1.
func (l *limiter) reported() float32 {
	if l.closed {
		return 1
	}
	return l.rate
}

// later returns t+d, or the nearest instant that there is.
func later(t instant, d time.Duration) instant {
	sum := t + int64(d)
	if (sum > t) == (d > 0) {
		return sum
	}
	if d > 0 {
		return never
	}
	return math.MinInt64
}

// firstMultiple returns the first multiple of period that is not before t,
// which must not be negative.
func firstMultiple(period time.Duration, t instant) instant {
	rest := t % int64(period)
	if rest == 0 {
		return t
	}
	return later(t-rest, period)
}
