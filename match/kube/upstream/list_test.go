package upstream

import (
	"slices"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	v1helper "k8s.io/kubernetes/pkg/apis/core/v1/helper"
	upstream "k8s.io/kubernetes/pkg/util/taints"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/word"
	"github.com/tolero-dev/tolero/toleration"
)

// listUniverse is every list of up to three taints whose keys, values and
// effects often meet, and the taints to edit them with.
func listUniverse() (lists [][]taint.Taint, items []taint.Taint) {
	items = allTaints([]string{"a", "b"}, []string{"", "x"}, []taint.Effect{taint.NoSchedule, taint.NoExecute})
	return listsUpTo(3, items), items
}

// unique reports whether no two taints share key and effect (rule V1).
func unique(taints []taint.Taint) bool {
	for i := range taints {
		if _, found := taint.Find(taints[:i], &taints[i]); found {
			return false
		}
	}
	return true
}

// TestK3Upsert holds Upsert against AddOrUpdateTaint, for lists that are unique
// by key and effect.
func TestK3Upsert(t *testing.T) {
	comparisons := 0
	lists, items := listUniverse()
	for _, list := range lists {
		if !unique(list) {
			continue
		}
		for _, item := range items {
			compareUpsert(t, list, item)
			comparisons++
		}
	}
	t.Logf("%d lists compared", comparisons)
}

// TestK3UpsertGenerated does so for any words, and with TimeAdded.
func TestK3UpsertGenerated(t *testing.T) {
	first := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	times := []*taint.Time{nil, {Time: first}, {Time: first.In(time.FixedZone("", 3600))}, {Time: first.Add(time.Second)}}
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfNDistinct(rapid.OneOf(fewTaint, anyTaint), 0, 6, func(t taint.Taint) [2]string {
			return [2]string{t.Key, string(t.Effect)}
		}).Draw(t, "taints")
		for i := range list {
			list[i].TimeAdded = rapid.SampledFrom(times).Draw(t, "time")
		}
		item := anyTaint.Draw(t, "taint")
		if len(list) > 0 && rapid.Bool().Draw(t, "one of them") {
			item = rapid.SampledFrom(list).Draw(t, "which")
		}
		item.TimeAdded = rapid.SampledFrom(times).Draw(t, "time")
		compareUpsert(t, list, item)
	})
}

func compareUpsert(t rapid.TB, list []taint.Taint, item taint.Taint) {
	got, changed := taint.Upsert(nil, list, item)
	want, wantChanged := upstreamUpsert(t, list, item)
	if changed != wantChanged || !taint.Equal(got, want) {
		t.Fatalf("Upsert(%q, %q) = %q, %t, want %q, %t", list, item, got, changed, want, wantChanged)
	}
}

func upstreamUpsert(t rapid.TB, list []taint.Taint, item taint.Taint) ([]taint.Taint, bool) {
	x := kube.V1Taint(&item)
	node, updated, err := upstream.AddOrUpdateTaint(nodeWith(list), &x)
	if err != nil {
		t.Fatalf("AddOrUpdateTaint: %v", err)
	}
	return kube.AppendTaints(nil, node.Spec.Taints), updated
}

func nodeWith(taints []taint.Taint) *v1.Node {
	return &v1.Node{Spec: v1.NodeSpec{Taints: kube.AppendV1Taints(nil, taints)}}
}

// TestK3UpsertDifference shows both differences. On an invalid list, with
// several taints of that key and effect, upstream changes nothing if one of
// them is the new one already. And upstream tells a TimeAdded that points to the
// zero time from none, although it writes both as null.
func TestK3UpsertDifference(t *testing.T) {
	item := taint.MustParse("a=x:NoSchedule")
	list := []taint.Taint{taint.MustParse("a=y:NoSchedule"), item}
	if got, changed := upstreamUpsert(t, list, item); changed || !taint.Equal(got, list) {
		t.Errorf("upstream makes %q (changed: %t) of %q", got, changed, list)
	}
	if got, changed := taint.Upsert(nil, list, item); !changed || !taint.Equal(got, []taint.Taint{item, item}) {
		t.Errorf("Upsert makes %q (changed: %t) of %q", got, changed, list)
	}
	zero, list := item, list[1:]
	zero.TimeAdded = &taint.Time{}
	if _, changed := upstreamUpsert(t, list, zero); !changed {
		t.Error("upstream takes the zero time for none")
	}
	if _, changed := taint.Upsert(nil, list, zero); changed {
		t.Error("Upsert tells the zero time from none")
	}
}

// TestK3Remove holds Remove against DeleteTaint and RemoveTaint, RemoveKey
// against DeleteTaintsByKey, and Exists and KeyExists against their namesakes.
func TestK3Remove(t *testing.T) {
	lists, items := listUniverse()
	items = append(items, taint.Taint{Key: "c", Effect: taint.NoSchedule}, taint.Taint{Key: "a"}, taint.Taint{})
	for _, list := range lists {
		for _, item := range items {
			compareRemove(t, list, item)
		}
	}
	t.Logf("%d answers compared", 5*len(lists)*len(items))
}

// TestK3RemoveGenerated does so for any words.
func TestK3RemoveGenerated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		compareRemove(t, taintLists.Draw(t, "taints"), anyTaint.Draw(t, "taint"))
	})
}

func compareRemove(t rapid.TB, list []taint.Taint, item taint.Taint) {
	v1List, v1Item := kube.AppendV1Taints(nil, list), kube.V1Taint(&item)
	wantDeleted, want := upstream.DeleteTaint(v1List, &v1Item)
	if got, removed := taint.Remove(nil, list, item); removed != want || !sameTaints(got, wantDeleted) {
		t.Fatalf("Remove(%q, %q) = %q, %t, want %v, %t", list, item, got, removed, wantDeleted, want)
	}
	node, want, err := upstream.RemoveTaint(nodeWith(list), &v1Item)
	if got, removed := taint.Remove(nil, list, item); err != nil || removed != want || !sameTaints(got, node.Spec.Taints) {
		t.Fatalf("Remove(%q, %q) = %q, %t, want %v, %t, %v", list, item, got, removed, node.Spec.Taints, want, err)
	}
	wantDeleted, want = upstream.DeleteTaintsByKey(v1List, item.Key)
	if got, removed := taint.RemoveKey(nil, list, item.Key); removed != want || !sameTaints(got, wantDeleted) {
		t.Fatalf("RemoveKey(%q, %q) = %q, %t, want %v, %t", list, item.Key, got, removed, wantDeleted, want)
	}
	_, found := taint.Find(list, &item)
	if got, want := found, upstream.TaintExists(v1List, &v1Item); got != want {
		t.Fatalf("Exists(%q, %q) = %t, want %t", list, item, got, want)
	}
	if got, want := taint.KeyExists(list, item.Key), upstream.TaintKeyExists(v1List, item.Key); got != want {
		t.Fatalf("KeyExists(%q, %q) = %t, want %t", list, item.Key, got, want)
	}
}

func sameTaints(taints []taint.Taint, v1Taints []v1.Taint) bool {
	return taint.Equal(taints, kube.AppendTaints(nil, v1Taints))
}

// TestK3Difference holds Difference against both results of TaintSetDiff, and
// Matches and String against their namesakes of v1.Taint.
func TestK3Difference(t *testing.T) {
	_, items := listUniverse()
	lists := listsUpTo(2, items)
	for _, wanted := range lists {
		for _, present := range lists {
			compareDifference(t, wanted, present)
		}
	}
	for _, a := range items {
		for _, b := range items {
			x, y := kube.V1Taint(&a), kube.V1Taint(&b)
			if got, want := a.Matches(&b), x.MatchTaint(&y); got != want {
				t.Errorf("%q matches %q: %t, want %t", a, b, got, want)
			}
		}
	}
	t.Logf("%d answers compared", 2*len(lists)*len(lists)+len(items)*len(items))
}

// TestK3DifferenceGenerated does so for any words.
func TestK3DifferenceGenerated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		compareDifference(t, taintLists.Draw(t, "wanted"), taintLists.Draw(t, "present"))
		x := anyTaint.Draw(t, "taint")
		if y := kube.V1Taint(&x); bare(x.Key, x.Value, string(x.Effect)) && x.String() != y.ToString() {
			t.Fatalf("String() = %q, want %q", x, y.ToString())
		}
	})
}

// bare reports whether the key is not empty and no word has to be quoted, which
// upstream never does.
func bare(key string, words ...string) bool {
	for _, w := range append(words, key) {
		if word.Bare(w) < len(w) {
			return false
		}
	}
	return key != ""
}

func compareDifference(t rapid.TB, wanted, present []taint.Taint) {
	toAdd, toRemove := upstream.TaintSetDiff(kube.AppendV1Taints(nil, wanted), kube.AppendV1Taints(nil, present))
	if got := taint.Difference(nil, wanted, present); !sameTaints(got, dereference(toAdd)) {
		t.Fatalf("Difference(%q, %q) = %q, want %v", wanted, present, got, toAdd)
	}
	if got := taint.Difference(nil, present, wanted); !sameTaints(got, dereference(toRemove)) {
		t.Fatalf("Difference(%q, %q) = %q, want %v", present, wanted, got, toRemove)
	}
}

func dereference(taints []*v1.Taint) (list []v1.Taint) {
	for _, t := range taints {
		list = append(list, *t)
	}
	return list
}

// TestA6Matches holds Matches against MatchToleration, and against what
// AddOrUpdateTolerationInPodSpec takes for the same toleration. They differ only where an
// empty operator meets Equal.
func TestA6Matches(t *testing.T) {
	all := allTolerations(fewKeys, fewOperators, fewValues[:3], fewEffects[:2], secondsWords[:2])
	for i := range all {
		for j := range all {
			x, y := kube.V1Toleration(&all[i]), kube.V1Toleration(&all[j])
			got := all[i].Matches(&all[j])
			if x.Operator+y.Operator == v1.TolerationOpEqual { // one is empty
				if x.MatchToleration(&y) {
					t.Fatalf("%q and %q are the same for Kubernetes", all[i], all[j])
				}
				x.Operator = y.Operator
			}
			if want := x.MatchToleration(&y); got != want {
				t.Fatalf("%q matches %q: %t, want %t", all[i], all[j], got, want)
			}
			spec := v1.PodSpec{Tolerations: []v1.Toleration{x}}
			v1helper.AddOrUpdateTolerationInPodSpec(&spec, &y)
			if want := len(spec.Tolerations) == 1; got != want {
				t.Fatalf("%q matches %q: %t, but adding makes %v", all[i], all[j], got, spec.Tolerations)
			}
		}
	}
	t.Logf("%d answers compared", 2*len(all)*len(all))
}

// TestN4Active pins which operators the gate is about.
func TestN4Active(t *testing.T) {
	list := allTolerations([]string{"a"}, operatorWords, []string{"5"}, fewEffects[:1], secondsWords[:1])
	kept := toleration.Rules{}.Active(nil, list)
	for _, u := range list {
		x := kube.V1Toleration(&u)
		on, off := toleratesSome(&x, true), toleratesSome(&x, false)
		if dropped := !slices.Contains(kept, u); dropped != (on && !off) {
			t.Errorf("%q: dropped: %t; matches something with the gate on: %t, off: %t", u, dropped, on, off)
		}
	}
}

// toleratesSome reports whether x tolerates some taint a=4, a=5 or a=6.
func toleratesSome(x *v1.Toleration, gate bool) bool {
	return slices.ContainsFunc([]string{"4", "5", "6"}, func(value string) bool {
		return x.ToleratesTaint(quiet, &v1.Taint{Key: "a", Value: value}, gate)
	})
}
