package evict

import (
	"math"
	"time"
)

// Moments are nanoseconds since the first time that the caller passed.
const (
	never = math.MaxInt64
	last  = never - 1 // of all moments, 292 years after the first; later times are taken for it
)

// clock is the caller's clock as the queue sees it: it never goes backwards. The
// zero clock starts with the first time that it is set to.
type clock struct {
	start   time.Time
	now     int64
	started bool
}

// advance sets the clock to t, unless that would turn it back.
func (c *clock) advance(t time.Time) {
	if !c.started {
		c.start, c.started = t, true
	}
	c.now = max(c.now, min(last, int64(t.Sub(c.start))))
}

// time returns a moment as the caller's time.
func (c *clock) time(moment int64) time.Time {
	return c.start.Add(time.Duration(moment))
}

// later returns the moment that is d after another.
func later(moment int64, d time.Duration) int64 {
	if int64(d) > last-moment {
		return last
	}
	return moment + int64(d)
}
