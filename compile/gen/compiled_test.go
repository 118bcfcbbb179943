package gen_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile/gen"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// comparing are the rules of a cluster with Gt and Lt.
var comparing = toleration.Rules{Comparisons: true}

// styles are the forms that code can have.
var styles = []gen.Options{
	{Package: "a", Exported: true, Rules: comparing},
	{Package: "b", Functions: true, Rules: comparing},
	{Package: "c", Functions: true, Exported: true, Standalone: true, Rules: comparing},
	{Package: "d", Standalone: true, Rules: comparing},
}

// TestGeneratedCodeAgreesWithMatch generates code for every real list and for
// odd ones, compiles them, and runs the generated tests: all answers for all that
// each list tells apart against package match (rules M1 to M6, N1 to N3, F2, F3,
// E1 to E3). The compiler and the vet checks of go test see the code too.
func TestGeneratedCodeAgreesWithMatch(t *testing.T) {
	w := newWorkspace(t)
	lists := make([][]gen.List, len(styles))
	for i, list := range realLists() {
		lists[i%len(styles)] = append(lists[i%len(styles)], list)
	}
	for i, list := range oddLists(t) { // once with this module and once without
		lists[i%2] = append(lists[i%2], list)
		lists[2+i%2] = append(lists[2+i%2], list)
	}
	lists[0] = append(lists[0], randomLists(1, 30)...)
	lists[3] = append(lists[3], randomLists(2, 30)...)
	lists[3] = append(lists[3], longLists(150)...)
	for i, style := range styles {
		w.add(t, lists[i], style)
	}
	w.test(t)
}

// realLists are the different lists of the corpus.
func realLists() []gen.List {
	var lists []gen.List
	seen := make(map[string]bool)
	for _, found := range corpus.Tolerations() {
		if !seen[found.List] {
			seen[found.List] = true
			lists = append(lists, gen.List{Name: "list " + found.List, Source: found.Source + " " + found.Workload, Tolerations: found.Tolerations})
		}
	}
	return lists
}

// oddLists are about everything that real lists seldom or never have.
func oddLists(t *testing.T) []gen.List {
	lists := []gen.List{
		{Name: "nothing"}, {Name: "empty", Tolerations: []toleration.Toleration{}},
	}
	for i, text := range []string{
		"*,a@5", "a@5,*", "a:NoExecute@0,b:NoExecute@-1,c:NoExecute@9223372036,d:NoExecute@9223372037,e:NoExecute@18446744074", // E2, E3
		"a:NoExecute@60,a=1:NoExecute@30,b:NoSchedule,*@300,c@200", "*=x@1,a@2,*=y@3,b=y@4,c=z@5,*@6,d@7",
		"a=1@1,a=2@2,a=1@3,a=3@1,a>0@4,a=5@6,a<-2@7,a@8,a=9@9", "a=1@1,*>0@2,a=7@3,a<7@4,b=1@5", // the first one counts
		"n>5,n>3:NoSchedule,n<1,n<-7:NoExecute,n>9:NoExecute@9", "n>9223372036854775806,m<-9223372036854775807", // N1
		"n>9223372036854775807,n<-9223372036854775808,n>05,n<\"+1\",n>-0,n<1e3,n>\"\"", "n>-9223372036854775808,n<9223372036854775807", // N2
		"n>0,n=5,n=-5,n=x,n<-3,n=0", "n>0:NoSchedule,n=5:NoSchedule,n=5:NoExecute,n=-5", // what numbers cover
		"*>5,n<3,n>7", "*=x:NoSchedule,a=x,a=y:NoSchedule,*:NoExecute@30", // the empty key, with any operator
		"a:NoSchedule,a:NoExecute,a:PreferNoSchedule,a:Other", "a:Other,b=1:Another,c", "a,b==y,c=", // M2
		"*:NoSchedule,*:PreferNoSchedule,*:NoExecute", "*:NoSchedule,*:PreferNoSchedule,*:NoExecute@5", "*:NoExecute,a:NoSchedule", // constant answers
		"*:NoSchedule,*:NoExecute", "*:PreferNoSchedule,*:NoExecute@0", "*:NoSchedule,a:NoExecute@7", "a?In x,n>x", "*,a@5", "*:Other",
		"a:NoSchedule,*:NoSchedule,a=1,a:NoExecute,b=2:NoSchedule", "a=1,a=2,a=3,a=4,a=5,a=6:NoSchedule,b=1:NoExecute,b=2:NoExecute",
		"a=1:NoSchedule,a=2:NoSchedule,a=3:NoSchedule,a=4:NoSchedule,a=5:NoSchedule,a=1:NoExecute@1,a>9:NoSchedule", `"\"":"\n","\\"="\"` + "`" + `"`,
		`"key with\nline end"="value\r":"effect\x00","\xff\xfe"="\u2028\ufeff","日本"="１":"Ж",` + "\"`\"=\"*/ //\"", // strings that need care
	} {
		list, err := notation.Tolerations(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		lists = append(lists, gen.List{Name: fmt.Sprintf("odd %d", i), Source: "what is \"odd\" */ \n package x", Tolerations: gen.Repaired(list)})
	}
	return append(lists, keyLists()...)
}

// keyLists are about keys of all the lengths that are compared in their own way:
// one key alone, and one to six keys of each with the same test for all, with
// tests of their own, and with a single effect.
func keyLists() []gen.List {
	var lists []gen.List
	var same, different, single []toleration.Toleration
	for i, length := range []int{1, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 200} {
		for j := range 1 + i%6 {
			key := keyOfLength(length, rune('a'+j))
			same = append(same, toleration.Toleration{Key: key, Value: "x"})
			different = append(different, toleration.Toleration{Key: key, Value: fmt.Sprint(j % 3)})
			single = append(single, toleration.Toleration{Key: key, Value: fmt.Sprint(j % 2), Effect: taint.NoExecute})
		}
		lists = append(lists, gen.List{Name: fmt.Sprintf("one key of %d", length), Tolerations: single[len(single)-1:]})
	}
	return append(lists,
		gen.List{Name: "same test", Tolerations: same}, gen.List{Name: "different tests", Tolerations: different},
		gen.List{Name: "single effect", Tolerations: single},
	)
}

// keyOfLength returns a valid key: names have 63 bytes at most.
func keyOfLength(length int, last rune) string {
	if length > 63 {
		return strings.Repeat("k", length-2) + "/" + string(last)
	}
	return strings.Repeat("k", length-1) + string(last)
}

// randomLists are n lists in which the tolerations have much in common.
func randomLists(seed uint64, n int) []gen.List {
	random := rand.New(rand.NewPCG(seed, 0))
	keys := []string{"", "a", "b", "ab", "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable", "node.kubernetes.io/out-of-disk"}
	values := []string{"", "x", "y", "5", "-5", "7", "05", "v1", "v2", "v3"}
	effects := []taint.Effect{"", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, taint.NoExecute, "Other"}
	operators := []toleration.Operator{"", toleration.OpEqual, toleration.OpEqual, toleration.OpExists, toleration.OpGt, toleration.OpLt, "In"}
	lists := make([]gen.List, n)
	for i := range lists {
		list := make([]toleration.Toleration, 1+random.IntN(16))
		for j := range list {
			list[j] = toleration.Toleration{
				Key: keys[random.IntN(len(keys))], Operator: operators[random.IntN(len(operators))],
				Value: values[random.IntN(len(values))], Effect: effects[random.IntN(len(effects))],
			}
			if random.IntN(3) > 0 {
				list[j].TolerationSeconds = ptr(int64(random.IntN(5) - 1))
			}
		}
		lists[i] = gen.List{Name: fmt.Sprintf("random %d", i), Tolerations: gen.Repaired(list)}
	}
	return lists
}
