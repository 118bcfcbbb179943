package main

import (
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/taint"
)

// cluster is a scheduler whose nodes and pods are written in short.
type cluster struct {
	*testing.T
	*twins
}

func newCluster(t *testing.T) *cluster { return &cluster{t, newTwins(t)} }

func (c *cluster) node(name, taints string, cpu int64) {
	list, err := taint.ParseList(taints)
	if err != nil {
		c.T.Fatal(err)
	}
	c.tell(setNode(nodeSpec{name: name, taints: list, capacity: cpu}))
}

func (c *cluster) pod(name, tolerations string, cpu int64) {
	list, err := notation.Tolerations(tolerations)
	if err != nil {
		c.T.Fatal(err)
	}
	c.tell(addPod(podSpec{name, list, cpu}))
}

func (c *cluster) wait(d time.Duration) {
	e := deletePod("none")
	e.wait = d
	c.tell(e)
}

// want fails unless pods are where they should be: "pod on node" or "pod pending".
func (c *cluster) want(pods ...string) {
	c.T.Helper()
	var got []string
	for name, p := range c.s.pods {
		got = append(got, name+" "+c.s.where(p))
	}
	slices.Sort(got)
	if !slices.Equal(got, pods) {
		c.T.Errorf("got %q, want %q", got, pods)
	}
}

// The scores of the default scheduler: an untolerated soft taint fewer is worth
// more than an empty node (rule F4), and of equal nodes the emptier one is better.
func TestScore(t *testing.T) {
	c := newCluster(t)
	c.node("many", "a=:PreferNoSchedule,b=:PreferNoSchedule", 1000)
	c.node("few", "a=:PreferNoSchedule", 100)
	c.pod("p", "", 99) // 3*0 + 90 and 3*50 + 1
	c.want("p on few")
	c.node("none", "", 10)
	c.node("other", "", 20)
	c.pod("q", "", 5)
	c.want("p on few", "q on other")
}

// The room of a single evicted pod goes to a pod that waited for room only.
func TestEvictionMakesRoom(t *testing.T) {
	c := newCluster(t)
	c.node("n", "", 10)
	c.pod("old", "", 10)
	c.pod("new", "x:NoExecute", 10)
	c.want("new pending", "old on n")
	c.node("n", "x=:NoExecute", 10)
	c.want("new on n", "old pending")
	if c.s.counts.wakeUps != 1 || c.s.counts.evicted != 1 {
		t.Errorf("counted %+v", c.s.counts)
	}
}

// A pod is evicted when the first limit that it got is over, unless the taint goes
// earlier (rules E2, E4, E5). A limit of zero counts too.
func TestLimits(t *testing.T) {
	c := newCluster(t)
	c.node("n", "", 10)
	c.pod("a", "x:NoExecute@0", 1)
	c.pod("b", "x:NoExecute@60,y:NoExecute@10", 1)
	c.pod("c", "x:NoExecute,y:NoExecute", 1)
	c.node("n", "x=:NoExecute", 10)
	c.want("a on n until 0s", "b on n until 1m0s", "c on n")
	c.wait(20 * time.Second)
	c.want("a on n until 20s", "b on n until 1m0s", "c on n") // left, and was bound again
	c.node("n", "x=:NoExecute,y=:NoExecute", 10)
	c.want("a pending", "b on n until 1m0s", "c on n")
	c.node("n", "", 10)
	c.want("a on n", "b on n", "c on n")
	c.wait(time.Hour)
	c.want("a on n", "b on n", "c on n")
}

// A node that lets a class in wakes as many of its pods as it has room for, in
// their turn, and skips one that is too large.
func TestWakesWhatFits(t *testing.T) {
	c := newCluster(t)
	c.pod("a", "", 6)
	c.pod("b", "", 6)
	c.pod("c", "x", 3)
	c.pod("d", "", 3)
	c.node("n", "", 10)
	c.want("a on n", "b pending", "c on n", "d pending")
	c.tell(deletePod("c"))
	c.want("a on n", "b pending", "d on n")
	if c.s.counts.wakeUps != 3 || c.s.counts.wakeAll != 4+2 {
		t.Errorf("counted %+v", c.s.counts)
	}
}

// The reasons are those of a scheduler: taints with any effect, the most frequent before the
// others.
func TestDiagnosis(t *testing.T) {
	c := newCluster(t)
	c.pod("p", "", 5)
	if got := c.why("p"); got != "0/0 nodes are available." {
		t.Error(got)
	}
	for i, taints := range []string{
		"c=:NoSchedule", "a=1:NoSchedule", "a=1:NoSchedule", "b=:NoSchedule", "b=:NoSchedule,a=1:NoSchedule", "a=1:NoExecute", "", "s=:PreferNoSchedule",
	} {
		c.node(string(rune('a'+i)), taints, 4)
	}
	want := "0/8 nodes are available: 3 node(s) had untolerated taint {a: 1}, 2 Insufficient cpu, 2 node(s) had untolerated taint {b: }, and 1 more."
	if got := c.why("p"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	c.compareReasons()
}

func (c *cluster) why(pod string) string {
	p := c.s.pods[pod]
	return c.s.diagnose(p.class, p.request).String()
}
