package compile_test

import (
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// smallTaints returns taints of two keys with three values and four effects.
func smallTaints() (all []taint.Taint) {
	for _, key := range []string{"a", "b"} {
		for _, value := range []string{"", "5", "x"} {
			for _, effect := range []taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, "Odd"} {
				all = append(all, taint.Taint{Key: key, Value: value, Effect: effect})
			}
		}
	}
	return all
}

// smallTolerations are of every form, some with seconds.
const smallTolerations = "*,*:NoExecute@300,*:PreferNoSchedule,*=x,*=x:NoExecute@7,*>4,*<5,a,a:NoSchedule,a:NoExecute@9,a=5,a=x:NoExecute@10,a=:NoExecute@0,a>4,a>5,a<6:NoExecute@20,b=x@-1,b=5,b<5,b:NoExecute,c,a>-1:NoExecute@6,*=5:NoExecute@8,a:NoExecute@9223372036,a:NoExecute@9223372037"

// TestSmallLists compiles every list of two tolerations, with all taints, some or none in the
// vocabulary at that time. It then asks every question about one taint and about two.
func TestSmallLists(t *testing.T) {
	single, err := notation.Tolerations(smallTolerations)
	if err != nil {
		t.Fatal(err)
	}
	single = append(single, toleration.Toleration{Key: "a", Operator: toleration.OpExists, Effect: "Odd"})
	taints := smallTaints()
	for _, before := range []int{0, len(taints) / 2, len(taints)} {
		var m compile.Matcher
		for i := range single {
			for j := range single {
				list := []toleration.Toleration{single[i], single[j]}
				var v compile.Vocabulary
				ids := v.Append(nil, taints[:before])
				m.Compile(&v, list, comparisons)
				ids = v.Append(ids, taints[before:])
				checkSmall(t, &m, taints, ids)
				checkSmallSet(t, &m, taints, ids)
				checkSmall(t, &m, taints, ids)
			}
		}
	}
}

func checkSmall(t *testing.T, m *compile.Matcher, taints []taint.Taint, ids []compile.TaintID) {
	t.Helper()
	list := m.Tolerations()
	for effects := range taint.AllEffects + 1 {
		if got, want := m.ToleratesAll(effects), toleratesAny(list, effects); got != want {
			t.Fatalf("%v tolerates all with %v: %t", list, effects, got)
		}
		var want []compile.TaintID
		for i := range taints {
			if effects.Has(taints[i].Effect) && match.Tolerates(list, &taints[i], comparisons) {
				want = append(want, ids[i])
			}
		}
		got := m.AppendTolerated([]compile.TaintID{7}, effects)
		slices.Sort(got[1:])
		if slices.Sort(want); got[0] != 7 || !slices.Equal(got[1:], want) {
			t.Fatalf("%v tolerates, of %v, %#x, want %#x", list, effects, got, want)
		}
	}
	for i := range taints {
		x := &taints[i]
		if got, want := m.Tolerates(ids[i]), match.Tolerates(list, x, comparisons); got != want {
			t.Fatalf("%v tolerates %v: %t", list, x, got)
		}
		gotIndex, got := m.FirstTolerating(ids[i])
		if wantIndex, want := match.FirstTolerating(list, x, comparisons); gotIndex != wantIndex || got != want {
			t.Fatalf("%v, %v: first %d, %t, want %d, %t", list, x, gotIndex, got, wantIndex, want)
		}
		for _, j := range []int{0, 1, 2, 10} { // after one of each effect, and of another value
			two, asked := []taint.Taint{taints[j], *x}, []compile.TaintID{ids[j], ids[i]}
			if got, want := m.Decide(asked), match.Decide(two, list, comparisons); got != want {
				t.Fatalf("%v, %v: %v, want %v", list, two, got, want)
			}
			gotAfter, got := m.EvictionDelay(asked)
			wantAfter, want := match.FirstMatch.Delay(two, list, time.Time{}, comparisons)
			if got != want || gotAfter != wantAfter {
				t.Fatalf("%v, %v: evicted after %v, %t, want %v, %t", list, two, gotAfter, got, wantAfter, want)
			}
		}
	}
}

// toleratesAny reports whether a list tolerates what no list names, with each of the effects.
func toleratesAny(list []toleration.Toleration, effects taint.EffectSet) bool {
	for _, effect := range []taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, "unknown"} {
		if effects.Has(effect) && !match.Tolerates(list, &taint.Taint{Key: "unknown", Value: "unknown", Effect: effect}, comparisons) {
			return false
		}
	}
	return true
}

func checkSmallSet(t *testing.T, m *compile.Matcher, taints []taint.Taint, ids []compile.TaintID) {
	t.Helper()
	list, set := m.Tolerations(), m.Set()
	for i := range taints {
		x := &taints[i]
		want := match.Tolerates(list, x, comparisons)
		if !x.Effect.Known() {
			want = match.Tolerates(list, &taint.Taint{Key: "unknown", Effect: "unknown"}, comparisons)
		}
		if got := set.Has(ids[i]); got != want {
			t.Fatalf("the set of %v has %v: %t", list, x, got)
		}
		for effects := range taint.OtherEffects {
			at, got := set.FirstUntolerated(ids[i:i+1], effects)
			if _, want := match.FirstUntolerated(taints[i:i+1], list, effects, comparisons); got != want || at != 0 {
				t.Fatalf("the set of %v, %v: %d, %t, want %t", list, x, at, got, want)
			}
		}
	}
}

// TestGoneTaints: an ID of a taint that is gone decides nothing, and those after it count.
func TestGoneTaints(t *testing.T) {
	list, err := notation.Tolerations("*:NoExecute@300,a:NoExecute@5")
	if err != nil {
		t.Fatal(err)
	}
	list[0], list[1] = list[1], list[0]
	var v compile.Vocabulary
	ids := v.Append(nil, []taint.Taint{{Key: "gone", Effect: taint.NoExecute}, {Key: "b", Effect: taint.NoExecute}, {Key: "a", Effect: taint.NoExecute}})
	v.Release(ids[:1])
	var m compile.Matcher
	m.Compile(&v, list, comparisons)
	for n, want := range map[int]time.Duration{1: 0, 2: 300 * time.Second, 3: 5 * time.Second} {
		if after, evicted := m.EvictionDelay(ids[:n]); after != want || evicted != (n > 1) {
			t.Errorf("the first %d: %v, %t, want %v", n, after, evicted, want)
		}
	}
	if i, ok := m.FirstTolerating(ids[0]); ok || i != 0 {
		t.Errorf("%d, %t", i, ok)
	}
}

// TestZeroMatcher: a Matcher that was not compiled tolerates nothing.
func TestZeroMatcher(t *testing.T) {
	var m compile.Matcher
	var v compile.Vocabulary
	ids := v.Append(nil, smallTaints())
	set := m.Set()
	for _, id := range ids {
		if m.Tolerates(id) || set.Has(id) {
			t.Errorf("%#x is tolerated", id)
		}
		if i, ok := m.FirstTolerating(id); i != 0 || ok {
			t.Errorf("%#x is tolerated by %d", id, i)
		}
	}
	for effects := range taint.AllEffects + 1 {
		i, ok := m.FirstUntolerated(ids, effects)
		j, inSet := set.FirstUntolerated(ids[:4], effects)
		if ok != (effects != 0) || effects != 0 && !effects.Has(smallTaints()[i].Effect) {
			t.Errorf("%v: %d, %t", effects, i, ok)
		}
		if effects&taint.OtherEffects == 0 && effects != 0 && (!inSet || j > i) {
			t.Errorf("%v: %d, %t", effects, j, inSet)
		}
		if got := m.AppendTolerated(nil, effects); len(got) != 0 || m.ToleratesAll(effects) != (effects == 0) {
			t.Errorf("%v: %#x are tolerated; all: %t", effects, got, m.ToleratesAll(effects))
		}
	}
}

// TestSetFollows: a set that is asked for again has the taints that came since.
func TestSetFollows(t *testing.T) {
	list, err := toleration.ParseList("a")
	if err != nil {
		t.Fatal(err)
	}
	var v compile.Vocabulary
	var m compile.Matcher
	m.Compile(&v, list, comparisons)
	for i, key := range []string{"a", "b", "a", "b"} {
		id := v.Append(nil, []taint.Taint{{Key: key, Value: string(rune('0' + i)), Effect: taint.NoSchedule}})[0]
		for range 2 {
			if set := m.Set(); set.Has(id) != (key == "a") {
				t.Errorf("%d: the set has %s: %t", i, key, set.Has(id))
			}
		}
	}
}
