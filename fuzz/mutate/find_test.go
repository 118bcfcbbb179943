package main

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// mutantsOf returns what becomes of the lines of a file that its mutants
// change, in order.
func mutantsOf(t *testing.T, text string, messages bool) []string {
	t.Helper()
	src := &source{name: "x.go", text: text, fset: token.NewFileSet(), groups: groups{}}
	file, err := parser.ParseFile(src.fset, "x.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	src.file = file
	src.groups.addFile(file, "")
	src.groups.addFile(mustParse(t, "package other\nconst (\n\tA = iota\n\tB\n\tc\n)"), "other.")
	var after []string
	for _, m := range find(src, messages) {
		if _, err := parser.ParseFile(token.NewFileSet(), "x.go", m.source(), 0); err != nil {
			t.Errorf("not even Go: %v\n%s", err, m.diff())
		}
		after = append(after, m.After)
	}
	return after
}

func TestFindInStatements(t *testing.T) {
	tests := []struct {
		name, statement string
		want            []string
	}{
		{"equal", "_ = a == b", []string{"_ = a != b", "_ = a <= b", "_ = a >= b"}},
		{"not equal", "_ = a != b", []string{"_ = a == b", "_ = a < b", "_ = a > b"}},
		{"less", "_ = a < b", []string{"_ = a >= b", "_ = a <= b"}},
		{"less or equal", "_ = a <= b", []string{"_ = a > b", "_ = a < b"}},
		{"greater", "_ = a > b", []string{"_ = a <= b", "_ = a >= b"}},
		{"greater or equal", "_ = a >= b", []string{"_ = a < b", "_ = a > b"}},
		{"nil has no order", "_ = a == nil", []string{"_ = a != nil"}},
		{"no length is negative", "_ = len(a) == 0", []string{"_ = len(a) != 0", "_ = len(a) >= 0", "_ = len(a) == 1"}},
		{"no bits are negative", "_ = a&b != 0", []string{"_ = a&b == 0", "_ = a&b < 0", "_ = a|b != 0", "_ = a&b != 1"}},
		{"nothing is less than empty", `_ = a != ""`, []string{`_ = a == ""`, `_ = a < ""`, `_ = a != "x"`}},
		{"and", "_ = a && b", []string{"_ = a || b", "_ = a", "_ = b", "_ = !a && b", "_ = a && !b"}},
		{"or of comparisons", "_ = a < 1 || !b", []string{"_ = a < 1 && !b", "_ = a < 1", "_ = !b",
			"_ = a >= 1 || !b", "_ = a <= 1 || !b", "_ = a < 2 || !b", "_ = a < 0 || !b", "_ = a < 1 || b"}},
		{"not", "_ = !a", []string{"_ = a"}},
		{"minus", "_ = -a", []string{"_ = a"}},
		{"arithmetic", "_ = a + b*c", []string{"_ = a - b*c", "_ = a + b/c"}},
		{"strings are not subtracted", `_ = a + "b" + c`, []string{`_ = a + "" + c`}},
		{"shift", "_ = a << 1", []string{"_ = a >> 1", "_ = a << 2", "_ = a << 0"}},
		{"numbers", "_ = f(0, 0x10)", []string{"_ = f(1, 0x10)", "_ = f(0, 17)", "_ = f(0, 15)", "_ = f(0, -0x10)"}},
		{"signs", "_ = -1\na = 2 * b[3:4]\nc += 5", []string{"_ = 1", "_ = -2", "_ = -0", "_ = 2 * b[3:4]", "a = 2 / b[3:4]",
			"a = 3 * b[3:4]", "a = 1 * b[3:4]", "a = -2 * b[3:4]", "a = 2 * b[4:4]", "a = 2 * b[2:4]", "a = 2 * b[3:5]", "a = 2 * b[3:3]", "c -= 5", "_ = 5", "c += 6", "c += 4"}},
		{"characters", `_ = 'b'`, []string{"_ = 'c'", "_ = 'a'"}},
		{"bools", "_ = f(true, false)", []string{"_ = f(false, false)", "_ = f(true, true)"}},
		{"strings", `_ = f("", "a")`, []string{`_ = f("x", "a")`, `_ = f("", "")`}},
		{"words are for humans", `_ = "two words"`, nil},
		{"errors are for humans", `_ = errors.New("cause" + g("x"))`, nil},
		{"details are for humans", `_ = T{Field: "f", Detail: "d"}`, []string{`_ = T{Field: "", Detail: "d"}`}},
		{"constant of a group", "_ = red", []string{"_ = green", "_ = blue"}},
		{"constant of another package", "_ = other.A", []string{"_ = other.B"}},
		{"its unexported one", "_ = other.c", nil},
		{"no constant but a field", "_ = a.red", nil},
		{"no constant but a key", "_ = T{red: 1}", []string{"_ = T{red: 2}", "_ = T{red: 0}", "_ = T{red: -1}"}},
		{"constant as a key", "_ = map[color]int{red: 1}", []string{"_ = map[color]int{green: 1}", "_ = map[color]int{blue: 1}", "_ = map[color]int{red: 2}", "_ = map[color]int{red: 0}", "_ = map[color]int{red: -1}"}},
		{"constants of equal value", "_ = ten", []string{"_ = twelve"}},
		{"assignment", "a = b", []string{"_ = b"}},
		{"of several", "a, b = b, a", []string{"_, _ = b, a"}},
		{"definition", "a := b", nil},
		{"of append", "a = append(a, b)", []string{"_ = append(a, b)"}},
		{"of append to another", "a = append(b, c)", []string{"_ = append(b, c)", "a = b"}},
		{"of a sum", "a += b", []string{"a -= b", "_ = b"}},
		{"of a text", `a += "b"`, []string{`_ = "b"`, `a += ""`}},
		{"increment", "a++", []string{"", "a--"}},
		{"call", "f(a)", []string{""}},
		{"condition", "if a { f() }", []string{"if !a { f() }", "if a { }"}},
		{"loop", "for a.b() { break }", []string{"for !a.b() { break }", "for a.b() { }", "for a.b() { continue }"}},
		{"endless loop", "for { continue }", []string{"for { }", "for { break }"}},
		{"switch", "switch a {\ncase 1, b:\nf()\ndefault:\nreturn\n}", []string{
			"", "case b:", "case 1:", "", "case 2, b:", "case 0, b:", "", ""}},
		{"switch of conditions", "switch { case a: f() }", []string{"switch { }", "switch { case !a: f() }", "switch { case a: }"}},
		{"defer", "defer f()", []string{""}},
		{"return", "return", []string{""}},
		{"copies", "_ = f(a.b.Freeze(), slices.Clone(c), clone(d), e[f:g:g])", []string{
			"_ = f(a.b, slices.Clone(c), clone(d), e[f:g:g])", "_ = f(a.b.Freeze(), c, clone(d), e[f:g:g])",
			"_ = f(a.b.Freeze(), slices.Clone(c), d, e[f:g:g])", "_ = f(a.b.Freeze(), slices.Clone(c), clone(d), e[f:g])"}},
		{"copies by append", "_ = append([]T(nil), a...)", []string{"_ = []T(nil)", "_ = a"}},
		{"no copies", "_ = f(clone(), other.Copy(a, b), a.Freezer())", nil},
		{"edited", "f(v.Edit(i).n)", []string{"", "f(v.At(i).n)"}},
		{"fields", "_ = key{a, &b, c: d, e: nil}", []string{"_ = key{mutantZero(a), &b, c: d, e: nil}",
			"_ = key{a, mutantZero(&b), c: d, e: nil}", "_ = key{a, &b, c: mutantZero(d), e: nil}", "_ = key{a, &b, c: d, e: mutantZero(nil)}"}},
		{"no fields", "_ = f([]int{a}, map[int]int{a: b}, T{{a}})", nil},
		{"statements that depend", "a.b = c\nd := a.b.e", []string{"d := a.b.e a.b = c", "_ = c"}},
		{"calls that depend", "f(a)\na.g()", []string{"a.g() f(a)", "", ""}},
		{"independent statements", "f(a)\nf(b)\nx.g()\ny.g()\nc = a", []string{"", "", "", "", "_ = a"}},
		{"a variable and its definition", "a := b\na = c", []string{"_ = c"}},
	}
	const before = "package x\nconst (\n\tred color = iota\n\tgreen\n\tblue\n)\nconst (\n\tten = x\n\ttwelve = x\n)\nfunc _() {\n"
	ignored := mutantsOf(t, before+"}\n", false)
	for _, tt := range tests {
		got := mutantsOf(t, before+tt.statement+"\n}\n", false)[len(ignored):]
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %s\ngot  %s\nwant %s", tt.name, tt.statement, strings.Join(got, "\n     "), strings.Join(tt.want, "\n     "))
		}
	}
}

func TestFindInDeclarations(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"imports", `import "fmt"`, nil},
		{"tags", "type t struct { a int `json:\"a\"` }", []string{`type t struct { a int "" }`}},
		{"returned bools", "func f() (int, bool) { return g(), h() }", []string{"func f() (int, bool) { return g(), !h() }"}},
		{"named results", "func f() (a, b bool, err error) { return a && b, c == d, nil }", []string{
			"func f() (a, b bool, err error) { return !(a && b), c == d, nil }",
			"func f() (a, b bool, err error) { return a || b, c == d, nil }",
			"func f() (a, b bool, err error) { return a, c == d, nil }",
			"func f() (a, b bool, err error) { return b, c == d, nil }",
			"func f() (a, b bool, err error) { return !a && b, c == d, nil }",
			"func f() (a, b bool, err error) { return a && !b, c == d, nil }",
			"func f() (a, b bool, err error) { return a && b, c != d, nil }",
			"func f() (a, b bool, err error) { return a && b, c <= d, nil }",
			"func f() (a, b bool, err error) { return a && b, c >= d, nil }"}},
		{"of a function literal", "func f() { g(func() bool { return h() }) }", []string{
			"func f() { }", "func f() { g(func() bool { return !h() }) }"}},
		{"constants in one group", "const ( a, b = 1, 2; c = 1 )", []string{
			"const ( a, b = 2, 2; c = 1 )", "const ( a, b = 0, 2; c = 1 )", "const ( a, b = -1, 2; c = 1 )",
			"const ( a, b = 1, 3; c = 1 )", "const ( a, b = 1, 1; c = 1 )", "const ( a, b = 1, -2; c = 1 )",
			"const ( a, b = 1, 2; c = 2 )", "const ( a, b = 1, 2; c = 0 )", "const ( a, b = 1, 2; c = -1 )"}},
	}
	for _, tt := range tests {
		if got := mutantsOf(t, "package x\n"+tt.text+"\n", false); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %s\ngot  %s\nwant %s", tt.name, tt.text, strings.Join(got, "\n     "), strings.Join(tt.want, "\n     "))
		}
	}
}

func TestFindMessages(t *testing.T) {
	got := mutantsOf(t, "package x\nvar _ = errors.New(\"two words\")\n", true)
	if want := []string{`var _ = errors.New("")`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSiblingsAreLimited(t *testing.T) {
	g := groups{}
	g.addFile(mustParse(t, "package x\nconst (\n\ta = iota\n\tb\n\tc\n\td\n\te\n\tf\n\t_\n)\nconst one = 1\n"), "")
	if want := []string{"e", "f", "a", "b"}; !slices.Equal(g["d"], want) {
		t.Errorf("d is replaced by %q, want %q", g["d"], want)
	}
	if len(g["one"]) != 0 || len(g["_"]) != 0 {
		t.Errorf("one is replaced by %q, _ by %q", g["one"], g["_"])
	}
}

// Each mutant says where it is, and two that look the same are told apart.
func TestDeclarationsAndLines(t *testing.T) {
	text := "package x\n\nconst c = 1\n\ntype t[k any] struct{}\n\nfunc (*t[k]) m() {\n\tf()\n\tf()\n}\n\nvar (\n\tv = 0\n)\n"
	src := &source{name: "x.go", text: text, fset: token.NewFileSet(), groups: groups{}}
	src.file, _ = parser.ParseFile(src.fset, "x.go", text, 0)
	var got []string
	for _, m := range find(src, false) {
		got = append(got, m.diff())
	}
	want := []string{
		"x.go:3: const c\n\t- const c = 1\n\t+ const c = 2\n",
		"x.go:3: const c\n\t- const c = 1\n\t+ const c = 0\n",
		"x.go:3: const c\n\t- const c = 1\n\t+ const c = -1\n",
		"x.go:8: t.m\n\t- f()\n\t+ \n",
		"x.go:9: t.m (2)\n\t- f()\n\t+ \n",
		"x.go:13: var v\n\t- v = 0\n\t+ v = 1\n",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, ""), strings.Join(want, ""))
	}
}
