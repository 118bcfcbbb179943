package index_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/fleet"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
)

// Whatever is done to the index, every snapshot gives the answers of match for
// the fleet as it was when the snapshot was taken.
func TestSnapshotsAgreeWithMatch(t *testing.T) {
	rapid.Check(t, checkModel)
}

func FuzzIndex(f *testing.F) {
	target.Fuzz(f, target.Rapid(checkModel))
}

// comparing is a cluster whose tolerations may have Gt and Lt: all count, as for match.
var comparing = fleet.Comparing

func checkModel(t *rapid.T) {
	m := &model{fleet.New(t)}
	t.Repeat(map[string]func(*rapid.T){
		"set":      m.set,
		"many":     m.setMany,
		"load":     m.load,
		"delete":   m.remove,
		"snapshot": func(*rapid.T) { m.Snapshot() },
		"fork":     m.fork,
		"fit":      m.ask,
		"pod":      m.addPod,
		"diff":     m.compareTwo,
	})
	m.Snapshot()
	m.ask(t)
	m.compareTwo(t)
}

// model draws what is done to a fleet.Model.
type model struct{ *fleet.Model }

var names = rapid.Map(rapid.IntRange(0, 20), func(i int) string { return fmt.Sprint("node-", i) })

func (m *model) set(t *rapid.T) {
	m.Set(names.Draw(t, "name"), matchtest.Taints().Draw(t, "taints"))
}

// setMany gives many nodes the same taints, so that lists outgrow shared pages.
func (m *model) setMany(t *rapid.T) {
	taints := matchtest.Taints().Draw(t, "taints")
	first := rapid.IntRange(0, 300).Draw(t, "first")
	for i := range rapid.IntRange(1, 150).Draw(t, "n") {
		m.Set(fmt.Sprint("pool-", first+i), taints)
	}
}

// load sets some nodes at once, some of them twice.
func (m *model) load(t *rapid.T) {
	pools := rapid.SliceOfN(matchtest.Taints(), 1, 4).Draw(t, "pools")
	m.Load(func(yield func(string, []taint.Taint) bool) {
		for range rapid.IntRange(0, 100).Draw(t, "n") {
			name := fmt.Sprint("pool-", rapid.IntRange(0, 300).Draw(t, "i"))
			if !yield(name, rapid.SampledFrom(pools).Draw(t, "taints")) {
				return
			}
		}
	})
}

func (m *model) remove(t *rapid.T) {
	name := names.Draw(t, "name")
	if len(m.Nodes) > 0 && rapid.Bool().Draw(t, "known") {
		name = m.draw(t)
	}
	m.Delete(name)
}

// draw draws one of the nodes that there are.
func (m *model) draw(t *rapid.T) string {
	return rapid.SampledFrom(slices.Sorted(maps.Keys(m.Nodes))).Draw(t, "node")
}

// fork goes on with a fork of an older snapshot.
func (m *model) fork(t *rapid.T) {
	if len(m.Taken) > 0 {
		m.Fork(&m.Taken[rapid.IntRange(0, len(m.Taken)-1).Draw(t, "from")])
	}
}

// taints returns those of some node, or none.
func (m *model) taints(t *rapid.T) []taint.Taint {
	if len(m.Nodes) == 0 {
		return nil
	}
	return m.Nodes[m.draw(t)]
}

// ask asks every snapshot about a pod that likely tolerates some node.
func (m *model) ask(t *rapid.T) {
	m.Ask(matchtest.Tolerations(m.taints(t)).Draw(t, "tolerations"))
}

// addPod adds such a pod.
func (m *model) addPod(t *rapid.T) {
	if list := matchtest.Tolerations(m.taints(t)).Draw(t, "pod"); m.Pods.Len() < 20 {
		m.Pods.Add(list)
	}
}

// compareTwo compares the difference of two snapshots with that of two maps.
func (m *model) compareTwo(t *rapid.T) {
	if n := len(m.Taken) - 1; n >= 0 {
		m.CompareTwo(&m.Taken[rapid.IntRange(0, n).Draw(t, "before")], &m.Taken[rapid.IntRange(0, n).Draw(t, "after")])
	}
}
