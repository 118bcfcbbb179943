package compile_test

import (
	"runtime"
	"slices"
	"testing"
	"unsafe"
	"weak"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TestCompileAgain: a Matcher that is compiled again is as one that was never compiled.
func TestCompileAgain(t *testing.T) {
	single, err := toleration.ParseListLenient(smallTolerations)
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
			if again.String() != fresh.String() || again.Size() != fresh.Size() {
				t.Fatalf("%v: %d things to look at, want %d\n%v\nwant %v", list, again.Size(), fresh.Size(), &again, &fresh)
			}
		}
	}
}

// TestCompileActive: what does not count in the cluster is not there.
func TestCompileActive(t *testing.T) {
	all, err := toleration.ParseList("a>4,b,a<9,a=5")
	if err != nil {
		t.Fatal(err)
	}
	var v compile.Vocabulary
	v.Append(nil, smallTaints())
	var m, want compile.Matcher
	m.Compile(&v, all)
	for _, rules := range []toleration.Rules{{}, {Comparisons: true}, {}} {
		m.CompileActive(&v, rules, all)
		list := []toleration.Toleration{all[1], all[3]}
		if rules.Comparisons {
			list = all
		}
		want.Compile(&v, list)
		if !toleration.Equal(m.Tolerations(), list) || m.String() != want.String() {
			t.Errorf("%v: %v\n%v\nwant %v", rules, m.Tolerations(), &m, &want)
		}
	}
}

// TestCurrent: a Matcher is current for its vocabulary until that has a new taint.
func TestCurrent(t *testing.T) {
	var v, other compile.Vocabulary
	var m compile.Matcher
	if m.Current(nil) || m.Current(&v) {
		t.Error("the zero Matcher is current")
	}
	v.Append(nil, smallTaints()[:4])
	m.Compile(&v, nil)
	v.Append(nil, smallTaints()[:4])
	if !m.Current(&v) || m.Current(&other) || m.Current(nil) {
		t.Errorf("current: %t, for another: %t, for none: %t", m.Current(&v), m.Current(&other), m.Current(nil))
	}
	for _, x := range []taint.Taint{{Key: "new", Effect: taint.NoSchedule}, {Key: "new", Effect: "Odd"}} {
		m.Compile(&v, nil)
		ids := v.Append(nil, []taint.Taint{x})
		if m.Current(&v) {
			t.Errorf("current after %v", &x)
		}
		v.Release(ids)
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
