package main

import (
	"math"
	"time"
)

// never is a time that does not come.
const never = time.Duration(math.MaxInt64)

// alive is a time in which heartbeats come, the end excluded.
type alive struct {
	from, until time.Duration
}

// alive returns when heartbeats come.
func (g *outage) alive() []alive {
	switch {
	case g.lost == 0:
		return []alive{{0, never}}
	case g.back == 0:
		return []alive{{0, g.lost}}
	}
	return []alive{{0, g.lost}, {g.back, never}}
}

// heartbeats tells which heartbeats to simulate. Every node has one in each
// interval. Those that the controller would not miss are left out, so that years
// without events take no longer than they must: all but every so many, the first
// after an outage, and the last before one.
type heartbeats struct {
	interval time.Duration
	each     int64 // of so many intervals one is simulated in quiet times
}

func newHeartbeats(o *options) heartbeats {
	spare := o.config.GracePeriod - 2*o.config.MonitorPeriod
	return heartbeats{o.interval, max(1, int64(spare/o.interval))}
}

// wanted reports whether the heartbeats of an interval, given by when it begins,
// are to be simulated in a zone that is alive at those times.
func (h heartbeats) wanted(times []alive, begin time.Duration) bool {
	for _, a := range times {
		if begin+h.interval <= a.from || begin >= a.until {
			continue
		}
		if begin-h.interval < a.from || a.until-begin <= 2*h.interval || int64(begin/h.interval)%h.each == 0 {
			return true
		}
	}
	return false
}

// at reports whether a zone is alive at a time.
func at(times []alive, t time.Duration) bool {
	for _, a := range times {
		if a.from <= t && t < a.until {
			return true
		}
	}
	return false
}
