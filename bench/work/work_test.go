package work_test

import (
	"testing"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/bench/work"
	"github.com/tolero-dev/tolero/compile/index"
)

// All ways to the answer lead to the same one.
func TestEnginesAgree(t *testing.T) {
	for _, name := range scenario.Names() {
		maker, _ := scenario.Find(name)
		c := maker(1, 500, 200)
		s := work.Index(c.Nodes).Snapshot()
		var fit index.Fit
		want := work.ByMatch(c.Nodes, c.Pods)
		if got := work.ByIndex(s, &fit, c.Pods); got != want {
			t.Errorf("%s: ByIndex is %d, want %d", name, got, want)
		}
		if got := work.ByPodClass(s, &fit, c.Pods); got != want {
			t.Errorf("%s: ByPodClass is %d, want %d", name, got, want)
		}
	}
}

func TestGroupsAgree(t *testing.T) {
	c, groups := scenario.Pools(1, 500, 200), scenario.PoolGroups(1, 500, 200)
	ix := work.IndexOfGroups(groups.Nodes)
	var fit index.Fit
	if got, want := work.ByGroup(ix.Snapshot(), &fit, groups.Pods), work.ByMatch(c.Nodes, c.Pods); got != want || ix.Len() != 500 {
		t.Errorf("%d pairs of %d nodes, want %d", got, ix.Len(), want)
	}
}

func TestSample(t *testing.T) {
	pods := scenario.Pools(1, 0, 100).Pods
	if got := work.Sample(pods, 100); len(got) != 100 {
		t.Errorf("%d of 100 pods", len(got))
	}
	sample := work.Sample(pods, 4)
	for i, want := range []int{0, 25, 50, 75} {
		if sample[i].Name != pods[want].Name {
			t.Errorf("sample %d is %s, want %s", i, sample[i].Name, pods[want].Name)
		}
	}
	for nodes, want := range map[int]int{0: 100, 100_000: 50, 10_000_000: 20} {
		if got := work.SampleFor(nodes, pods); len(got) != want {
			t.Errorf("%d pods for %d nodes, want %d", len(got), nodes, want)
		}
	}
}
