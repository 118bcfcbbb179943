package toleration_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func eachWorld(t *testing.T, run func(t *testing.T, w *world)) {
	for name, text := range worlds {
		t.Run(name, func(t *testing.T) { run(t, newWorld(t, text)) })
	}
}

// depth returns short for short tests, else long.
func depth(long, short int) int {
	if testing.Short() {
		return short
	}
	return long
}

// A set has exactly the taints that its list tolerates, and lists have equal sets,
// texts and signatures exactly if they tolerate the same taints.
func TestSetIsExact(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		byMembers := map[string]*subject{}
		bySignature := map[string]*subject{}
		byText := map[string]*subject{}
		subjects := w.subjects(depth(4, 3))
		for i := range subjects {
			s := &subjects[i]
			checkMembers(t, w, s)
			twin := orNew(byMembers, s.members.name(), s)
			if !s.set.Equal(twin.set) || !s.set.Covers(twin.set) || !twin.set.Covers(s.set) {
				t.Fatalf("%q and %q have different sets, %q and %q", twin.list, s.list, twin.set, s.set)
			}
			if orNew(bySignature, string(s.set.AppendSignature(nil)), s) != twin || orNew(byText, s.set.String(), s) != twin {
				t.Fatalf("%q: signature or text is not that of %q", s.list, twin.list)
			}
		}
		if len(byMembers) != len(bySignature) || len(byMembers) != len(byText) {
			t.Errorf("%d sets, %d signatures, %d texts", len(byMembers), len(bySignature), len(byText))
		}
		t.Logf("%d lists, %d sets, %d taints", len(subjects), len(byMembers), len(w.taints))
	})
}

func checkMembers(t rapid.TB, w *world, s *subject) {
	t.Helper()
	for i := range w.taints {
		if got := s.set.Contains(&w.taints[i]); got != s.members.has(i) {
			t.Fatalf("%q: contains %v: %v", s.list, w.taints[i], got)
		}
	}
	if s.set.Empty() != s.members.empty() {
		t.Fatalf("%q: empty: %v", s.list, s.set.Empty())
	}
}

func orNew(m map[string]*subject, key string, s *subject) *subject {
	if _, found := m[key]; !found {
		m[key] = s
	}
	return m[key]
}

// The list of a set makes the same set again, none of it can be dropped, no list
// for the same set is shorter, and it is valid if some list for the set is.
func TestSetTolerationsAreFewest(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		subjects := w.subjects(depth(4, 3))
		for i := range subjects {
			checkFewest(t, w, &subjects[i])
		}
	})
}

func checkFewest(t rapid.TB, w *world, s *subject) {
	t.Helper()
	list := s.set.AppendTolerations(nil)
	if len(list) > len(s.list) {
		t.Fatalf("%q: the list %q is longer", s.list, list)
	}
	if !toleration.NewSet(list).Equal(s.set) || !slices.Equal(membersOf(list, w.taints), s.members) {
		t.Fatalf("%q: the list %q has the set %q", s.list, list, toleration.NewSet(list))
	}
	for i := range list {
		rest := slices.Delete(slices.Clone(list), i, i+1)
		if slices.Equal(membersOf(rest, w.taints), s.members) {
			t.Fatalf("%q: %q can be dropped from %q", s.list, list[i], list)
		}
	}
	gate := toleration.Rules{Comparisons: true}
	if gate.Validate(s.list) == nil && gate.Validate(list) != nil {
		t.Fatalf("%q: the list %q is not valid: %v", s.list, list, gate.Validate(list))
	}
}

// Covers, Equal and Intersects say what the taints say, and so do the witnesses.
func TestSetAlgebraIsExact(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		subjects := w.subjects(2)
		for i := range subjects {
			for j := range subjects {
				checkSetPair(t, w, &subjects[i], &subjects[j])
			}
		}
		t.Logf("%d pairs, %d taints", len(subjects)*len(subjects), len(w.taints))
	})
}

func checkSetPair(t rapid.TB, w *world, a, b *subject) {
	t.Helper()
	minus, common := a.members.minus(b.members), a.members.common(b.members)
	if got := b.set.Covers(a.set); got != minus.empty() {
		t.Fatalf("%q covers %q: %v", b.list, a.list, got)
	}
	if got := a.set.Intersects(b.set); got == common.empty() {
		t.Fatalf("%q intersects %q: %v", a.list, b.list, got)
	}
	same := slices.Equal(a.members, b.members)
	if got := a.set.Equal(b.set); got != same {
		t.Fatalf("%q equals %q: %v", a.list, b.list, got)
	}
	if got := a.set.Signature() == b.set.Signature(); got != same {
		t.Fatalf("%q and %q: same signature: %v", a.list, b.list, got)
	}
	x, found := a.set.Minus(b.set)
	checkWitness(t, w, "minus", a, b, minus, &x, found)
	if found && (!tolerates(a.list, &x) || tolerates(b.list, &x)) {
		t.Fatalf("%q minus %q: %v", a.list, b.list, x)
	}
	x, found = a.set.Common(b.set)
	checkWitness(t, w, "and", a, b, common, &x, found)
	if found && (!tolerates(a.list, &x) || !tolerates(b.list, &x)) {
		t.Fatalf("%q and %q: %v", a.list, b.list, x)
	}
	x, found = a.set.Example()
	checkWitness(t, w, "example, not", a, b, a.members, &x, found)
	if found && !tolerates(a.list, &x) {
		t.Fatalf("example of %q: %v", a.list, x)
	}
	if got := a.set.Union(b.set); !got.Equal(toleration.NewSet(slices.Concat(a.list, b.list))) {
		t.Fatalf("union of %q and %q: %q", a.list, b.list, got)
	}
}

// checkWitness fails if x and found are not right for what should be found.
func checkWitness(t rapid.TB, w *world, name string, a, b *subject, want members, x *taint.Taint, found bool) {
	t.Helper()
	switch {
	case found == want.empty():
		t.Fatalf("%q %s %q: found: %v", a.list, name, b.list, found)
	case found && !want.common(w.valid).empty() && !validTaint(x):
		t.Fatalf("%q %s %q: %v is not valid", a.list, name, b.list, x)
	case !found && *x != taint.Taint{}:
		t.Fatalf("%q %s %q: %v although not found", a.list, name, b.list, x)
	}
}

func TestSetRestrictAndEverything(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		subjects := w.subjects(2)
		for i := range subjects {
			s := &subjects[i]
			for effects := range taint.AllEffects + 1 {
				restricted, everything := s.set.Restrict(effects), true
				for j := range w.taints {
					x := &w.taints[j]
					want := s.members.has(j) && x.Effect.Known() && effects.Has(x.Effect)
					if got := restricted.Contains(x); got != want {
						t.Fatalf("%q restricted to %v: contains %v: %v", s.list, effects, x, got)
					}
					everything = everything && (s.members.has(j) || !effects.Has(x.Effect))
				}
				if got := s.set.Everything(effects); got != everything {
					t.Fatalf("%q tolerates every %v: %v", s.list, effects, got)
				}
				if again := toleration.NewSet(restricted.AppendTolerations(nil)); !again.Equal(restricted) {
					t.Fatalf("%q restricted to %v: %q, of its list: %q", s.list, effects, restricted, again)
				}
			}
		}
	})
}

// What a set holds of one key, or of one unknown effect, is not everything.
func TestSetOfOneWordIsNotEverything(t *testing.T) {
	for _, text := range []string{"a", "x", "a:NoSchedule,x:NoSchedule", "*:x", "*:NoExecute,*:x", "x:x"} {
		list, err := toleration.ParseListLenient(text)
		if err != nil {
			t.Fatal(err)
		}
		set := toleration.NewSet(list)
		if set.Everything(taint.NoSchedule.Set()) || set.Everything(taint.OtherEffects) {
			t.Errorf("%q tolerates everything", text)
		}
	}
}

// A key and an unknown effect have taints in common, whatever they are called.
func TestSetCommonOfKeyAndEffect(t *testing.T) {
	key, effect := toleration.NewSet([]toleration.Toleration{{Key: "x", Value: "v"}}), toleration.NewSet([]toleration.Toleration{{Value: "v", Effect: "x"}})
	want := taint.Taint{Key: "x", Value: "v", Effect: "x"}
	if got, found := key.Common(effect); got != want || !found {
		t.Errorf("%v, %t", got, found)
	}
	if got, found := effect.Common(key); got != want || !found {
		t.Errorf("the other way round: %v, %t", got, found)
	}
}

// A single integer is an Equal, also where it touches a Gt or Lt for any key.
func TestSetOfOneInteger(t *testing.T) {
	for _, text := range []string{"*>0,a==0", "*<1,a==1", "*<0,a==0"} {
		list, err := toleration.ParseListLenient(text)
		if got := toleration.NewSet(list).String(); got != text || err != nil {
			t.Errorf("%s becomes %s, %v", text, got, err)
		}
	}
}

// Integers that touch or overlap are one range, also across the keys of a set.
func TestSetOfIntegersThatTouch(t *testing.T) {
	parse := func(text string) toleration.Set {
		list, err := toleration.ParseListLenient(text)
		if err != nil {
			t.Fatal(err)
		}
		return toleration.NewSet(list)
	}
	for text, want := range map[string]string{"a>5,a==5": "a>4", "a<5,a==5": "a<6", "a==5,a>3": "a>3", "a>5,a==5,a==4": "a>3"} {
		if x, y := parse(text), parse(want); !x.Equal(y) || x.String() != want {
			t.Errorf("%s becomes %s, want %s", text, x, want)
		}
	}
	want := taint.Taint{Key: "a", Value: "7", Effect: taint.NoExecute}
	if got, found := parse("a>0,b==5").Common(parse("*==7:NoExecute")); got != want || !found {
		t.Errorf("%v, %t, want %v", got, found, want)
	}
}

// A witness for any key has a key that the other set does not name, even if that
// names many like it.
func TestSetMinusOfNamedKeys(t *testing.T) {
	other := toleration.NewSet([]toleration.Toleration{
		{Key: "key", Operator: toleration.OpExists}, {Key: "key-1", Operator: toleration.OpExists},
		{Key: "key-2", Operator: toleration.OpExists}, {Key: "z", Operator: toleration.OpExists},
	})
	everything := toleration.NewSet([]toleration.Toleration{{Operator: toleration.OpExists}})
	x, found := everything.Minus(other)
	if !found || other.Contains(&x) || taint.CheckKey(x.Key) != nil || !x.Effect.Known() {
		t.Errorf("%v, %t", x, found)
	}
}
