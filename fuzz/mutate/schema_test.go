package main

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// parsed returns a source and its mutants, numbered from 1.
func parsed(t *testing.T, text string) (*source, []*Mutant) {
	t.Helper()
	src := &source{path: "/x.go", name: "x.go", text: text, fset: token.NewFileSet(), groups: groups{}}
	var err error
	if src.file, err = parser.ParseFile(src.fset, "x.go", text, parser.SkipObjectResolution); err != nil {
		t.Fatal(err)
	}
	var mutants []*Mutant
	for i, m := range find(src, false) {
		if m.fn != nil {
			m.number = i + 1
			mutants = append(mutants, &m)
		}
	}
	return src, mutants
}

func TestWithSwitches(t *testing.T) {
	src, mutants := parsed(t, `package x

// Not is documented.
func Not(b bool) bool { return !b }

var v int

func (s *S[K]) add(K, ...int) { s.n++ }
`)
	const want = `package x

// Not is documented.
func Not(mutantA0 bool) (bool) {
	switch mutant {
	case 1:
		return mutant1_Not(mutantA0)
	default:
		return mutant0_Not(mutantA0)
	}
}

func mutant0_Not(b bool) bool { return !b }

var v int

func (mutantR *S[K]) add(mutantA0 K, mutantA1 ...int) {
	switch mutant {
	case 2:
		mutantR.mutant2_add(mutantA0, mutantA1...)
	case 3:
		mutantR.mutant3_add(mutantA0, mutantA1...)
	default:
		mutantR.mutant0_add(mutantA0, mutantA1...)
	}
}

func (s *S[K]) mutant0_add(K, ...int) { s.n++ }

//line mutant1.go:1
func mutant1_Not(b bool) bool { return b }

//line mutant2.go:1
func (s *S[K]) mutant2_add(K, ...int) {  }

//line mutant3.go:1
func (s *S[K]) mutant3_add(K, ...int) { s.n-- }
`
	if got := withSwitches(src, mutants); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Functions that have no name to call them by, and all that is outside
// functions, have no switches.
func TestWithoutSwitches(t *testing.T) {
	src, mutants := parsed(t, `package main

const c = 1

var f = func() int { return 2 }

func init() { f() }

func main() { f() }

func _() { f() }

func extern(a [3]int)
`)
	if len(mutants) != 0 {
		t.Errorf("%s has a switch", mutants[0].diff())
	}
	if got := withSwitches(src, nil); got != src.text {
		t.Errorf("got\n%s", got)
	}
}

// Every form of function works with switches: all mutants are found and killed,
// and those that do not compile are told apart.
func TestSwitchesInEveryFunction(t *testing.T) {
	long(t)
	t.Parallel()
	files := map[string]string{
		"sample.go": `package sample

type List[T any] struct{ items []T }

func (l *List[_]) Len() int { return len(l.items) + 1 }

func (List[T]) Name() (name string, ok bool) {
	name = "list"
	return name, true
}

func Map[K comparable, V any](_ []K, f func(K) V, keys ...K) (values []V) {
	for _, k := range keys {
		values = append(values, f(k))
	}
	return
}

func Sum(a, b int, _ ...string) int {
	total := a
	total += b
	return total
}

var started int

func init() { started = 1 }
`,
		"sample_test.go": `package sample

import "testing"

func TestAll(t *testing.T) {
	l := &List[int]{items: []int{1}}
	name, ok := l.Name()
	values := Map([]int{}, func(k int) int { return k }, 4, 5)
	if l.Len() != 2 || name != "list" || !ok || len(values) != 2 || Sum(1, 2) != 3 || started != 1 {
		t.Fail()
	}
}
`,
	}
	check(t, files, "sample.go", 0, "14 mutants: 1 not viable, 13 killed, 0 timed out, 0 equivalent, 0 survived\n")
}

// A mutant at a place that no test runs is said to be one.
func TestNotReached(t *testing.T) {
	long(t)
	t.Parallel()
	files := map[string]string{
		"sample.go":      strings.Replace(sample, "return", "if n == 7 {\n\t\treturn false\n\t}\n\treturn", 1),
		"sample_test.go": strings.Replace(strongTest, "!Positive(1) ", "!Positive(1) || !Positive(6) || !Positive(8) ", 1),
	}
	check(t, files, "sample.go", 1, `NOT REACHED: sample.go:6: Positive
	- return false
	+ return true
9 mutants: 0 not viable, 8 killed, 0 timed out, 0 equivalent, 1 survived
`)
}

// A test that fails because of the switches, here since the function has another
// name, is run against the mutants one by one.
func TestThatDoesNotBearSwitches(t *testing.T) {
	long(t)
	t.Parallel()
	files := map[string]string{
		"sample.go": `package sample

import "runtime"

func Name() string {
	pc, _, _, _ := runtime.Caller(0)
	return runtime.FuncForPC(pc).Name() + "!"
}
`,
		"sample_test.go": strings.Replace(strongTest, "!Positive(1) || Positive(0)", `Name() != "sample.Name!"`, 1),
	}
	check(t, files, "sample.go", 0, "2 mutants: 0 not viable, 2 killed, 0 timed out, 0 equivalent, 0 survived\n")
}
