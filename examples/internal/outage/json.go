package outage

import (
	"time"

	"github.com/tolero-dev/tolero/match/evict/timeline"
)

// The JSON output. Times are seconds since the start; null is never.
type (
	jsonReport struct {
		Seconds float64     `json:"seconds"` // when the simulation ends
		Zones   []jsonZone  `json:"zones"`
		Events  []jsonEvent `json:"events"` // of zones and of all of them
		Counts  []jsonCount `json:"counts"` // each from its time on

		Workloads []leaving `json:"workloads,omitempty"`
		Leaving   []jsonPod `json:"leaving,omitempty"` // the first first
	}
	jsonPod struct {
		Pod     string  `json:"pod"`
		Owner   string  `json:"owner"`
		Node    string  `json:"node"`
		Seconds float64 `json:"seconds"`
		Text    string  `json:"text"`
	}
	jsonZone struct {
		Name     string         `json:"name"`
		Nodes    int            `json:"nodes"`
		Silent   int            `json:"silent"`
		Lost     int            `json:"lost"`
		Tainted  int            `json:"tainted"`
		Pods     int            `json:"pods"`
		Outcomes map[string]int `json:"outcomes"`
		First    *float64       `json:"firstEviction"`
		Last     *float64       `json:"lastEviction"`
	}
	jsonEvent struct {
		Seconds float64 `json:"seconds"`
		Kind    string  `json:"kind"`
		Zone    string  `json:"zone,omitempty"`
		State   string  `json:"state,omitempty"`
	}
	jsonCount struct {
		Seconds   float64 `json:"seconds"`
		Lost      int     `json:"lost"`
		Tainted   int     `json:"tainted"`
		Scheduled int     `json:"scheduled"`
		Evicted   int     `json:"evicted"`
		Cancelled int     `json:"cancelled"`
	}
)

func data(c *timeline.Cluster, t *timeline.Timeline, owners []string) any {
	r := jsonReport{Seconds: t.End.Seconds(), Zones: []jsonZone{}, Events: []jsonEvent{}, Counts: []jsonCount{}}
	for _, g := range t.Groups(func(node int32) string { return c.Nodes[node].State.Zone }) {
		z := jsonZone{g.Name, g.Nodes, g.Silent, g.Lost, g.Tainted, g.Pods, make(map[string]int), seconds(max(0, g.First)), seconds(max(0, g.Last))}
		for outcome, n := range g.Outcomes {
			if n > 0 {
				z.Outcomes[timeline.Outcome(outcome).String()] = n
			}
		}
		r.Zones = append(r.Zones, z)
	}
	for _, e := range t.Events {
		if e.Node < 0 {
			j := jsonEvent{Seconds: e.At.Seconds(), Kind: e.Kind.String(), Zone: e.Zone}
			if e.Kind == timeline.ZoneChanged {
				j.State = e.State.String()
			}
			r.Events = append(r.Events, j)
		}
	}
	for _, s := range t.Samples {
		r.Counts = append(r.Counts, jsonCount{s.At.Seconds(), s.Lost, s.Tainted, s.Scheduled, s.Evicted, s.Cancelled})
	}
	r.Workloads = leavers(t, owners)
	for _, i := range evicted(t) {
		r.Leaving = append(r.Leaving, jsonPod{"Pod " + c.Pods[i].Name, owners[i], c.Pods[i].Node, t.Pods[i].At.Seconds(), t.Sentence(i)})
	}
	return r
}

// seconds returns a time in seconds, or nil for never.
func seconds(at time.Duration) *float64 {
	if at == timeline.Never {
		return nil
	}
	seconds := at.Seconds()
	return &seconds
}
