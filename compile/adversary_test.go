package compile_test

import (
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// sizes are those at which growth is looked at.
var sizes = []int{2000, 4000, 8000}

// logarithm returns the number of bits of n.
func logarithm(n int) int { return bits.Len(uint(n)) }

// Keys and values that are alike, in every way that a hash function may take too little
// of, do not make searches long, for what is there or not.
func TestProbesStayShort(t *testing.T) {
	if !compile.CountsSteps {
		t.Skip("counts no steps without the tag tolero_invariants")
	}
	long := strings.Repeat("same/", 60)
	for name, taintOf := range map[string]func(i, n int) taint.Taint{
		"keys alike at the end":       func(i, _ int) taint.Taint { return taint.Taint{Key: fmt.Sprintf("%06d", i) + long} },
		"keys alike at the beginning": func(i, _ int) taint.Taint { return taint.Taint{Key: long + fmt.Sprintf("%06d", i)} },
		"keys of all lengths":         func(i, _ int) taint.Taint { return taint.Taint{Key: strings.Repeat("a", i)} },
		"values of one key":           func(i, _ int) taint.Taint { return taint.Taint{Key: "k", Value: strconv.Itoa(i)} },
		"keys of one value":           func(i, _ int) taint.Taint { return taint.Taint{Key: strconv.Itoa(i), Value: "v"} },
		"keys times values": func(i, _ int) taint.Taint {
			return taint.Taint{Key: strconv.Itoa(i % 64), Value: strconv.Itoa(i / 64)}
		},
		"key and value the wrong way round": func(i, n int) taint.Taint {
			if i%2 == 0 {
				return taint.Taint{Key: strconv.Itoa(i)}
			}
			return taint.Taint{Value: strconv.Itoa(i - 1)}
		},
		"values that are the keys": func(i, _ int) taint.Taint {
			return taint.Taint{Key: strconv.Itoa(i), Value: strconv.Itoa(i)}
		},
		"odd effects that are the values": func(i, _ int) taint.Taint {
			return taint.Taint{Key: "k", Value: strconv.Itoa(i), Effect: taint.Effect(strconv.Itoa(i))}
		},
		"odd effects": func(i, _ int) taint.Taint { return taint.Taint{Effect: taint.Effect(strconv.Itoa(i))} },
	} {
		for _, n := range sizes {
			var v compile.Vocabulary
			var taints []taint.Taint
			for i := range n {
				x := taintOf(i, n)
				if x.Effect == "" && name != "odd effects" {
					x.Effect = taint.NoSchedule
				}
				taints = append(taints, x)
				v.Append(nil, taints[i:])
			}
			longest, all := 0, compile.Cells(func() {})
			for _, x := range taints {
				there := x
				x.Value += " is not there"
				looked := compile.Cells(func() { v.ID(&there); v.ID(&x) })
				longest, all = max(longest, looked), all+looked
			}
			if v.Len() != n || longest > 24*logarithm(n) || all > 12*n {
				t.Errorf("%s: %d taints need up to %d cells, %d in all", name, v.Len(), longest, all)
			}
		}
	}
}

// Equal and redundant tolerations leave nothing to look at.
func TestRedundantTolerationsCostNothing(t *testing.T) {
	var v compile.Vocabulary
	for i := range 100 {
		v.Append(nil, []taint.Taint{{Key: "k", Value: strconv.Itoa(i), Effect: taint.NoSchedule}, {Key: "own" + strconv.Itoa(i), Effect: taint.NoExecute}})
	}
	for _, c := range []struct {
		first string
		rest  func(i int) string
		most  int
	}{
		{"*:NoSchedule", func(int) string { return "*:NoSchedule" }, 1},
		{"*:NoSchedule", func(i int) string { return fmt.Sprintf("k=%d:NoSchedule", i) }, 1},
		{"*", func(i int) string { return fmt.Sprintf("own%d:NoExecute@%d", i, i) }, 1},
		{"k", func(i int) string { return fmt.Sprintf("k>%d", i) }, 2},
		{"k=7:NoSchedule", func(int) string { return "k=7:NoSchedule" }, 2},
		{"k>5", func(i int) string { return fmt.Sprintf("k>%d", i+6) }, 2},
		{"k>5", func(int) string { return "k>5" }, 2},
		{"k<50", func(int) string { return "k<50" }, 2},
		{"k<50", func(i int) string { return fmt.Sprintf("k<%d", 50-i) }, 2},
		{"*=x", func(int) string { return "*=x:NoExecute" }, 2},
		{"*>5", func(i int) string { return fmt.Sprintf("*>%d", i+6) }, 1},
		{"gone", func(i int) string { return fmt.Sprintf("gone%d=5", i) }, 0},
	} {
		text := []string{c.first}
		for i := range 400 {
			text = append(text, c.rest(i))
		}
		list, err := notation.Tolerations(strings.Join(text, ","))
		if err != nil {
			t.Fatal(err)
		}
		var m compile.Matcher
		m.Compile(&v, list, comparisons)
		if m.Size() > c.most {
			t.Errorf("%s and 400 times %s: %d things to look at, want no more than %d", c.first, c.rest(0), m.Size(), c.most)
		}
	}
}

// What is tolerated is found in steps by the tolerations and the answer, and not by the
// values that there are, except those of a key with Gt or Lt; and a limit is kept.
func TestStepsFollowTheAnswer(t *testing.T) {
	for _, n := range sizes {
		var v compile.Vocabulary
		for i := range n {
			number := strconv.Itoa(i)
			v.Append(nil, []taint.Taint{
				{Key: "time", Value: number, Effect: taint.PreferNoSchedule}, {Key: "rank", Value: number, Effect: taint.NoSchedule},
				{Key: "word", Value: "w" + number, Effect: taint.PreferNoSchedule}, {Key: "own" + number, Effect: taint.NoSchedule},
			})
		}
		v.Append(nil, []taint.Taint{{Key: "time", Value: "5", Effect: taint.NoExecute}})
		for _, c := range []struct {
			list    string
			effects taint.EffectSet
			answer  int
		}{
			{"", taint.Hard, 0},
			{"time,word", taint.Hard, 1}, // not the soft values
			{"time>-1,word", taint.Hard, 1},
			{"*:PreferNoSchedule", taint.Hard, 0},
			{"word:PreferNoSchedule,time:PreferNoSchedule,rank:PreferNoSchedule", taint.Hard, 0},
			{"rank>" + strconv.Itoa(n-11), taint.Hard, 10},
			{"rank<10", taint.Hard, 10},
			{"rank<5,rank>" + strconv.Itoa(n-6), taint.Hard, 10},
			{"time<10:PreferNoSchedule", taint.Soft, 10},
			{"rank=1,rank=2,own3,own4", taint.Hard | taint.Soft, 4},
			{"own3," + strings.Repeat("own4,", 99) + "own5", taint.Hard | taint.Soft, 3},
		} {
			list, err := toleration.ParseList(c.list)
			if err != nil {
				t.Fatal(err)
			}
			var m compile.Matcher
			m.Compile(&v, list, comparisons)
			ids := m.AppendTolerated(nil, c.effects)
			if len(ids) != c.answer {
				t.Errorf("%s: %d of %d tolerated, want %d", c.list, len(ids), n, c.answer)
			}
			steps := m.Steps(c.effects)
			for _, most := range []int{0, 1, steps - 1, steps} {
				limited, whole := m.AppendToleratedWithin(nil, c.effects, most)
				if whole != (steps <= most) || len(limited) > max(0, most) || whole && !slices.Equal(limited, ids) {
					t.Errorf("%s, %d of %d steps: %d tolerated, whole %t", c.list, most, steps, len(limited), whole)
				}
			}
			if strings.HasPrefix(c.list, "rank>") || strings.HasPrefix(c.list, "rank<") || c.effects == taint.Soft {
				c.answer = n // the values of the key
			}
			if c.list == "word:PreferNoSchedule,time:PreferNoSchedule,rank:PreferNoSchedule" {
				c.answer = 3 // keys
			}
			if most := 4*c.answer + 10*logarithm(n); steps > most {
				t.Errorf("%s, %d values: %d steps, want no more than %d", c.list, n, steps, most)
			}
		}
	}
}

// To compile a list looks at slots of hash tables in proportion to the list, whatever
// its tolerations have in common with each other and with the taints.
func TestCompileIsLinear(t *testing.T) {
	if !compile.CountsSteps {
		t.Skip("counts no steps without the tag tolero_invariants")
	}
	for name, text := range map[string]func(i int) string{
		"own keys":        func(i int) string { return fmt.Sprintf("own%d", i) },
		"absent keys":     func(i int) string { return fmt.Sprintf("gone%d=5", i) },
		"values of a key": func(i int) string { return fmt.Sprintf("rank=%d@%d", i, i) },
		"absent values":   func(i int) string { return fmt.Sprintf("rank=gone%d", i) },
		"equal":           func(int) string { return "*:NoSchedule" },
		"bounds":          func(i int) string { return fmt.Sprintf("rank>%d@%d,rank<%d@%d", -i, i, i, i) },
		"values, any key": func(i int) string { return fmt.Sprintf("*=%d", i) },
	} {
		for _, n := range sizes {
			var v compile.Vocabulary
			var texts []string
			for i := range n {
				v.Append(nil, []taint.Taint{{Key: "rank", Value: strconv.Itoa(i), Effect: taint.NoSchedule}, {Key: "own" + strconv.Itoa(i), Effect: taint.NoExecute}})
				texts = append(texts, text(i))
			}
			list, err := notation.Tolerations(strings.Join(texts, ","))
			if err != nil {
				t.Fatal(err)
			}
			var m compile.Matcher
			if cells, most := compile.Cells(func() { m.Compile(&v, list, comparisons) }), 12*len(list); cells > most {
				t.Errorf("%s: %d tolerations look at %d cells, want no more than %d", name, len(list), cells, most)
			}
		}
	}
}

// A fleet whose taints change all the time takes the room of the taints that it has,
// with stragglers that never change and pin what they can. A million taints come and
// go, five hundred on each node: if one in fifty left its place taken, that would be
// more room than there may be. TOLERO_LONG=1 makes it ten million.
func TestChurnLeaksNothing(t *testing.T) {
	rounds, nodes := 500, 2000
	switch {
	case testing.Short() || compile.CountsSteps:
		rounds = 50
	case os.Getenv("TOLERO_LONG") != "":
		rounds = 5000
	}
	var v compile.Vocabulary
	var stragglers []compile.TaintID
	ids := make([][]compile.TaintID, nodes)
	for round := range rounds {
		for i := range ids {
			v.Release(ids[i])
			x := taint.Taint{Key: "key" + strconv.Itoa(round%7), Value: strconv.Itoa(round*nodes + i), Effect: taint.NoSchedule}
			switch i % 4 {
			case 1:
				x.Key, x.Value = x.Value, ""
			case 2:
				x.Effect = "Odd"
			}
			ids[i] = v.Append(ids[i][:0], []taint.Taint{x})
		}
		if round%(rounds/50) == 0 { // one stays
			stragglers = append(stragglers, ids[round%nodes][0])
			ids[round%nodes] = nil
		}
	}
	if v.Len() != nodes+len(stragglers)-1 && v.Len() != nodes+len(stragglers) {
		t.Errorf("%d taints, want %d nodes and %d stragglers", v.Len(), nodes, len(stragglers))
	}
	if v.Room() > 3*v.Len() {
		t.Errorf("room for %d keys and pairs, for %d taints", v.Room(), v.Len())
	}
	if err := v.Inspect(); err != nil {
		t.Error(err)
	}
}
