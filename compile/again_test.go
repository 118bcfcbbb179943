package compile_test

import (
	"runtime"
	"slices"
	"strconv"
	"testing"
	"unsafe"
	"weak"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TestCompileAgain: a Matcher that is compiled again is as one that was never compiled.
func TestCompileAgain(t *testing.T) {
	single, err := notation.Tolerations(smallTolerations)
	if err != nil {
		t.Fatal(err)
	}
	var v compile.Vocabulary
	v.Append(nil, smallTaints())
	var again compile.Matcher
	for i := range single {
		for j := range single {
			list := []toleration.Toleration{single[i], single[j]}[:1+j%2]
			var fresh compile.Matcher
			fresh.Compile(&v, list)
			again.Compile(&v, list)
			if !sameAnswers(&v, &again, &fresh) || again.Size() != fresh.Size() {
				t.Fatalf("%v: %d things to look at, want %d", list, again.Size(), fresh.Size())
			}
		}
	}
}

// sameAnswers reports whether two matchers answer alike for every taint in use.
func sameAnswers(v *compile.Vocabulary, a, b *compile.Matcher) bool {
	for _, id := range v.AppendIDs(nil, taint.AllEffects) {
		i, ok := a.FirstTolerating(id)
		j, want := b.FirstTolerating(id)
		if ok != want || i != j || a.Tolerates(id) != ok {
			return false
		}
	}
	return a.ToleratesAll(taint.AllEffects) == b.ToleratesAll(taint.AllEffects)
}

var comparisons = toleration.Rules{Comparisons: true}

// TestCompileByRules: without rules, and by the zero ones, Gt and Lt match nothing, but
// they are in the list and count in indexes.
func TestCompileByRules(t *testing.T) {
	all, err := toleration.ParseList("a>4,b,a<9,a=5")
	if err != nil {
		t.Fatal(err)
	}
	var v compile.Vocabulary
	v.Append(nil, smallTaints())
	var m compile.Matcher
	for _, rules := range [][]toleration.Rules{{comparisons}, nil, {comparisons}, {{}}} {
		m.Compile(&v, all, rules...)
		for _, id := range v.AppendIDs(nil, taint.AllEffects) {
			x, _ := v.Taint(id)
			got, ok := m.FirstTolerating(id)
			if want, wantOK := match.FirstTolerating(all, &x, rules...); got != want || ok != wantOK || m.Tolerates(id) != ok {
				t.Errorf("%v: %v is tolerated by %d, %t, want %d, %t", rules, x, got, ok, want, wantOK)
			}
		}
		if !toleration.Equal(m.Tolerations(), all) {
			t.Errorf("%v: %v", rules, m.Tolerations())
		}
	}
}

// TestCurrent: a Matcher is current for its vocabulary, and for forks of it, until a taint
// comes or goes.
func TestCurrent(t *testing.T) {
	var v, other compile.Vocabulary
	var m compile.Matcher
	if m.Current(&v) {
		t.Error("the zero Matcher is current")
	}
	v.Append(nil, smallTaints()[:4])
	m.Compile(&v, nil)
	v.Append(nil, smallTaints()[:4])
	if !m.Current(&v) || m.Current(&other) {
		t.Errorf("current: %t, for another: %t", m.Current(&v), m.Current(&other))
	}
	v.Append(nil, []taint.Taint{{Key: "known", Effect: taint.PreferNoSchedule}})
	for _, key := range []string{"new", "known"} {
		for _, effect := range []taint.Effect{taint.NoSchedule, taint.NoExecute, "Odd"} {
			m.Compile(&v, nil)
			ids := v.Append(nil, []taint.Taint{{Key: key, Effect: effect}})
			if m.Current(&v) {
				t.Errorf("current after %s:%s came", key, effect)
			}
			m.Compile(&v, nil)
			v.Release(ids)
			if m.Current(&v) {
				t.Errorf("current after %s:%s went", key, effect)
			}
		}
	}
}

// weakString is a string of which can be told whether anybody retains it.
func weakString() (string, weak.Pointer[[64]byte]) {
	text := new([64]byte)
	for i := range text {
		text[i] = 'a'
	}
	return unsafe.String(&text[0], len(text)), weak.Make(text)
}

// TestMatcherRetains: a Matcher retains nothing of the list before.
func TestMatcherRetains(t *testing.T) {
	var v compile.Vocabulary
	v.Append(nil, smallTaints())
	var m compile.Matcher
	var gone []weak.Pointer[[64]byte]
	func() {
		var list []toleration.Toleration
		for _, operator := range []toleration.Operator{toleration.OpEqual, toleration.OpEqual, toleration.OpExists} {
			key, weakKey := weakString()
			value, weakValue := weakString()
			gone = append(gone, weakKey, weakValue)
			switch len(list) {
			case 0:
				key = "" // the value is one under any key
			case 2:
				value = ""
			}
			list = append(list, toleration.Toleration{Key: key, Operator: operator, Value: value})
		}
		m.Compile(&v, list)
	}()
	m.Compile(&v, []toleration.Toleration{{Key: "a", Operator: toleration.OpExists}})
	runtime.GC()
	runtime.GC()
	if i := slices.IndexFunc(gone, func(p weak.Pointer[[64]byte]) bool { return p.Value() != nil }); i >= 0 {
		t.Errorf("string %d is retained", i)
	}
	runtime.KeepAlive(&m)
}

// TestVocabularyRetains: a Vocabulary retains no strings of taints that are gone.
func TestVocabularyRetains(t *testing.T) {
	var v compile.Vocabulary
	v.Append(nil, smallTaints())
	var gone []weak.Pointer[[64]byte]
	func() {
		for _, effect := range []taint.Effect{taint.NoSchedule, "Odd"} {
			key, weakKey := weakString()
			value, weakValue := weakString()
			gone = append(gone, weakKey, weakValue)
			v.Release(v.Append(nil, []taint.Taint{{Key: key, Value: value, Effect: effect}}))
		}
	}()
	runtime.GC()
	runtime.GC()
	if i := slices.IndexFunc(gone, func(p weak.Pointer[[64]byte]) bool { return p.Value() != nil }); i >= 0 {
		t.Errorf("string %d is retained", i)
	}
	runtime.KeepAlive(&v)
}

// TestCurrentOfForks: two forks that were given as many taints, one after the other at one
// address, are two vocabularies.
func TestCurrentOfForks(t *testing.T) {
	var a compile.Vocabulary
	a.Append(nil, smallTaints()[:2])
	b := a.Fork()
	x := taint.Taint{Key: "x", Effect: taint.NoSchedule}
	y := taint.Taint{Key: "y", Effect: taint.NoSchedule}
	a.Append(nil, []taint.Taint{x})
	b.Append(nil, []taint.Taint{y})

	var m compile.Matcher
	current := a.Fork()
	m.Compile(&current, []toleration.Toleration{{Key: "x", Operator: toleration.OpExists}})
	if !m.Current(&a) || !m.Current(&current) {
		t.Error("not current for the vocabulary and its fork")
	}
	current = b.Fork()
	if m.Current(&current) || m.Current(&b) {
		t.Error("current for another fork")
	}
	if id, _ := current.ID(&y); m.Tolerates(id) {
		t.Error("the taint of another fork is tolerated")
	}
}

// TestSetOfUnknown: a TaintSet says the same of a position that it does not have, whoever
// asks: it is refused only with effects that are asked for and not tolerated wholesale.
func TestSetOfUnknown(t *testing.T) {
	var v compile.Vocabulary
	for _, effect := range []taint.Effect{"", taint.NoSchedule} {
		var m compile.Matcher
		m.Compile(&v, []toleration.Toleration{{Operator: toleration.OpExists, Effect: effect}})
		set := m.Set()
		fork := v.Fork()
		ids := fork.Append(nil, smallTaints())
		for i, id := range ids {
			for effects := range taint.AllEffects + 1 {
				_, refused := set.FirstUntolerated(ids[i:i+1], effects&^taint.OtherEffects)
				if want := id.Effects()&effects&^taint.OtherEffects != 0 && !set.Has(id); refused != want {
					t.Errorf("%v, of %v: refused %t, want %t", id.Effects(), effects, refused, want)
				}
			}
		}
	}
}

// TestSetCostsCompileNothing: to compile again after Set clears what the list tolerated, not
// what the set had.
func TestSetCostsCompileNothing(t *testing.T) {
	var v compile.Vocabulary
	for i := range 1000 {
		v.Append(nil, []taint.Taint{{Key: "k", Value: strconv.Itoa(i), Effect: taint.NoSchedule}})
	}
	var m compile.Matcher
	m.Compile(&v, []toleration.Toleration{{Key: "k", Operator: toleration.OpExists}})
	before := m.Size()
	if m.Set(); m.Size() != before {
		t.Errorf("%d things to clear after Set, want %d", m.Size(), before)
	}
}
