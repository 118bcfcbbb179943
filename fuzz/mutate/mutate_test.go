package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func mustParse(t *testing.T, text string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// The sample has three mutants: n <= 0, n >= 0 and n > 1.
const sample = `package sample

// Positive reports whether n is more than nothing.
func Positive(n int) bool {
	return n > 0
}
`

// weakTest misses the bound: n >= 0 and n > 1 live.
const weakTest = `package sample

import "testing"

func TestPositive(t *testing.T) {
	if !Positive(5) || Positive(-5) {
		t.Fail()
	}
}
`

// strongTest has both sides of the bound.
const strongTest = `package sample

import "testing"

func TestPositive(t *testing.T) {
	if !Positive(1) || Positive(0) {
		t.Fail()
	}
}
`

// tree writes files into a new module and returns its directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module sample\n\ngo 1.25\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// check runs the command in a module with the given files, and compares the
// exit status and what it prints.
func check(t *testing.T, files map[string]string, args string, status int, want string) {
	t.Helper()
	dir := tree(t, files)
	var stdout, stderr bytes.Buffer
	got := mainIn(dir, append([]string{"-memory=0"}, strings.Fields(args)...), &stdout, &stderr)
	if got != status || stdout.String() != want {
		t.Errorf("exit status %d, want %d\n%s\ngot\n%swant\n%s", got, status, stderr.String(), stdout.String(), want)
	}
	for name, text := range files {
		if now, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || string(now) != text {
			t.Errorf("%s was changed: %v", name, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != len(files)+1 && files["other/o.go"]+files["other/other_test.go"] == "" {
		t.Errorf("files were left behind: %v, %v", entries, err)
	}
}

// long skips a test unless TOLERO_LONG is in the environment. Such tests build modules
// of their own, or wait for mutants that never end.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("TOLERO_LONG") == "" {
		t.Skip("with TOLERO_LONG=1")
	}
}

func TestWeakTestsLetMutantsLive(t *testing.T) {
	long(t)
	t.Parallel()
	files := map[string]string{"sample.go": sample, "sample_test.go": weakTest}
	check(t, files, "sample.go sample_test.go", 1, `SURVIVED: sample.go:5: Positive
	- return n > 0
	+ return n >= 0
SURVIVED: sample.go:5: Positive
	- return n > 0
	+ return n > 1
3 mutants: 0 not viable, 1 killed, 0 timed out, 0 equivalent, 2 survived
`)
}

func TestStrongTestsKill(t *testing.T) {
	long(t)
	t.Parallel()
	files := map[string]string{"sample.go": sample, "sample_test.go": strongTest}
	check(t, files, "-v .", 0, `killed: sample.go:5: Positive
	- return n > 0
	+ return n <= 0
killed: sample.go:5: Positive
	- return n > 0
	+ return n >= 0
killed: sample.go:5: Positive
	- return n > 0
	+ return n > 1
3 mutants: 0 not viable, 3 killed, 0 timed out, 0 equivalent, 0 survived
`)
}

// What the package's own tests let live, those of another may kill.
func TestOtherPackagesKill(t *testing.T) {
	long(t)
	t.Parallel()
	other := strings.Replace(strongTest, "package sample\n\nimport \"testing\"", "package other\n\nimport (\n\t\"testing\"\n\n\t. \"sample\"\n)", 1)
	files := map[string]string{"sample.go": sample, "sample_test.go": weakTest, "other/other_test.go": other}
	check(t, files, "-j=1 -test=./other,. sample.go", 0, "3 mutants: 0 not viable, 3 killed, 0 timed out, 0 equivalent, 0 survived\n")
}

// Which tests are run is a matter of -run.
func TestRunChoosesTests(t *testing.T) {
	long(t)
	t.Parallel()
	both := weakTest + strings.Replace(strings.TrimPrefix(strongTest, "package sample\n\nimport \"testing\"\n"), "TestPositive", "TestBound", 1)
	files := map[string]string{"sample.go": sample, "sample_test.go": both}
	check(t, files, "-run=Bound sample.go", 0, "3 mutants: 0 not viable, 3 killed, 0 timed out, 0 equivalent, 0 survived\n")
}

// A mutant whose tests do not end is killed, and one that no test could kill is
// explained in a list.
func TestTimedOutAndEquivalent(t *testing.T) {
	long(t)
	t.Parallel()
	files := map[string]string{
		"sample.go": `package sample

func Sum(done func() bool) bool {
	for !done() {
	}
	return "" == Name
}

var Name string
`,
		"sample_test.go": `package sample

import "testing"

func TestSum(t *testing.T) {
	Name = ""
	empty := Sum(func() bool { return true })
	Name = "x"
	if !empty || Sum(func() bool { return true }) {
		t.Fail()
	}
}
`,
		"equivalent.txt": `sample.go: Sum
- return "" == Name
+ return "" >= Name
= nothing is less than the empty string

other/o.go: F
- a
+ b
= of a file that is not mutated
`,
		"other/o.go": "package other\n",
	}
	check(t, files, "-timeout=5s -equivalent=equivalent.txt sample.go", 0, `timed out: sample.go:4: Sum
	- for !done() {
	+ for done() {
5 mutants: 0 not viable, 3 killed, 1 timed out, 1 equivalent, 0 survived
`)
}

// A mutant that the compiler refuses counts for nothing; one that only vet
// would refuse is for the tests to kill.
func TestNotViable(t *testing.T) {
	long(t)
	t.Parallel()
	files := map[string]string{
		"sample.go": `package sample

import "fmt"

const (
	one = "1"
	two = 2
)

func F() string { return one }

func G() string { return fmt.Sprintf("%d", 7) }
`,
		"sample_test.go": strings.Replace(strongTest, "!Positive(1) || Positive(0)", `F() != "1" || G() != "7" || two != 2`, 1),
	}
	check(t, files, "-v sample.go", 0, `killed: sample.go:6: const one
	- one = "1"
	+ one = ""
killed: sample.go:7: const two
	- two = 2
	+ two = 3
killed: sample.go:7: const two
	- two = 2
	+ two = 1
killed: sample.go:7: const two
	- two = 2
	+ two = -2
not viable: sample.go:10: F
	- func F() string { return one }
	+ func F() string { return two }
killed: sample.go:12: G
	- func G() string { return fmt.Sprintf("%d", 7) }
	+ func G() string { return fmt.Sprintf("", 7) }
killed: sample.go:12: G
	- func G() string { return fmt.Sprintf("%d", 7) }
	+ func G() string { return fmt.Sprintf("%d", 8) }
killed: sample.go:12: G
	- func G() string { return fmt.Sprintf("%d", 7) }
	+ func G() string { return fmt.Sprintf("%d", 6) }
killed: sample.go:12: G
	- func G() string { return fmt.Sprintf("%d", 7) }
	+ func G() string { return fmt.Sprintf("%d", -7) }
9 mutants: 1 not viable, 8 killed, 0 timed out, 0 equivalent, 0 survived
`)
}

// The list of equivalent mutants must be right: what it lists exists and lives.
func TestWrongEquivalents(t *testing.T) {
	long(t)
	t.Parallel()
	const list = `sample.go: Positive
- return n > 0
+ return n >= 0
= this is not true

sample.go: Positive
- return n > 0
+ return n != 0
= there is no such mutant
`
	files := map[string]string{"sample.go": sample, "sample_test.go": strongTest, "list.txt": list}
	check(t, files, "-equivalent=list.txt sample.go", 1, `explained as equivalent, but killed: sample.go:5: Positive
	- return n > 0
	+ return n >= 0
explained as equivalent, but there is no such mutant: sample.go: Positive
	- return n > 0
	+ return n != 0
3 mutants: 0 not viable, 3 killed, 0 timed out, 0 equivalent, 0 survived
`)
}

func TestList(t *testing.T) {
	t.Parallel()
	check(t, map[string]string{"sample.go": sample}, "-list sample.go", 0, `sample.go:5: Positive
	- return n > 0
	+ return n <= 0
sample.go:5: Positive
	- return n > 0
	+ return n >= 0
sample.go:5: Positive
	- return n > 0
	+ return n > 1
`)
}

// What is handed out and promised not to change is a copy: At for Edit writes to it. A test
// that asks the copy again kills the mutant, and one that does not lets it live. The mutant
// is viable though nothing else uses the variable k.
func TestSharedCopies(t *testing.T) {
	long(t)
	t.Parallel()
	const shared = `package sample

type Vector struct{ items *[]int }

func (v *Vector) At(i int) *int { return &(*v.items)[i] }

func (v *Vector) Edit(i int) *int {
	own := append([]int{}, *v.items...)
	v.items = &own
	return v.At(i)
}

func Raise(v *Vector) {
	for k := range 2 {
		bump(v.Edit(k))
	}
}

func bump(n *int) { *n = *n + 5 }
`
	const test = `package sample

import "testing"

func TestRaise(t *testing.T) {
	v := Vector{&[]int{1, 2}}
	before := v
	Raise(&v)
	if *v.At(0) != 6 || *v.At(1) != 7 || CHECK {
		t.Fail()
	}
}
`
	for check, survivor := range map[string]string{"before.items == nil": `SURVIVED: sample.go:15: Raise
	- bump(v.Edit(k))
	+ bump(v.At(k))
`, "*before.At(0) != 1 || *before.At(1) != 2": ""} {
		files := map[string]string{"sample.go": shared, "sample_test.go": strings.Replace(test, "CHECK", check, 1)}
		dir := tree(t, files)
		var out, errs bytes.Buffer
		status := mainIn(dir, []string{"-memory=0", "-v", "sample.go"}, &out, &errs)
		const at = "killed: sample.go:15: Raise\n\t- bump(v.Edit(k))\n\t+ bump(v.At(k))\n"
		const unused = "killed: sample.go:15: Raise\n\t- bump(v.Edit(k))\n\t+ \n"
		text := out.String()
		if survivor == "" && (status != 0 || !strings.Contains(text, at)) || !strings.Contains(text, survivor) || !strings.Contains(text, unused) {
			t.Errorf("%s: exit status %d, %s\n%s", check, status, errs.String(), text)
		}
	}
}

// The reasons of explained mutants are checked with the tests of the packages that use
// theirs, and with build tags.
func TestExplainedIsChecked(t *testing.T) {
	long(t)
	t.Parallel()
	files := map[string]string{
		"sample.go": strings.Replace(sample, "package", "// Package sample is used by other.\npackage", 1), "sample_test.go": weakTest,
		"other/o.go":      "package other\n\nimport \"sample\"\n\nvar Positive = sample.Positive\n",
		"other/o_test.go": strings.Replace(strongTest, "package sample", "//go:build strict\n\npackage other", 1),
		"list.txt":        "sample.go: Positive\n- return n > 0\n+ return n >= 0\n= this is not true\n",
	}
	const args = "-explained -equivalent=list.txt -test=dependents "
	check(t, files, args+"sample.go", 0, "1 mutants: 0 not viable, 0 killed, 0 timed out, 1 equivalent, 0 survived\n")
	check(t, files, args+"-tags=strict sample.go", 1, `explained as equivalent, but killed: sample.go:6: Positive
	- return n > 0
	+ return n >= 0
1 mutants: 0 not viable, 1 killed, 0 timed out, 0 equivalent, 0 survived
`)
}

func TestImpossible(t *testing.T) {
	long(t)
	t.Parallel()
	tests := []struct {
		name, args, err string
		files           map[string]string
	}{
		{"no files", "", "want at least one file and one job", nil},
		{"no jobs", "-j=0 sample.go", "want at least one file and one job", nil},
		{"unknown flag", "-what", "flag provided but not defined: -what", nil},
		{"no such file", "sample.go", "no such file", nil},
		{"no Go", "sample.go", "expected 'package'", map[string]string{"sample.go": "nonsense"}},
		{"no tests", "sample.go", "sample.go: there are no tests", map[string]string{"sample.go": sample}},
		{"no such package", "-test=./other sample.go", "directory not found", map[string]string{"sample.go": sample, "sample_test.go": weakTest}},
		{"tests that fail", "sample.go", "sample fails without any mutant: exit status 1\n--- FAIL: TestPositive", map[string]string{
			"sample.go": sample, "sample_test.go": strings.Replace(strongTest, "Positive(0)", "Positive(2)", 1)}},
		{"tests that do not compile", "sample.go", "sample fails without any mutant: build failed", map[string]string{
			"sample.go": sample, "sample_test.go": strings.Replace(strongTest, "Positive(0)", "Negative(0)", 1)}},
		{"bad list", "-equivalent=list.txt sample.go", "list.txt: line 1: want four lines", map[string]string{
			"sample.go": sample, "sample_test.go": strongTest, "list.txt": "a"}},
		{"list about a file that is gone", "-equivalent=list.txt sample.go", "list.txt: there is no file gone.go", map[string]string{
			"sample.go": sample, "sample_test.go": strongTest, "list.txt": "gone.go: F\n- x\n+ y\n= z\n"}},
		{"bad -skip", "-skip=( sample.go", "missing closing )", map[string]string{"sample.go": sample, "sample_test.go": strongTest}},
	}
	for _, tt := range tests {
		var stdout, stderr bytes.Buffer
		status := mainIn(tree(t, tt.files), append([]string{"-memory=0"}, strings.Fields(tt.args)...), &stdout, &stderr)
		if status != 2 || !strings.Contains(stderr.String(), tt.err) {
			t.Errorf("%s: exit status %d, %s\nwant %s", tt.name, status, stderr.String(), tt.err)
		}
	}
}
