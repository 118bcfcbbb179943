// Package failover is tolero failover: the settings with which pods leave a dead node in time, and
// what they risk. It plays the node life-cycle controller for each choice of settings and takes the
// first that suffices.
package failover

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/evict/timeline"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// Command is tolero failover.
var Command = command.Command{
	Name:    "failover",
	Summary: "the settings with which pods leave a dead node in time, and what they risk",
	About: `
A node dies; its pods are to be evicted within a time. The answer changes as little as
suffices: the tolerationSeconds of pods first, then the grace period of the node, then how
often its kubelet reports and how often the controller looks. Each is played, for a node
that dies at the worst moment, alone in its zone.`,
	Examples: `
  # away within two minutes
  tolero failover -within 2m

  # as fast as the settings of a managed control plane allow
  tolero failover -within 65s`,
	Flags: `
  -within T    how long after the death of its node a pod is evicted at the latest (1m)`,
	Result: Answer{},
	Run:    run,
}

// Settings are those that decide when pods leave a silent node.
type Settings struct {
	Seconds int64         `json:"tolerationSeconds"`      // of pods, for nodes that are not ready or unreachable
	Grace   time.Duration `json:"nodeMonitorGracePeriod"` // in nanoseconds, like the others
	Period  time.Duration `json:"nodeMonitorPeriod"`
	Lease   time.Duration `json:"nodeLeaseDuration"` // a kubelet renews its lease four times in it
}

// Answer is the settings, and what follows from them.
type Answer struct {
	Settings Settings `json:"settings"`
	// A pod leaves a dead node after so long, as the node dies right before it would have renewed its
	// lease, or right after.
	Earliest time.Duration `json:"earliest"`
	Latest   time.Duration `json:"latest"`
	// Blip is the shortest silence of a node that costs it pods.
	Blip time.Duration `json:"shortestSilence"`
	// Alone is the least that tolerationSeconds alone can reach.
	Alone    time.Duration `json:"withTolerationsAlone"`
	Sentence string        `json:"played"`
}

// renewal is how often the kubelet renews its lease.
func (s *Settings) renewal() time.Duration { return s.Lease / 4 }

// defaults are those of Kubernetes 1.37: pkg/controller/nodelifecycle/config/v1alpha1/defaults.go,
// pkg/kubelet/apis/config/v1beta1/defaults.go and plugin/pkg/admission/defaulttolerationseconds.
func defaults() Settings {
	c := lifecycle.Defaults()
	return Settings{Seconds: 300, Grace: c.GracePeriod, Period: c.MonitorPeriod, Lease: 4 * timeline.DefaultInterval}
}

// choices returns settings without tolerationSeconds, those that change least first. A node may
// always miss one renewal of its lease.
func choices() (all []Settings) {
	for _, s := range []Settings{defaults(), {Period: 2 * time.Second, Lease: 20 * time.Second}, {Period: time.Second, Lease: 8 * time.Second}} {
		step := max(s.renewal()/2, time.Second)
		for s.Grace, s.Seconds = defaults().Grace, 0; s.Grace >= 2*s.renewal(); s.Grace -= step {
			all = append(all, s)
		}
	}
	return all
}

var start = time.Unix(1e9, 0).UTC()

// play plays the silence of one node of three in its zone: from dead on, which is counted from a
// heartbeat at the given time after a look of the controller, for so long or, if that is zero,
// forever. It returns how long after its beginning the pod left the node, or timeline.Never.
func (s *Settings) play(beat, dead, silence time.Duration) (time.Duration, *timeline.Timeline, error) {
	config := lifecycle.Defaults()
	config.GracePeriod, config.MonitorPeriod = s.Grace, s.Period
	c := timeline.Cluster{Start: start, Config: config, HeartbeatInterval: s.renewal()}
	for i, name := range []string{"node-1", "node-2", "node-3"} {
		n := lifecycle.Node{Zone: "a", Conditions: lifecycle.Healthy(), Heartbeat: start.Add(beat - s.renewal()), Created: start}
		c.Nodes = append(c.Nodes, timeline.Node{Name: name, State: n})
		c.Pods = append(c.Pods, timeline.Pod{Name: fmt.Sprint("pod-", i+1), Node: name, Tolerations: s.tolerations()})
	}
	from := start.Add(beat + dead)
	o := timeline.Outage{Node: "node-1", From: from}
	if silence > 0 {
		o.Until = from.Add(silence)
	}
	c.Outages = []timeline.Outage{o}
	t, err := timeline.Play(&c)
	if err != nil || t.Pods[0].Outcome != timeline.Evicted {
		return timeline.Never, t, err
	}
	return t.Pods[0].At - from.Sub(start), t, nil
}

func (s *Settings) tolerations() []toleration.Toleration {
	return admit.DefaultSeconds{NotReady: &s.Seconds, Unreachable: &s.Seconds}.Append(nil, nil)
}

// moments calls f for nodes that die right after or right before a heartbeat. That comes right before
// or after each eighth of the time between two looks, of which all settings are multiples.
func (s *Settings) moments(f func(beat, dead time.Duration) error) error {
	const steps, bit = 8, time.Millisecond
	for i := range time.Duration(steps) {
		for _, beat := range [...]time.Duration{s.Period*i/steps + bit, s.Period*(i+1)/steps - bit} {
			for _, dead := range [...]time.Duration{bit, s.renewal() - bit} {
				if err := f(beat, dead); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// bounds returns when a pod leaves a dead node at the earliest and at the latest, and the sentence
// about the latter.
func (s *Settings) bounds() (earliest, latest time.Duration, sentence string, err error) {
	earliest = timeline.Never
	err = s.moments(func(beat, dead time.Duration) error {
		after, t, err := s.play(beat, dead, 0)
		earliest = min(earliest, after)
		if err == nil && after > latest {
			latest, sentence = after, t.Sentence(0)
		}
		return err
	})
	return earliest, latest, sentence, err
}

// blip returns the shortest silence, in seconds, that costs a node its pods, up to the given one,
// which does.
func (s *Settings) blip(most time.Duration) (time.Duration, error) {
	for silence := time.Second; silence < most; silence += time.Second {
		left := false
		err := s.moments(func(beat, dead time.Duration) error {
			after, _, err := s.play(beat, dead, silence)
			left = left || after != timeline.Never
			return err
		})
		if left || err != nil {
			return silence, err
		}
	}
	return most, nil
}

// find returns the first choice that suffices, with all the seconds that are left.
func find(within time.Duration) (a Answer, err error) {
	var latest time.Duration
	for i, s := range choices() {
		if _, latest, _, err = s.bounds(); err != nil {
			return a, err
		}
		if i == 0 {
			a.Alone = latest
		}
		if latest > within {
			continue
		}
		s.Seconds = min(int64((within-latest)/time.Second), defaults().Seconds)
		a.Settings = s
		if a.Earliest, a.Latest, a.Sentence, err = s.bounds(); err == nil {
			a.Blip, err = s.blip(a.Latest)
		}
		return a, err
	}
	return a, fmt.Errorf("-within %v cannot be reached: with all settings changed a pod leaves after up to %v", within, latest.Round(time.Second))
}
