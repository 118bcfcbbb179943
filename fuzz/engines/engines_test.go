// Package engines compares all engines of the library with each other on the same
// question: the canonical functions of package match, the compiled Matcher, the fleet
// index, and its reverse.
package engines

import (
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/fuzz/input"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// comparing are the rules of a cluster with Gt and Lt.
var comparing = toleration.Rules{Comparisons: true}

// FuzzEngines asks every engine what a toleration list means to a taint list.
func FuzzEngines(f *testing.F) {
	// Two taints, one of them tolerated by Exists.
	f.Add([]byte{2, 0, 1, 0, 4, 0, 1, 1, 0, 0, 0, 11})
	// A number above a bound.
	f.Add([]byte{1, 6, 6, 0, 1, 6, 3, 0, 5, 11})
	// Two tolerations of one NoExecute taint, with different seconds.
	f.Add([]byte{1, 0, 1, 1, 2, 0, 0, 1, 1, 0, 1, 1, 1, 3})
	// All effects of one key, and the toleration that is just Exists.
	f.Add([]byte{3, 0, 0, 0, 0, 0, 1, 0, 0, 2, 1, 7, 0, 3, 11})
	// An unknown effect on both sides.
	f.Add([]byte{1, 0, 1, 4, 1, 0, 1, 4, 1, 11})
	// Keys and values of their own.
	f.Add([]byte{1, 8, 2, 'a', 'b', 14, 1, 'c', 0, 1, 8, 2, 'a', 'b', 1, 0, 14, 1, 'c', 11})
	target.Fuzz(f, func(t *testing.T, data []byte) {
		b := input.New(data)
		taints, tolerations := b.Taints(), b.Tolerations()
		before := b.Taints()
		compareMatcher(t, taints, tolerations)
		compareIndex(t, taints, tolerations)
		compareReverse(t, before, taints, tolerations)
	})
}

func compareMatcher(t *testing.T, taints []taint.Taint, tolerations []toleration.Toleration) {
	var v compile.Vocabulary
	var early, m compile.Matcher
	early.Compile(&v, tolerations, comparing) // before it has seen any taint
	ids := v.Append(nil, taints)
	m.Compile(&v, tolerations, comparing)
	for _, m := range []*compile.Matcher{&early, &m} {
		if got, want := m.Decide(ids), match.Decide(taints, tolerations, comparing); got != want {
			t.Errorf("%s, pod %s: Matcher decides %v, want %v", taint.FormatList(taints), toleration.FormatList(tolerations), got, want)
		}
		left := v.AppendTaints(nil, m.Filter(nil, ids, taint.AllEffects))
		if want := match.Filter(nil, taints, tolerations, taint.AllEffects, comparing); !slices.Equal(left, want) {
			t.Errorf("%s, pod %s: Matcher leaves %v, want %v", taint.FormatList(taints), toleration.FormatList(tolerations), left, want)
		}
		for i := range taints {
			want := match.Tolerates(tolerations, &taints[i], comparing)
			if spec := matchtest.Spec(comparing)(tolerations).Tolerates(&taints[i]); spec != want || m.Tolerates(ids[i]) != want {
				t.Errorf("%v, pod %s: specification %v, match %v, Matcher %v", taints[i], toleration.FormatList(tolerations), spec, want, m.Tolerates(ids[i]))
			}
		}
	}
}

func compareIndex(t *testing.T, taints []taint.Taint, tolerations []toleration.Toleration) {
	ix := index.New(toleration.Rules{Comparisons: true})
	ix.Set("clean", nil)
	id := ix.Set("node", taints)
	s := ix.Snapshot()
	var fit index.Fit
	s.FitList(&fit, tolerations)
	class := s.Class(id)
	first, refused := match.FirstUntolerated(taints, tolerations, taint.Hard, comparing)
	if fit.Has(id) == refused || fit.HasClass(class) == refused || fit.CountUntolerated(class, taint.Soft) != match.CountUntolerated(taints, tolerations, taint.Soft, comparing) {
		t.Errorf("%s, pod %s: the index has it %v, score %d", taint.FormatList(taints), toleration.FormatList(tolerations), fit.Has(id), fit.CountUntolerated(class, taint.Soft))
	}
	reasons := fit.AppendReasons(nil, -1)
	if refused != (len(reasons) == 1) || refused && (reasons[0].Nodes != 1 || reasons[0].Taint != taints[first]) {
		t.Errorf("%s, pod %s: the index gives as reasons %v", taint.FormatList(taints), toleration.FormatList(tolerations), reasons)
	}
	after, evicted := fit.EvictionDelay(class)
	if wantAfter, want := match.EvictionDelay(taints, tolerations, comparing); after != wantAfter || evicted != want {
		t.Errorf("%s, pod %s: the index evicts %v after %v, want %v after %v", taint.FormatList(taints), toleration.FormatList(tolerations), evicted, after, want, wantAfter)
	}
}

func compareReverse(t *testing.T, before, after []taint.Taint, tolerations []toleration.Toleration) {
	pods := index.NewPods(toleration.Rules{Comparisons: true})
	var change index.Impact
	pods.Add(nil) // another class, which must not matter
	class := pods.Add(tolerations)
	pods.NodeUpdated(&change, before, after)
	_, refusedBefore := match.FirstUntolerated(before, tolerations, taint.Hard, comparing)
	_, refusedAfter := match.FirstUntolerated(after, tolerations, taint.Hard, comparing)
	_, evictedBefore := match.FirstUntolerated(before, tolerations, taint.Evicting, comparing)
	_, evictedAfter := match.FirstUntolerated(after, tolerations, taint.Evicting, comparing)
	nowFit := slices.Contains(slices.Collect(change.NowFit()), class)
	fitNoMore := slices.Contains(slices.Collect(change.FitNoMore()), class)
	mustLeave := slices.Contains(slices.Collect(change.MustLeave()), class)
	if nowFit != (refusedBefore && !refusedAfter) || fitNoMore != (!refusedBefore && refusedAfter) || mustLeave != (!evictedBefore && evictedAfter) {
		t.Errorf("from %s to %s, pod %s: fits now %v, no more %v, must leave %v", taint.FormatList(before), taint.FormatList(after),
			toleration.FormatList(tolerations), nowFit, fitNoMore, mustLeave)
	}
}
