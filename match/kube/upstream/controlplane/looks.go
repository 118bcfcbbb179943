package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// canary is a node that is lost from the start. The node life-cycle controller reads its
// lease, which it does not have, at every look (rule C6); so the audit log of the API
// server says when the looks are. The controller's own log says when it found new nodes.
const canary = "canary"

const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
  verbs: [get]
  namespaces: [kube-node-lease]
  resources: [{group: coordination.k8s.io, resources: [leases]}]
- level: None
`

// looks is the times of looks, from the first that is known.
type looks []time.Time

// readLooks reads the times of the looks so far from an audit log.
func readLooks(file string) (l looks, err error) {
	log, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(log) {
		var event struct {
			ObjectRef                struct{ Name string }
			RequestReceivedTimestamp time.Time
		}
		if json.Unmarshal(line, &event) == nil && event.ObjectRef.Name == canary { // the last line may be half of one
			l = append(l, event.RequestReceivedTimestamp)
		}
	}
	return l, nil
}

// with returns l and the looks at which new nodes were found, or everything stopped or
// went on.
func (l looks) with(log []entry, period time.Duration) looks {
	all := slices.Clone(l)
	for _, e := range log {
		switch e.text {
		case "Controller observed a new Node", enteringDisruption, exitingDisruption:
			all = append(all, e.at)
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	return slices.CompactFunc(all, func(a, b time.Time) bool { return b.Sub(a).Abs() < period/2 })
}

// filled returns the looks and those between them that the log does not show, because the
// canary was not lost then.
func (l looks) filled(period time.Duration) looks {
	var all looks
	usual := l.usual(period)
	for i, at := range l {
		if i > 0 {
			gap := at.Sub(l[i-1])
			n := math.Round(float64(gap) / float64(usual))
			for k := 1.0; k < n; k++ {
				all = append(all, l[i-1].Add(time.Duration(float64(gap)*k/n)))
			}
		}
		all = append(all, at)
	}
	return all
}

// usual returns the median time from one look to the next. It leaves out times of one and a
// half periods and more, in which looks are missing.
func (l looks) usual(period time.Duration) time.Duration {
	gaps := []time.Duration{}
	for i := 1; i < len(l); i++ {
		if gap := l[i].Sub(l[i-1]); gap < period*3/2 {
			gaps = append(gaps, gap)
		}
	}
	if len(gaps) == 0 {
		return period + drift
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

// drift is about how much longer than a period it is from one look to the next.
const drift = 5 * time.Millisecond

// scaled returns the settings with their times as they would be if the looks were one
// monitor period apart: on a busy machine they are farther apart.
func (l looks) scaled(c lifecycle.Config) lifecycle.Config {
	if len(l) < 2 {
		return c
	}
	scale := float64(c.MonitorPeriod) * float64(len(l)-1) / float64(l[len(l)-1].Sub(l[0]))
	c.GracePeriod = time.Duration(float64(c.GracePeriod) * scale)
	c.StartupGracePeriod = time.Duration(float64(c.StartupGracePeriod) * scale)
	c.Rate = float32(float64(c.Rate) / scale)
	return c
}

// number returns the place of a time among the looks: 2.5 is half-way between those with
// the indexes 2 and 3. Before the first and after the last there is one in each period.
// There must be a look.
func (l looks) number(at time.Time, period time.Duration) float64 {
	i, _ := slices.BinarySearchFunc(l, at, time.Time.Compare)
	switch {
	case i == 0:
		return at.Sub(l[0]).Seconds() / (period + drift).Seconds()
	case i == len(l):
		return float64(i-1) + at.Sub(l[i-1]).Seconds()/(period+drift).Seconds()
	}
	return float64(i-1) + at.Sub(l[i-1]).Seconds()/l[i].Sub(l[i-1]).Seconds()
}

// at returns the time that has the number.
func (l looks) at(number float64, period time.Duration) time.Time {
	after := func(t time.Time, n float64, step time.Duration) time.Time {
		return t.Add(time.Duration(n * float64(step)))
	}
	i := int(math.Floor(number))
	switch {
	case i < 0:
		return after(l[0], number, period+drift)
	case i >= len(l)-1:
		return after(l[len(l)-1], number-float64(len(l)-1), period+drift)
	}
	return after(l[i], number-float64(i), l[i+1].Sub(l[i]))
}
