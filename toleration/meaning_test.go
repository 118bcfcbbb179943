package toleration_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// parts are valid tolerations of every kind over two keys: words, integers next to each other
// and at the ends of the range, every effect, and seconds.
func parts(t testing.TB) []toleration.Toleration {
	t.Helper()
	return mustParseList(t, "a,a:NoSchedule,a:NoExecute,a:NoExecute@5,a==,a==x,a==x:NoSchedule,a==x:NoExecute@5,a=x:NoExecute@7,a==5,a==6:NoExecute@5,"+
		"a>4,a>5:NoExecute@7,a>5:PreferNoSchedule,a>-5:NoExecute@5,a<6,a<5:NoExecute@7,a<0:NoExecute@0,a<-3,"+
		"a<-9223372036854775807:NoExecute@5,a>9223372036854775806:NoExecute@7,a>9223372036854775805,"+
		"b,b==x:NoExecute@5,b:NoExecute@0,b>5:NoExecute,b<9,*,*:NoSchedule,*:NoExecute,*:NoExecute@5,*:NoExecute@-1")
}

// meaningTaints are taints of every kind that the parts tell apart.
func meaningTaints() (list []taint.Taint) {
	for _, effect := range []taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, "Other"} {
		for _, key := range []string{"a", "b", "c"} {
			for _, value := range []string{"", "x", "y", "05", "-9223372036854775808", "-9223372036854775807", "-5", "-4", "-3", "-1", "0", "4", "5", "6", "7", "8", "9",
				"9223372036854775805", "9223372036854775806", "9223372036854775807", "9223372036854775808"} {
				list = append(list, taint.Taint{Key: key, Value: value, Effect: effect})
			}
		}
	}
	return list
}

// levelBy asks each toleration in turn.
func levelBy(list []toleration.Toleration, x *taint.Taint) toleration.Level {
	for i := range list {
		switch t := &list[i]; {
		case !t.Tolerates(x, comparisons):
		case x.Effect != taint.NoExecute || t.TolerationSeconds == nil:
			return toleration.Forever
		default:
			return 1 + toleration.Level(max(0, *t.TolerationSeconds))
		}
	}
	return toleration.NotTolerated
}

// oracle knows the levels of all taints by each list, as a string.
type oracle struct {
	parts  []toleration.Toleration
	taints []taint.Taint
	valid  []bool
}

func newOracle(t testing.TB) *oracle {
	o := &oracle{parts: parts(t), taints: meaningTaints()}
	for i := range o.taints {
		o.valid = append(o.valid, taint.Validate(o.taints[i:i+1]) == nil)
	}
	return o
}

func (o *oracle) levels(list []toleration.Toleration) string {
	levels := make([]byte, len(o.taints))
	for i := range o.taints {
		if l := levelBy(list, &o.taints[i]); l == toleration.Forever {
			levels[i] = 255
		} else {
			levels[i] = byte(l)
		}
	}
	return string(levels)
}

func levelOf(b byte) toleration.Level {
	if b == 255 {
		return toleration.Forever
	}
	return toleration.Level(b)
}

// lists iterates over all lists of up to n parts. The list is overwritten.
func (o *oracle) lists(n int) func(yield func([]toleration.Toleration) bool) {
	return func(yield func([]toleration.Toleration) bool) {
		var list []toleration.Toleration
		var extend func() bool
		extend = func() bool {
			if !yield(list) {
				return false
			}
			for _, t := range o.parts[:len(o.parts)*min(1, n-len(list))] {
				list = append(list, t)
				if !extend() {
					return false
				}
				list = list[:len(list)-1]
			}
			return true
		}
		extend()
	}
}

func without(list []toleration.Toleration, i int) []toleration.Toleration {
	return slices.Delete(slices.Clone(list), i, i+1)
}

func mustMean(t testing.TB, list []toleration.Toleration) *toleration.Meaning {
	t.Helper()
	m, err := toleration.NewMeaning(list)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// sampled is 7, to take each seventh case of an enumeration, which meets every part in every
// place. With TOLERO_LONG in the environment it is 1.
func sampled() int {
	if os.Getenv("TOLERO_LONG") != "" {
		return 1
	}
	return 7
}

// Every list of up to two parts and lists of three, against asking each toleration in turn.
func TestMeaningExhaustively(t *testing.T) {
	o := newOracle(t)
	n, step := 0, sampled()
	signatures, texts, shortest := map[string]string{}, map[string]string{}, map[string]int{}
	bySignature := map[string]string{}
	for list := range o.lists(3) {
		if n++; len(list) == 3 && n%step > 0 {
			continue
		}
		want := o.levels(list)
		m := mustMean(t, list)
		for i := range o.taints {
			if got := m.Level(&o.taints[i]); got != levelOf(want[i]) {
				t.Fatalf("%s: %s is %s, want %s", toleration.FormatList(list), o.taints[i], got, levelOf(want[i]))
			}
		}
		if s, found := signatures[want]; !found {
			signatures[want], texts[want], shortest[want] = m.Signature(), m.String(), len(list)
			o.checkList(t, list, want, m)
		} else if s != m.Signature() || texts[want] != m.String() {
			t.Fatalf("%s: signature %x and text %s, want %x and %s", toleration.FormatList(list), m.Signature(), m, s, texts[want])
		}
		if other, found := bySignature[m.Signature()]; found && other != want {
			t.Fatalf("%s has the signature of another meaning", toleration.FormatList(list))
		}
		bySignature[m.Signature()] = want
		o.checkMerge(t, list, want)
	}
	longer := 0
	for want, text := range texts {
		if more := len(mustParseList(t, text)) - shortest[want]; more > 2 {
			t.Errorf("%s: %d are enough", text, shortest[want])
		} else if more > 0 {
			longer++
		}
	}
	t.Logf("%d meanings, of which %d have a shorter list", len(texts), longer)
}

// checkList checks what is asked of a single meaning.
func (o *oracle) checkList(t *testing.T, list []toleration.Toleration, want string, m *toleration.Meaning) {
	t.Helper()
	text := toleration.FormatList(list)
	minimal := m.AppendTolerations(list[:len(list):len(list)])[len(list):]
	if err := (toleration.Rules{Comparisons: true}).Validate(minimal); err != nil || o.levels(minimal) != want {
		t.Fatalf("the list of %s is %s: %v", text, toleration.FormatList(minimal), err)
	}
	for i := range minimal {
		if o.levels(without(minimal, i)) == want {
			t.Fatalf("the list of %s is %s, which does not need %s", text, toleration.FormatList(minimal), minimal[i])
		}
	}
	for effects := range taint.AllEffects + 1 {
		restricted := []byte(want)
		for i := range o.taints {
			if !effects.Has(o.taints[i].Effect) {
				restricted[i] = 0
			}
		}
		for i, r := 0, m.Restrict(effects); i < len(o.taints); i++ {
			if got := r.Level(&o.taints[i]); got != levelOf(restricted[i]) {
				t.Fatalf("%s, restricted to %s: %s is %s", text, effects, o.taints[i], got)
			}
		}
	}
	for i := range o.parts {
		o.checkAllows(t, list, want, m, i)
	}
}

func (o *oracle) checkAllows(t *testing.T, list []toleration.Toleration, want string, m *toleration.Meaning, part int) {
	t.Helper()
	alone := o.parts[part : part+1]
	ok := true
	least, valid := map[taint.Effect]toleration.Level{}, map[taint.Effect]bool{} // of what it tolerates
	for i, b := range []byte(o.levels(alone)) {
		if b == 0 {
			continue
		}
		ok = ok && b <= want[i]
		e, l := o.taints[i].Effect, levelOf(want[i])
		if before, found := least[e]; !found || l < before {
			least[e], valid[e] = l, false
		}
		valid[e] = valid[e] || l == least[e] && o.valid[i]
	}
	x, got := m.Allows(&alone[0])
	switch {
	case got != ok:
		t.Fatalf("%s allows %s: %t, want %t", toleration.FormatList(list), alone[0], got, ok)
	case ok:
	case levelBy(alone, &x) <= levelBy(list, &x) || x.Effect != "" && (levelBy(list, &x) != least[x.Effect] || valid[x.Effect] != (taint.Validate([]taint.Taint{x}) == nil)):
		t.Fatalf("%s allows %s: the witness is %s", toleration.FormatList(list), alone[0], x)
	}
}

// checkMerge leaves out what is redundant.
func (o *oracle) checkMerge(t *testing.T, list []toleration.Toleration, want string) {
	t.Helper()
	text := toleration.FormatList(list)
	merged, err := toleration.Minimize(nil, list)
	if err != nil || o.levels(merged) != want {
		t.Fatalf("%s becomes %s: %v", text, toleration.FormatList(merged), err)
	}
	for i := range merged {
		if o.levels(without(merged, i)) == want {
			t.Fatalf("%s becomes %s, which does not need %s", text, toleration.FormatList(merged), merged[i])
		}
	}
	redundant, lone, shadowed, err := toleration.Redundant(list)
	if err != nil {
		t.Fatal(err)
	}
	var easy []toleration.Toleration // what is left without those that can go alone
	for i := range list {
		alone := o.levels(without(list, i)) == want
		counts := slices.ContainsFunc(o.taints, func(x taint.Taint) bool {
			first, found := match.FirstTolerating(list, &x, comparisons)
			return found && first == i
		})
		later := slices.Clone(list[:i])
		for j := i + 1; j < len(list); j++ {
			if !redundant[j] {
				later = append(later, list[j])
			}
		}
		if redundant[i] != (o.levels(later) == want) || shadowed[i] == counts ||
			lone[i] && !(redundant[i] && alone) || shadowed[i] && !lone[i] {
			t.Fatalf("%s: %v, %v, %v, at %d", text, redundant, lone, shadowed, i)
		}
		if !lone[i] {
			easy = append(easy, list[i])
		}
	}
	if o.levels(easy) != want {
		t.Fatalf("%s: %v, not together", text, lone)
	}
}

// Pairs of all meanings of lists of up to two parts.
func TestMeaningsComparedExhaustively(t *testing.T) {
	o := newOracle(t)
	known := map[string]bool{}
	var all []string
	var meanings []*toleration.Meaning
	for list := range o.lists(2) {
		if levels := o.levels(list); !known[levels] {
			known[levels] = true
			all, meanings = append(all, levels), append(meanings, mustMean(t, list))
		}
	}
	step := sampled()
	for i, m := range meanings {
		for j := i % step; j < len(meanings); j += step {
			o.checkPair(t, m, meanings[j], all[i], all[j])
		}
	}
	t.Logf("%d meanings", len(all))
}

func (o *oracle) checkPair(t *testing.T, m, other *toleration.Meaning, a, b string) {
	t.Helper()
	covers, differ := true, false // of valid taints, if any do
	for i := range o.taints {
		covers = covers && a[i] >= b[i]
		differ = differ || a[i] != b[i] && o.valid[i]
	}
	if got := m.Covers(other); got != covers {
		t.Fatalf("%s covers %s: %t", m, other, got)
	}
	if got := m.Equal(other); got != (a == b) {
		t.Fatalf("%s equals %s: %t", m, other, got)
	}
	first := true
	for x, levels := range m.Compare(other) {
		if levels[0] == levels[1] {
			continue
		}
		valid := taint.Validate([]taint.Taint{x}) == nil
		if m.Level(&x) != levels[0] || other.Level(&x) != levels[1] || first && valid != differ {
			t.Fatalf("%s and %s differ by %s: %v", m, other, x, levels)
		}
		first = false
	}
	if first != (a == b) {
		t.Fatalf("%s and %s: there is a difference: %t", m, other, !first)
	}
	seen := map[[2]byte]bool{} // both levels
	for x, levels := range m.Compare(other) {
		if m.Level(&x) != levels[0] || other.Level(&x) != levels[1] {
			t.Fatalf("%s and %s compare by %s: %v", m, other, x, levels)
		}
		seen[[2]byte{byte(levels[0]), byte(levels[1])}] = true
	}
	for i := range o.taints {
		if !seen[[2]byte{a[i], b[i]}] {
			t.Fatalf("%s and %s: no taint is like %s", m, other, o.taints[i])
		}
	}
}

// The lenient meaning is that of the best order.
func TestLenientMeaning(t *testing.T) {
	o := newOracle(t)
	for list := range o.lists(2) {
		m, err := toleration.NewLenientMeaning(list)
		if err != nil {
			t.Fatal(err)
		}
		for i := range o.taints {
			want := toleration.NotTolerated
			for j := range list {
				want = max(want, levelBy(list[j:j+1], &o.taints[i]))
			}
			if got := m.Level(&o.taints[i]); got != want {
				t.Fatalf("%s: %s is %s, want %s", toleration.FormatList(list), o.taints[i], got, want)
			}
		}
	}
}

// The delays are those of match, for seconds beyond the longest time too (rules E2, E3).
func TestLevelsAreDelays(t *testing.T) {
	for _, list := range []string{"", "a", "a:NoExecute", "a:NoExecute@-9223372036854775808", "a:NoExecute@0", "a:NoExecute@1", "a:NoExecute@9223372036",
		"a:NoExecute@9223372037", "a:NoExecute@9223372036854775807", "*:NoExecute@60", "b:NoExecute@60"} {
		tolerations := mustParseList(t, list)
		x := taint.MustParse("a:NoExecute")
		after, evicted := mustMean(t, tolerations).Level(&x).Delay()
		if want, wantEvicted := match.EvictionDelay([]taint.Taint{x}, tolerations, comparisons); after != want || evicted != wantEvicted {
			t.Errorf("%s: %v, %t; want %v, %t", list, after, evicted, want, wantEvicted)
		}
	}
	for level, want := range map[toleration.Level]string{toleration.NotTolerated: "not tolerated", 1: "tolerated for 0s", 91: "tolerated for 1m30s", toleration.Forever: "tolerated forever"} {
		if got := level.String(); got != want {
			t.Errorf("%d: %s", level, got)
		}
	}
}

// What the API server refuses has no meaning, with all faults; not even as a whitelist. What
// only a default cluster refuses has one.
func TestInvalidListsHaveNoMeaning(t *testing.T) {
	for _, list := range []string{"*==x", "a,b==-", "a=x:Odd", "a?In x", "a>05", "a:NoExecute@5,a@5", "-a", "a?Exists x"} {
		tolerations := mustParseList(t, list)
		want := toleration.Rules{Comparisons: true}.Validate(tolerations)
		_, err := toleration.NewMeaning(tolerations)
		_, lenient := toleration.NewLenientMeaning(tolerations)
		_, _, _, redundant := toleration.Redundant(tolerations)
		room := parts(t)[:1:1]
		merged, merge := toleration.Minimize(room, tolerations)
		if want == nil || err == nil || err.Error() != want.Error() || lenient == nil || lenient.Error() != err.Error() || redundant == nil || merge == nil || len(merged) != 1 {
			t.Errorf("%s: %v, %v, %v, %v", list, err, lenient, redundant, merge)
		}
		if x, ok := new(toleration.Meaning).Allows(&tolerations[len(tolerations)-1]); ok || x != (taint.Taint{}) {
			t.Errorf("%s is allowed, or not because of %s", list, x)
		}
	}
	mustMean(t, mustParseList(t, "a>5,a<-9223372036854775808"))
}

// Signatures are stored by others: these must never change.
func TestMeaningSignaturesAreGolden(t *testing.T) {
	for _, c := range []struct{ list, text, signature string }{
		{"", "", "01000000010000000100000001000000"},
		{"*", "*", "01000001010000010100000101000001"},
		{"b,*,a:NoExecute@5", "*", "01000001010000010100000101000001"},
		{"a:NoExecute@9223372036854775807,b=x:NoSchedule", "a:NoExecute@9223372037,b==x:NoSchedule",
			"030000000001620001017801010000000200000000016187fa85ae2201000000"},
		{"a==5:NoExecute@60,a>-3:NoExecute,a", "a==5:NoExecute@60,a",
			"020000000001610102000000000161010500000000016101028000000000000000010200000000000000053e020000000000000006010200000000016101"},
		{"k<5,k>10,k>4", "k<0,k>-1",
			"0300000000016b00028000000000000000010300000000016b00028000000000000000010300000000016b00028000000000000000010300000000016b0002800000000000000001"},
		{"node.kubernetes.io/not-ready:NoExecute@300,node.kubernetes.io/unreachable:NoExecute@300",
			"node.kubernetes.io/not-ready:NoExecute@300,node.kubernetes.io/unreachable:NoExecute@300",
			"010000000100000003000000001c6e6f64652e6b756265726e657465732e696f2f6e6f742d7265616479ae02001e6e6f64652e6b756265726e657465732e696f2f756e726561636861626c65ae0201000000"},
	} {
		m := mustMean(t, mustParseList(t, c.list))
		if got := m.String(); got != c.text {
			t.Errorf("%s: text %s", c.list, got)
		}
		if got := fmt.Sprintf("%x", m.Signature()); got != c.signature {
			t.Errorf("%s: signature %s", c.list, got)
		}
	}
}

// The steps are n log n whatever the list, so that these take seconds at most: a key with as
// many words, bounds or alternating seconds as there are tolerations, and as many keys.
func TestLongMeanings(t *testing.T) {
	n := 20_000 / sampled()
	shapes := map[string]func(i int) toleration.Toleration{
		"words": func(i int) toleration.Toleration { return toleration.MustParse(fmt.Sprintf("a=w%d", i)) },
		"keys":  func(i int) toleration.Toleration { return toleration.MustParse(fmt.Sprintf("k%d:NoExecute@%d", i, i)) },
		"above": func(i int) toleration.Toleration {
			return toleration.MustParse(fmt.Sprintf("a>%d:NoExecute@%d", n-i, i))
		},
		"below": func(i int) toleration.Toleration {
			return toleration.MustParse(fmt.Sprintf("a<%d:NoExecute@%d", i, i%2))
		},
		"integers": func(i int) toleration.Toleration {
			return toleration.MustParse(fmt.Sprintf("a=%d:NoExecute@%d", i, i%3))
		},
		"fresh": func(i int) toleration.Toleration { return toleration.MustParse(fmt.Sprintf("x-%d=x-%d", i, i)) },
		"all":   func(i int) toleration.Toleration { return toleration.MustParse("*:NoExecute@5") },
	}
	for name, shape := range shapes {
		var list []toleration.Toleration
		for i := range n {
			list = append(list, shape(i))
		}
		m := mustMean(t, list)
		reversed, _ := toleration.NewLenientMeaning(slices.Concat(list[n/2:], list[:n/2]))
		if again := mustMean(t, m.AppendTolerations(nil)); !again.Equal(m) || !reversed.Covers(m) {
			t.Errorf("%s: not equal", name)
		}
		for i := range list {
			if _, ok := reversed.Allows(&list[i]); !ok {
				t.Fatalf("%s: does not allow %s", name, list[i])
			}
			if _, ok := new(toleration.Meaning).Allows(&list[i]); ok {
				t.Fatalf("%s: nothing allows %s", name, list[i])
			}
		}
	}
}

func TestMeaningAllocates(t *testing.T) {
	list := mustParseList(t, "a==x:NoExecute@5,a>5,b,*:NoSchedule")
	m, x := mustMean(t, list), taint.MustParse("a=7:NoExecute")
	if n := testing.AllocsPerRun(100, func() { m.Level(&x); m.Allows(&list[1]) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Two integers between others of the key are named one by one. What matches nothing is on every
// whitelist.
func TestMeaningsOfFewIntegers(t *testing.T) {
	m := mustMean(t, mustParseList(t, "a=6:NoExecute@10,a=5:NoExecute@10"))
	if got, want := m.String(), "a==5:NoExecute@10,a==6:NoExecute@10"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	never := mustParse("a>9223372036854775807")
	if x, ok := m.Allows(&never); !ok {
		t.Errorf("%s matches %s", never, x)
	}
}

// Those that are redundant alone are so together too, without the others: here the second
// takes the place of the first, and the third would if both went.
func TestRedundantAloneAndTogether(t *testing.T) {
	list := mustParseList(t, "a==1:NoExecute@30,a<2:NoExecute@30,a>0:NoExecute,a>3:NoExecute@30,a>1,*:NoExecute@30")
	redundant, alone, shadowed, err := toleration.Redundant(list)
	got := fmt.Sprint(redundant, alone, shadowed, err)
	if want := "[true true true true false false] [false true false true false false] [false false false true false false] <nil>"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	m := mustMean(t, list)
	if rest := []toleration.Toleration{list[0], list[2], list[4], list[5]}; !mustMean(t, rest).Equal(m) {
		t.Errorf("%s: those that are redundant alone are not so together", toleration.FormatList(rest))
	}
	if rest := list[2:]; mustMean(t, rest).Equal(m) {
		t.Errorf("%s: so may the first, which is not called so", toleration.FormatList(rest))
	}
}
