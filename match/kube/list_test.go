package kube_test

import (
	"slices"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The taint lists of a small universe and each item of it: the verbs do what those of
// package taint do, with a slice of their own and in place.
func TestTaintListsAgreeWithTaint(t *testing.T) {
	all := everyTaint()
	for i := range all[:6] {
		all = append(all, all[i])
		all[len(all)-1].TimeAdded = &metav1.Time{Time: time.Unix(int64(i/3), 0)}
	}
	all = append(all, v1.Taint{Key: "a", Effect: "NoSchedule", TimeAdded: &metav1.Time{}})
	for i, a := range all {
		for j, b := range all {
			list := []v1.Taint{a, {Key: "between"}, b}
			ours, other := kube.AppendTaints(nil, list), []v1.Taint{b, {Key: "between"}, a}
			for _, lists := range [][2][]v1.Taint{{list, list}, {list, other}, {list, list[:2]}, {nil, {}}, {{a}, {b}}} {
				if want := taint.Equal(kube.AppendTaints(nil, lists[0]), kube.AppendTaints(nil, lists[1])); kube.EqualTaints(lists[0], lists[1]) != want {
					t.Fatalf("EqualTaints(%v, %v) = %t", lists[0], lists[1], !want)
				}
			}
			for _, v1x := range []v1.Taint{a, all[(i+j)%len(all)]} {
				x := kube.Taint(&v1x)
				want, changed := taint.Upsert(nil, ours, x)
				got, did := kube.UpsertTaint(nil, list, v1x)
				checkTaints(t, "UpsertTaint", list, got, want, did, changed)
				got, did = kube.UpsertTaint(slices.Clone(list)[:0:3], list, v1x)
				checkTaints(t, "UpsertTaint with room", list, got, want, did, changed)
				want, changed = taint.Remove(nil, ours, x)
				got, did = kube.RemoveTaint(nil, list, v1x)
				checkTaints(t, "RemoveTaint", list, got, want, did, changed)
				in := slices.Clone(list)
				want, changed = taint.Remove(nil, ours, ours[2])
				got, did = kube.RemoveTaint(in[:0], in, in[2])
				checkTaints(t, "RemoveTaint in place", list, got, want, did, changed)
				want, changed = taint.RemoveKey(nil, ours, x.Key)
				got, did = kube.RemoveTaintKey(nil, list, x.Key)
				checkTaints(t, "RemoveTaintKey", list, got, want, did, changed)
			}
		}
	}
}

func checkTaints(t *testing.T, what string, list, got []v1.Taint, want []taint.Taint, did, changed bool) {
	t.Helper()
	if did != changed || !slices.Equal(kube.AppendTaints(nil, got), want) {
		t.Fatalf("%s of %v = %v, %t, want %v, %t", what, list, got, did, want, changed)
	}
}

// The same for tolerations and package toleration; and two lists have the same set,
// signature and grants if and only if they have there.
func TestTolerationListsAgreeWithToleration(t *testing.T) {
	all := everyToleration()
	for i := range all {
		all[i].TolerationSeconds = []*int64{nil, ptr(int64(0)), ptr(int64(60)), ptr(int64(60))}[i%4]
	}
	for i, a := range all {
		for j := i % 7; j < len(all); j += 7 {
			b, v1x := all[j], all[(i*5+j*3)%len(all)]
			list := []v1.Toleration{a, {Key: "between"}, b}
			ours, x := kube.AppendTolerations(nil, list), kube.Toleration(&v1x)
			for _, lists := range [][2][]v1.Toleration{{list, list}, {list, {b, {Key: "between"}, a}}, {list, list[:2]}, {nil, {}}, {{a}, {b}}} {
				if want := toleration.Equal(kube.AppendTolerations(nil, lists[0]), kube.AppendTolerations(nil, lists[1])); kube.EqualTolerations(lists[0], lists[1]) != want {
					t.Fatalf("EqualTolerations(%v, %v) = %t", lists[0], lists[1], !want)
				}
			}
			updated := a
			updated.TolerationSeconds = v1x.TolerationSeconds
			for _, v1x := range []v1.Toleration{updated, v1x} {
				want, changed := toleration.Upsert(nil, ours, kube.Toleration(&v1x))
				got, did := kube.UpsertToleration(nil, list, v1x)
				checkTolerations(t, "UpsertToleration", list, got, want, did, changed)
			}
			want, changed := toleration.Remove(nil, ours, x)
			got, did := kube.RemoveToleration(nil, list, v1x)
			checkTolerations(t, "RemoveToleration", list, got, want, did, changed)
			in := slices.Clone(list)
			want, changed = toleration.Remove(nil, ours, ours[2])
			got, did = kube.RemoveToleration(in[:0], in, in[2])
			checkTolerations(t, "RemoveToleration in place", list, got, want, did, changed)
		}
	}
}

func checkTolerations(t *testing.T, what string, list, got []v1.Toleration, want []toleration.Toleration, did, changed bool) {
	t.Helper()
	if did != changed || !slices.Equal(kube.AppendTolerations(nil, got), want) {
		t.Fatalf("%s of %v = %v, %t, want %v, %t", what, list, got, did, want, changed)
	}
}

func TestN4Meanings(t *testing.T) {
	seconds := int64(60)
	all := everyToleration()
	for i, a := range all {
		list := []v1.Toleration{a, all[i*7%len(all)]}
		list[1].TolerationSeconds = &seconds
		kept := slices.Clone(list)
		for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
			got, err := kube.TolerationMeaning(list, rules)
			want, invalid := toleration.NewMeaning(rules.Active(nil, kube.AppendTolerations(nil, list)))
			if (err == nil) != (invalid == nil) || err == nil && !got.Equal(want) || err != nil && err.Error() != invalid.Error() {
				t.Fatalf("TolerationMeaning(%v, %v) = %v, %v, want %v, %v", list, rules, got, err, want, invalid)
			}
		}
		if !slices.Equal(list, kept) {
			t.Fatalf("%v has become %v", kept, list)
		}
	}
}
