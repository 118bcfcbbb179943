package toleration_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// orders are small alphabets in which the order of a list decides.
var orders = map[string]string{
	"keys": `*:NoExecute,*@60,a:NoExecute@60,a:NoExecute@300,a,a=x:NoExecute@60,a=x@0,a==x,b:NoExecute@300,
		a=y@-1,a:NoSchedule@60,a:Odd@60,b=x@60,*:NoExecute@300`,
	"integers": `a>5:NoExecute@60,a>5@300,a>6@60,a<7@300,a<5,a=6@60,a=7@0,a=5@300,a=x@60,*=6@60,*>6@300,a:NoExecute@60,*<8`,
	"ends": `a>9223372036854775805@60,a=9223372036854775806@60,a=9223372036854775807,a<"-9223372036854775807"@60,
		a="-9223372036854775808"@300,a>"-9223372036854775808"@60,a<9223372036854775807@300,*="-9223372036854775807"`,
	"seconds": `a@9223372036,a@9223372037,a@9223372038,a@9223372036854775807,a,a@0,a@-5,a=x@1,a=x@9223372037,"-k"@60,a="!"@60,a="-5"@60`,
}

func eachOrder(t *testing.T, run func(t *testing.T, taints []taint.Taint, lists [][]toleration.Toleration)) {
	for name, text := range orders {
		t.Run(name, func(t *testing.T) {
			alphabet := mustParseList(t, strings.NewReplacer("\n", "", "\t", "").Replace(text))
			taints := slices.DeleteFunc(span(alphabet), func(x taint.Taint) bool { return x.Effect != taint.NoExecute && x.Effect != "" })
			run(t, taints, arrangements(alphabet, depth(3, 2)))
		})
	}
}

// arrangements returns the lists of up to length different tolerations in every
// order.
func arrangements(alphabet []toleration.Toleration, length int) [][]toleration.Toleration {
	lists := [][]toleration.Toleration{nil}
	var grow func(list []toleration.Toleration)
	grow = func(list []toleration.Toleration) {
		for i := range alphabet {
			if len(list) == length || slices.ContainsFunc(list, func(t toleration.Toleration) bool { return t.Equal(&alphabet[i]) }) {
				continue
			}
			next := append(slices.Clone(list), alphabet[i])
			lists = append(lists, next)
			grow(next)
		}
	}
	grow(nil)
	return lists
}

// answer is the delay for one taint, -1 if the pod is not evicted.
func answer(after time.Duration, evicted bool) time.Duration {
	if !evicted {
		return -1
	}
	return after
}

// delays returns the answers of match for each of taints, under a policy.
func delays(list []toleration.Toleration, taints []taint.Taint, p match.EvictionPolicy) []time.Duration {
	var all []time.Duration
	for i := range taints {
		all = append(all, answer(p.Delay(taints[i:i+1], list, time.Time{})))
	}
	return all
}

// firstMatch returns the index of the first match by asking each, or -1.
func firstMatch(list []toleration.Toleration, x *taint.Taint) int {
	if x.Effect != taint.NoExecute {
		return -1
	}
	return slices.IndexFunc(list, func(t toleration.Toleration) bool { return t.Tolerates(x) })
}

func TestE2GrantsAreExact(t *testing.T) {
	eachOrder(t, func(t *testing.T, taints []taint.Taint, lists [][]toleration.Toleration) {
		for _, list := range lists {
			g := toleration.NewGrants(list)
			var counting []int
			for i := range taints {
				first := firstMatch(list, &taints[i])
				counting = append(counting, first)
				if got, found := g.First(&taints[i]); found != (first >= 0) || found && got != first {
					t.Fatalf("%q: first match of %v: %d, %v", list, taints[i], got, found)
				}
			}
			checkDelays(t, list, taints, &g, match.FirstMatch)
			slices.Sort(counting)
			counting = slices.DeleteFunc(slices.Compact(counting), func(i int) bool { return i < 0 })
			if got := g.AppendIndexes([]int{7}); !slices.Equal(got, append([]int{7}, counting...)) {
				t.Fatalf("%q: those that count are %v, want %v", list, got, counting)
			}
			lenient := toleration.NewLenientGrants(list)
			checkDelays(t, list, taints, &lenient, match.MostLenient)
		}
		t.Logf("%d lists, %d taints", len(lists), len(taints))
	})
}

func checkDelays(t rapid.TB, list []toleration.Toleration, taints []taint.Taint, g *toleration.Grants, p match.EvictionPolicy) {
	t.Helper()
	stays := true
	for i, want := range delays(list, taints, p) {
		if got := answer(g.Delay(taints[i : i+1])); got != want {
			t.Fatalf("%q, %v: delay for %v is %v, want %v", list, p, taints[i], got, want)
		}
		stays = stays && want == -1
	}
	if got, want := answer(g.Delay(taints)), answer(p.Delay(taints, list, time.Time{})); got != want {
		t.Fatalf("%q, %v: delay for all is %v, want %v", list, p, got, want)
	}
	if got := g.Forever(); got != stays {
		t.Fatalf("%q, %v: forever: %v", list, p, got)
	}
}

func TestGrantsAlgebraIsExact(t *testing.T) {
	eachOrder(t, func(t *testing.T, taints []taint.Taint, lists [][]toleration.Toleration) {
		lists = sample(lists, depth(200, 48))
		var grants []toleration.Grants
		var answers [][]time.Duration
		var signatures []string
		for _, list := range lists {
			g := toleration.NewGrants(list)
			grants, answers = append(grants, g), append(answers, delays(list, taints, match.FirstMatch))
			signatures = append(signatures, string(g.AppendSignature(nil)))
		}
		for i := range grants {
			for j := range grants {
				same, more, valid := true, false, false
				for k := range taints {
					same = same && answers[i][k] == answers[j][k]
					if outlasts(answers[i][k], answers[j][k]) {
						more = true
						valid = valid || validTaint(&taints[k])
					}
				}
				if got := grants[i].Equal(grants[j]); got != same {
					t.Fatalf("%q and %q: equal: %v", lists[i], lists[j], got)
				}
				if got := signatures[i] == signatures[j]; got != same {
					t.Fatalf("%q and %q: same signature: %v", lists[i], lists[j], got)
				}
				x, found := grants[i].Minus(grants[j])
				if found != more || found && valid && !validTaint(&x) {
					t.Fatalf("%q and %q: minus %v, %v", lists[i], lists[j], x, found)
				}
				if covers := grants[j].Covers(grants[i]); covers == found {
					t.Fatalf("%q and %q: covers: %v", lists[j], lists[i], covers)
				}
				node := []taint.Taint{x}
				if found && !outlasts(answer(match.EvictionDelay(node, lists[i])), answer(match.EvictionDelay(node, lists[j]))) {
					t.Fatalf("%q and %q: no longer for %v", lists[i], lists[j], x)
				}
			}
		}
		t.Logf("%d pairs", len(lists)*len(lists))
	})
}

// sample returns n of lists, from the first to the last, or all if they are fewer.
func sample(lists [][]toleration.Toleration, n int) [][]toleration.Toleration {
	if len(lists) <= n {
		return lists
	}
	some := make([][]toleration.Toleration, n)
	for i := range some {
		some[i] = lists[i*(len(lists)-1)/(n-1)]
	}
	return some
}

// outlasts reports whether a pod with the answer a stays longer than one with b.
func outlasts(a, b time.Duration) bool { return uint64(a) > uint64(b) } // -1 is forever

// Lists that differ in few taints, or in the way they say the same.
func TestGrantsMinus(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		equal bool
	}{
		{"", "", true},
		{"a:NoExecute", "a=:NoExecute,a<0:NoExecute,a>-1:NoExecute", false}, // in words that are not empty
		{"a<1:NoExecute@60", "", false},                                     // in one valid value, 0
		{"*<0,*>-1,a", "*<0,*>-1", false},                                   // in words with one key
		{"a<0,a>-1,a@0,*", "*", false},
		{"x=v", "", false},
		{"x<5", "", false},
		{"*<0,*>-1,x", "*<0,*>-1", false},
		{"x:NoExecute@300,*:NoExecute@80", "key:NoExecute@80,*:NoExecute@60", false}, // where no list names the key
		{"a=x:NoExecute@1,*:NoExecute@5", "*:NoExecute@5", false},                    // fewer seconds for one value
		{"a=3:NoExecute@1,*:NoExecute@5", "*:NoExecute@5", false},
		{"a=x:NoExecute@1,a:NoExecute@60", "a:NoExecute@60", false},
		{"*=z:NoExecute@60,a=b:NoExecute@60", "a=z:NoExecute@60,a=b:NoExecute@60,*=z:NoExecute@60", true},
	} {
		listA, listB := mustParseList(t, c.a), mustParseList(t, c.b)
		a, b := toleration.NewGrants(listA), toleration.NewGrants(listB)
		if got := a.Equal(b); got != c.equal {
			t.Errorf("%s and %s: equal: %v", c.a, c.b, got)
		}
		if got := a.Signature() == b.Signature(); got != c.equal {
			t.Errorf("%s and %s: same signature: %v", c.a, c.b, got)
		}
		x, found := a.Minus(b)
		if !found {
			x, found = b.Minus(a)
		}
		if found == c.equal || found && !validTaint(&x) {
			t.Errorf("%s and %s: minus %v, %v", c.a, c.b, x, found)
		}
		node := []taint.Taint{x}
		if found && answer(match.EvictionDelay(node, listA)) == answer(match.EvictionDelay(node, listB)) {
			t.Errorf("%s and %s: same delay for %v", c.a, c.b, x)
		}
	}
}

// A limit that only an invalid taint meets is a limit, and a toleration that counts
// only for values that no other names does count.
func TestGrantsOfFewTaints(t *testing.T) {
	for text, forever := range map[string]bool{`*`: true, `"-k"@60,*`: false, `a=-5@60,*`: false, `a=x,*`: true} {
		g := toleration.NewGrants(mustParseList(t, text))
		if got := g.Forever(); got != forever {
			t.Errorf("%s: forever: %v", text, got)
		}
	}
	for text, counting := range map[string][]int{"a=,a<0,a>-1,a": {0, 1, 2, 3}, "*=,a": {0, 1}, "*=x,a=x": {0}} {
		g := toleration.NewGrants(mustParseList(t, text))
		if got := g.AppendIndexes(nil); !slices.Equal(got, counting) {
			t.Errorf("%s: those that count are %v, want %v", text, got, counting)
		}
	}
}

// Only NoExecute taints have a toleration that counts.
func TestGrantsFirstOfOtherEffects(t *testing.T) {
	g := toleration.NewGrants(mustParseList(t, "*"))
	for _, effect := range []taint.Effect{"", taint.NoSchedule, taint.PreferNoSchedule, "NoExecut", "NoExecuted", "noexecute"} {
		if i, found := g.First(&taint.Taint{Key: "a", Effect: effect}); found {
			t.Errorf("with effect %q: %d", effect, i)
		}
	}
}

// A Grants is a value, like a Set: its methods can be called on the result of a
// function.
func TestGrantsOfCall(t *testing.T) {
	if !toleration.NewGrants(mustParseList(t, "*")).Forever() || toleration.NewGrants(nil).Forever() {
		t.Error("Forever")
	}
}
