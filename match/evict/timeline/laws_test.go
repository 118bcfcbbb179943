package timeline_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/evict/timeline"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration"
)

// played returns the timeline of a cluster.
func played(t rapid.TB, c *timeline.Cluster) *timeline.Timeline {
	t.Helper()
	got, err := timeline.Play(c)
	if err != nil {
		t.Fatal(err)
	}
	if c.End.IsZero() { // the last thing that happens
		var last time.Duration
		for _, e := range got.Events {
			last = max(last, e.At)
		}
		for _, s := range got.Samples {
			last = max(last, s.At)
		}
		if got.End != last {
			t.Fatalf("the end is %v, want %v", got.End, last)
		}
	}
	return got
}

// leaves is when a pod is evicted or is to be; Never if that is not.
func leaves(f *timeline.Fate) time.Duration {
	if f.Outcome == timeline.Evicted || f.Outcome == timeline.Scheduled {
		return f.Due
	}
	return timeline.Never
}

// simple draws a cluster of healthy nodes without taints, the silences of which begin at
// the start and do not end.
func simple(t *rapid.T) *timeline.Cluster {
	c := cluster(t)
	c.End, c.Outages = time.Time{}, nil
	for i := range c.Nodes {
		n := &c.Nodes[i]
		n.Taints, n.State.Conditions = nil, lifecycle.Healthy()
		n.State.Heartbeat = epoch.Add(-seconds(t, 0, 9, "heartbeat"))
		if rapid.IntRange(0, 2).Draw(t, "silent") > 0 {
			c.Outages = append(c.Outages, timeline.Outage{Node: n.Name})
		}
	}
	return c
}

// Law: a node that is back before its last heartbeat is older than the grace period is
// never lost, and none of its pods is evicted (rules C3, E4).
func TestBackBeforeTheGracePeriodChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := simple(t)
		for i := range c.Outages {
			s := &c.Outages[i]
			at := slices.IndexFunc(c.Nodes, func(n timeline.Node) bool { return n.Name == s.Node })
			last := c.Nodes[at].State.Heartbeat
			// The first heartbeat after Until comes within the interval.
			latest := last.Add(c.Config.GracePeriod - interval(c))
			s.Until = epoch.Add(seconds(t, 1, 60, "until"))
			if s.Until.After(latest) {
				s.Until = latest
			}
			if !s.Until.After(epoch) {
				s.Until = epoch.Add(1)
			}
		}
		got := played(t, c)
		for i := range got.Pods {
			if f := &got.Pods[i]; f.Outcome != timeline.Unaffected && f.Outcome != timeline.BackInTime {
				t.Fatalf("%s", got.Sentence(int32(i)))
			}
		}
		if len(got.Evicted) > 0 || slices.ContainsFunc(got.Events, func(e timeline.Event) bool { return e.Kind == timeline.Lost }) {
			t.Fatalf("%+v", got)
		}
	})
}

func interval(c *timeline.Cluster) time.Duration {
	if c.HeartbeatInterval == 0 {
		return timeline.DefaultInterval
	}
	return c.HeartbeatInterval
}

// Law: a node that is back cancels: if all silent nodes are back for good, no eviction is
// scheduled after the look that finds their first heartbeats, no pod leaves later, and a
// pod that was to leave later stays.
func TestBackCancels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := simple(t)
		without := played(t, c)
		back := seconds(t, 1, 200, "back")
		for i := range c.Outages {
			c.Outages[i].Until = epoch.Add(back)
		}
		with := played(t, c)
		found := back + interval(c) + c.Config.MonitorPeriod
		for i := range with.Pods {
			before, now := &without.Pods[i], &with.Pods[i]
			if leaves(now) != timeline.Never && leaves(now) > found {
				t.Fatalf("back at %v: %s", back, with.Sentence(int32(i)))
			}
			if leaves(before) < back && leaves(now) != leaves(before) {
				t.Fatalf("back at %v: %s; else: %s", back, with.Sentence(int32(i)), without.Sentence(int32(i)))
			}
		}
		for i, n := range with.Nodes {
			if n.Lost != timeline.Never && n.Back == timeline.Never {
				t.Fatalf("%s is not back: %+v", c.Nodes[i].Name, n)
			}
		}
	})
}

// Law: more seconds for the toleration that counts never let a pod leave earlier, and
// change nothing for the others (rule E2).
func TestMoreSecondsNeverLeaveEarlier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := cluster(t)
		c.End = time.Time{}
		if len(c.Pods) == 0 {
			return
		}
		chosen := rapid.IntRange(0, len(c.Pods)-1).Draw(t, "pod")
		list := toleration.Clone(c.Pods[chosen].Tolerations)
		for i := range list {
			if s := list[i].TolerationSeconds; s != nil {
				*s += int64(rapid.IntRange(0, 100).Draw(t, "more"))
			}
		}
		before := played(t, c)
		c.Pods[chosen].Tolerations = list
		after := played(t, c)
		for i := range c.Pods {
			x, y := leaves(&before.Pods[i]), leaves(&after.Pods[i])
			if i == chosen && y < x || i != chosen && y != x {
				t.Fatalf("pod %d of %d:\n%s\n%s", i, chosen, before.Sentence(int32(i)), after.Sentence(int32(i)))
			}
		}
	})
}

// Law: a lower rate never taints a node earlier, as long as the rate is that of normal
// zones and of those in full disruption only (rule C5), and no pod leaves earlier.
func TestLowerRateNeverTaintsEarlier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := simple(t)
		c.Config.Rate = rapid.Float32Range(0.02, 3).Draw(t, "fast")
		fast := played(t, c)
		c.Config.Rate *= rapid.Float32Range(0.1, 1).Draw(t, "factor")
		slow := played(t, c)
		for i := range c.Nodes {
			if fast.Nodes[i].Tainted > slow.Nodes[i].Tainted || fast.Nodes[i].Lost != slow.Nodes[i].Lost {
				t.Fatalf("%s: fast %+v, slow %+v", c.Nodes[i].Name, fast.Nodes[i], slow.Nodes[i])
			}
		}
		for i := range c.Pods {
			if leaves(&fast.Pods[i]) > leaves(&slow.Pods[i]) {
				t.Fatalf("%s\n%s", fast.Sentence(int32(i)), slow.Sentence(int32(i)))
			}
		}
	})
}

// Law: the order of pods and of silences does not matter, and two
// runs are equal.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := cluster(t)
		first, again := played(t, c), played(t, c)
		if !slices.Equal(first.Evicted, again.Evicted) || !slices.Equal(first.Events, again.Events) || !slices.Equal(first.Samples, again.Samples) {
			t.Fatal("two runs differ")
		}
		d := *c
		d.Pods, d.Outages = slices.Clone(c.Pods), slices.Clone(c.Outages)
		slices.Reverse(d.Pods)
		slices.Reverse(d.Outages)
		other := played(t, &d)
		for i := range c.Pods {
			x, y := first.Pods[i], other.Pods[len(c.Pods)-1-i]
			if x.Outcome != y.Outcome || x.Reason != y.Reason || x.At != y.At || x.Due != y.Due || x.Lost != y.Lost || x.Tainted != y.Tainted {
				t.Fatalf("%+v, %+v", x, y)
			}
		}
	})
}

// All nodes lost at once is the fault of the control plane: no node is tainted, and no pod
// leaves (rule C5). With one zone that is not lost they leave at the zones' rate.
func TestAllSilent(t *testing.T) {
	c := fleet(shapes[3], 100)
	got := played(t, c)
	if got.Nodes[0].Lost == timeline.Never || len(got.Evicted) != 0 {
		t.Errorf("%d evicted", len(got.Evicted))
	}
	for i := range got.Pods {
		if got.Pods[i].Outcome != timeline.Waiting {
			t.Fatalf("%s", got.Sentence(int32(i)))
		}
	}
	c.Outages = slices.DeleteFunc(c.Outages, func(s timeline.Outage) bool { return s.Node == c.Nodes[0].Name })
	got = played(t, c)
	// Nine zones are in full disruption and taint a node each 10 s: the last of ten waits
	// 90 s. The tenth has nine of ten silent, and no rate: it is small.
	if len(got.Evicted) != 9*10*9 {
		t.Errorf("%d evicted", len(got.Evicted))
	}
	for i, n := range got.Nodes {
		if late := n.Tainted - n.Lost; i%10 == 0 && n.Tainted != timeline.Never || i%10 > 0 && late != time.Duration(i/10)*10*time.Second {
			t.Errorf("%d: %+v", i, n)
		}
	}
}

// By hand: the last heartbeat at -3 s is found by the look at the start; 55 s later the
// node is lost and tainted; then the seconds count (rules C3, E2, E4).
func TestByHand(t *testing.T) {
	c := &timeline.Cluster{Start: epoch, Config: lifecycle.Defaults()}
	for _, name := range []string{"node-0", "node-1"} {
		c.Nodes = append(c.Nodes, timeline.Node{Name: name, State: lifecycle.Node{Zone: "a", Conditions: lifecycle.Healthy(), Heartbeat: epoch.Add(-3 * time.Second)}})
	}
	c.Outages = []timeline.Outage{{Node: "node-1", Until: epoch.Add(200 * time.Second)}}
	for _, text := range []string{"", "node.kubernetes.io/unreachable:NoExecute@30", "node.kubernetes.io/unreachable:NoExecute@300", "node.kubernetes.io/unreachable:NoExecute"} {
		list, err := notation.Tolerations(text)
		if err != nil {
			t.Fatal(err)
		}
		c.Pods = append(c.Pods, timeline.Pod{Name: "p", Node: "node-1", Tolerations: list})
	}
	c.Pods = append(c.Pods, timeline.Pod{Name: "a b", Node: "node-0"}, timeline.Pod{Name: "q", Node: "gone"})
	got := played(t, c)
	want := []string{
		"p on node-1 is evicted after 55s (lost after 55s, tainted after 55s); untolerated for node.kubernetes.io/unreachable:NoExecute",
		"p on node-1 is evicted after 1m25s (lost after 55s, tainted after 55s); time is up for node.kubernetes.io/unreachable:NoExecute, tolerated by node.kubernetes.io/unreachable:NoExecute@30",
		"p on node-1 stays: its eviction, due after 5m55s, is cancelled after 3m30s (lost after 55s, tainted after 55s); taints are gone for node.kubernetes.io/unreachable:NoExecute, tolerated by node.kubernetes.io/unreachable:NoExecute@300",
		"p on node-1 stays: it tolerates forever what its node has (lost after 55s, tainted after 55s)",
		`"a b" on node-0 stays: its node is not silent`,
		"q on gone stays: its node is unknown",
	}
	for i := range c.Pods {
		if s := got.Sentence(int32(i)); s != want[i] {
			t.Errorf("got  %s\nwant %s", s, want[i])
		}
	}
	if !slices.Equal(got.Evicted, []int32{0, 1}) {
		t.Errorf("evicted %v", got.Evicted)
	}
}

// What an own taint of a node does does not wait for a silence; under each policy.
func TestOwnTaints(t *testing.T) {
	for _, policy := range []match.EvictionPolicy{match.FirstMatch, match.MostLenient, match.SinceAdded} {
		c := &timeline.Cluster{Start: epoch, Config: lifecycle.Defaults(), Policy: policy}
		own := taint.Taint{Key: "own", Effect: taint.NoExecute, TimeAdded: &taint.Time{Time: epoch.Add(-time.Minute)}}
		c.Nodes = []timeline.Node{{Name: "node", State: lifecycle.Node{Conditions: lifecycle.Healthy()}, Taints: []taint.Taint{own}}}
		for _, s := range []int64{30, 90} {
			c.Pods = append(c.Pods, timeline.Pod{Node: "node", Tolerations: []toleration.Toleration{{Key: "own", Operator: toleration.OpExists, TolerationSeconds: &s}}})
		}
		got := played(t, c)
		if got.Pods[0].At != -30*time.Second || got.Pods[1].At != 30*time.Second {
			t.Errorf("%v: %+v", policy, got.Pods)
		}
	}
}
