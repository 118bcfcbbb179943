package budget

import (
	"testing"
	"time"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/bench/work"
	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// operation is a row of the table. do reports whether it did what is measured.
type operation struct {
	name   string
	budget float64
	do     func() bool
}

// table has the rows, by package. They are made anew for each test, so that one
// does not meet what another left behind.
var table = []struct {
	name       string
	operations func(testing.TB) []operation
}{
	{"taint", ofTaint}, {"toleration", ofToleration}, {"match", ofMatch}, {"compile", ofCompile}, {"index", ofIndex},
}

// A node and a pod that lead through every rule: a taint that is tolerated by
// the last toleration, comparisons of what is no integer, seconds, and one of
// each effect.
const (
	nodeText = "a=1:NoSchedule,b=x:NoExecute,c=3:PreferNoSchedule,d=99999999999999999999:NoExecute"
	podText  = "z,a>0,b>5,b=x:NoExecute@300,d<5,d:NoExecute@60"
)

func lists(t testing.TB) ([]taint.Taint, []toleration.Toleration) {
	taints, err := taint.ParseList(nodeText)
	if err != nil {
		t.Fatal(err)
	}
	tolerations, err := notation.Tolerations(podText)
	if err != nil {
		t.Fatal(err)
	}
	return taints, tolerations
}

// comparing are the rules of a cluster with Gt and Lt.
var comparing = toleration.Rules{Comparisons: true}

func ofTaint(t testing.TB) []operation {
	taints, _ := lists(t)
	room, bytes := make([]taint.Taint, 0, 8), make([]byte, 0, 256)
	added := taint.MustParse("e=1:NoSchedule")
	change, err := taint.ParseChange("e=1:NoSchedule", "b-")
	if err != nil {
		t.Fatal(err)
	}
	return []operation{
		{"Find", 0, func() bool { _, found := taint.Find(taints, &taints[2]); return found }},
		{"Equal", 0, func() bool { return taint.Equal(taints, taints) }},
		{"Upsert", 0, func() bool { list, changed := taint.Upsert(room, taints, added); return changed && len(list) == 5 }},
		{"Difference", 0, func() bool { return len(taint.Difference(room, taints, taints[:1])) == 3 }},
		{"Change.Apply", 0, func() bool { list, err := change.Apply(room, taints, false); return err == nil && len(list) == 4 }},
		{"AppendList", 0, func() bool { return string(taint.AppendList(bytes, taints)) == nodeText }},
		{"Parse", 0, func() bool { _, err := taint.Parse("a=b:NoSchedule"); return err == nil }},
		{"ParseList", 1, func() bool { list, err := taint.ParseList(nodeText); return err == nil && len(list) == 4 }},
	}
}

func ofToleration(t testing.TB) []operation {
	taints, tolerations := lists(t)
	room, bytes := make([]toleration.Toleration, 0, 8), make([]byte, 0, 256)
	last := &tolerations[5]
	m, err := toleration.NewMeaning(tolerations)
	if err != nil {
		t.Fatal(err)
	}
	return []operation{
		{"Tolerates", 0, func() bool { return last.Tolerates(&taints[3], comparing) }},
		{"Equal", 0, func() bool { return last.Equal(last) }},
		{"UpstreamIsSuperset", 0, func() bool { return !admit.UpstreamIsSuperset(last, &tolerations[0]) }},
		{"Rules.Active", 0, func() bool { return len(toleration.Rules{}.Active(room, tolerations)) == 3 }},
		{"Meaning.Level", 0, func() bool {
			return (m.Level(&taints[0]) != toleration.NotTolerated) == match.Tolerates(tolerations, &taints[0], comparing)
		}},
		{"Meaning.Allows", 0, func() bool { _, ok := m.Allows(&tolerations[0]); return ok }},
		{"AppendList", 0, func() bool { return string(toleration.AppendList(bytes, tolerations)) == podText }},
	}
}

func ofMatch(t testing.TB) []operation {
	taints, tolerations := lists(t)
	room, counts := make([]taint.Taint, 0, 8), make([]int64, 3)
	return []operation{
		{"Tolerates", 0, func() bool { return match.Tolerates(tolerations, &taints[3], comparing) }},
		{"FirstTolerating", 0, func() bool { i, _ := match.FirstTolerating(tolerations, &taints[3], comparing); return i == 5 }},
		{"Filter", 0, func() bool { return len(match.Filter(room, taints, tolerations, taint.AllEffects, comparing)) == 1 }},
		{"FirstUntolerated", 0, func() bool {
			_, found := match.FirstUntolerated(taints, tolerations, taint.Hard, comparing)
			return !found
		}},
		{"Decide", 0, func() bool { return match.Decide(taints, tolerations, comparing).Scheduling == match.Avoid }},
		{"CountUntolerated", 0, func() bool { return match.CountUntolerated(taints, tolerations, taint.Soft, comparing) == 1 }},
		{"NormalizeScores", 0, func() bool { match.NormalizeScores(counts); return counts[0] == 100 || counts[0] == 0 }},
		{"EvictionDelay", 0, func() bool {
			after, _ := match.EvictionDelay(taints, tolerations, comparing)
			return after == time.Minute
		}},
		{"Delay", 0, func() bool {
			_, evicted := match.SinceAdded.Delay(taints, tolerations, time.Unix(1, 0), comparing)
			return evicted
		}},
		{"KubeletAdmits", 0, func() bool { return match.KubeletAdmits(taints, tolerations, comparing) }},
		{"Cordoned", 0, func() bool { return match.Cordoned(tolerations) }},
	}
}

func ofCompile(t testing.TB) []operation {
	taints, tolerations := lists(t)
	var v compile.Vocabulary
	var m compile.Matcher
	ids := v.Append(nil, taints)
	m.Compile(&v, tolerations, comparing)
	set, room := m.Set(), make([]compile.TaintID, 0, 8)
	return []operation{
		{"Vocabulary.Append, Release", 0, func() bool { room = v.Append(room[:0], taints); v.Release(room); return len(room) == 4 }},
		{"Vocabulary.ID", 0, func() bool { id, ok := v.ID(&taints[1]); return ok && id == ids[1] }},
		{"Matcher.Compile", 0, func() bool { m.Compile(&v, tolerations, comparing); return m.Tolerates(ids[3]) }},
		{"Matcher.Set", 0, func() bool { set = m.Set(); return set.Has(ids[3]) }},
		{"Tolerates", 0, func() bool { return m.Tolerates(ids[3]) }},
		{"FirstTolerating", 0, func() bool { i, _ := m.FirstTolerating(ids[3]); return i == 5 }},
		{"Filter", 0, func() bool { return len(m.Filter(room[:0], ids, taint.AllEffects)) == 1 }},
		{"FirstUntolerated", 0, func() bool { _, found := m.FirstUntolerated(ids, taint.Hard); return !found }},
		{"Decide", 0, func() bool { return m.Decide(ids).Scheduling == match.Avoid }},
		{"CountUntolerated", 0, func() bool { return m.CountUntolerated(ids, taint.Soft) == 1 }},
		{"EvictionDelay", 0, func() bool { after, _ := m.EvictionDelay(ids); return after == time.Minute }},
	}
}

// ofIndex asks about a fleet in the steady state: every list that a node gets is
// that of another node too, and what is filled has served before.
func ofIndex(t testing.TB) []operation {
	c := scenario.Pools(1, 2000, 100)
	ix := work.Index(c.Nodes)
	s := ix.Snapshot()
	var fit index.Fit
	var pods index.Pods
	for i := range c.Pods {
		s.FitList(&fit, c.Pods[i].Tolerations)
		pods.Add(c.Pods[i].Tolerations)
	}
	words, reasons := make([]uint64, 0, 1000), make([]index.Reason, 0, 1000)
	id, _ := ix.ID(c.Nodes[7].Name)
	turn := 0
	next := func(n int) int { turn++; return turn % n }
	return []operation{
		{"Snapshot.FitList", 0, func() bool { s.FitList(&fit, c.Pods[next(100)].Tolerations); return fit.Len() > 0 }},
		{"Fit.Has", 0, func() bool { return fit.Has(id) || !fit.Has(index.NodeID{}) }},
		{"Fit.HasClass", 0, func() bool { return fit.HasClass(s.Class(id)) == fit.Has(id) }},
		{"Fit.CountUntolerated", 0, func() bool { return fit.CountUntolerated(s.Class(id), taint.Soft) >= 0 }},
		{"Fit.EvictionDelay", 0, func() bool { after, evicted := fit.EvictionDelay(s.Class(id)); return after >= 0 || evicted }},
		{"Fit.AppendWords", 0, func() bool { return len(fit.AppendWords(words)) >= 2000/64 }},
		{"Fit.AppendReasons", 0, func() bool { return len(fit.AppendReasons(reasons, -1)) > 0 }},
		{"Fit.Nodes", 0, func() bool { return countNodes(&fit) == fit.Len() }},
		{"Pods.Add, known list", 0, func() bool { return pods.Add(c.Pods[next(100)].Tolerations) != 0 }},
		{"Index.Set, known list", 0, func() bool {
			return ix.Set(c.Nodes[0].Name, c.Nodes[next(2)].Taints) != index.NodeID{}
		}},
		{"Index.Set and Snapshot", 20, func() bool {
			ix.Set(c.Nodes[0].Name, c.Nodes[next(2)].Taints)
			return ix.Snapshot().Len() == 2000
		}},
	}
}

func countNodes(fit *index.Fit) (n int) {
	for range fit.Nodes() {
		n++
	}
	return n
}
