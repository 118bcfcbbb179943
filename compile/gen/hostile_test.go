package gen_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile/gen"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// ptr returns a pointer to a copy of v.
func ptr[T any](v T) *T { return &v }

// longLists have n entries: as many keys, values of one key, keys that have
// nothing in common, and keys among tolerations for all keys.
func longLists(n int) []gen.List {
	shapes := map[string]func(i int) toleration.Toleration{
		"keys": func(i int) toleration.Toleration {
			return toleration.Toleration{Key: fmt.Sprintf("key-%d", i), Value: "x"}
		},
		"values": func(i int) toleration.Toleration { return toleration.Toleration{Key: "key", Value: fmt.Sprint(i)} },
		"evicting": func(i int) toleration.Toleration {
			return toleration.Toleration{Key: fmt.Sprintf("key-%d", i), Operator: toleration.OpExists, TolerationSeconds: ptr(int64(i))}
		},
		"any key": func(i int) toleration.Toleration {
			t := toleration.Toleration{Value: fmt.Sprint(i), TolerationSeconds: ptr(int64(i % 7))}
			if i%2 == 0 {
				t.Key = fmt.Sprintf("key-%d", i)
			}
			return t
		},
	}
	var lists []gen.List
	for _, name := range []string{"keys", "values", "evicting", "any key"} {
		list := gen.List{Name: "long " + name}
		for i := range n {
			list.Tolerations = append(list.Tolerations, shapes[name](i))
		}
		list.Tolerations = gen.Repaired(list.Tolerations)
		lists = append(lists, list)
	}
	return lists
}

// Lists of 10,000 entries give code that type-checks. The compiler takes it too,
// but up to half a minute for it.
func TestEnormousLists(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 500
	}
	for i, list := range longLists(n) {
		style := styles[2+i%2] // without imports, to be checked alone
		source, err := gen.Generate([]gen.List{list}, style)
		if err != nil {
			t.Fatal(err)
		}
		if err := typeCheck(source); err != nil {
			t.Errorf("%s: %v", list.Name, err)
		}
		if perEntry := len(source) / n; perEntry > 200 {
			t.Errorf("%s: %d bytes of source for an entry", list.Name, perEntry)
		}
	}
}

// typeCheck checks a file that imports nothing.
func typeCheck(source []byte) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "generated.go", source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	if len(file.Imports) > 0 {
		return fmt.Errorf("it imports %s", file.Imports[0].Path.Value)
	}
	config := types.Config{Importer: importer.Default()}
	_, err = config.Check("generated", files, []*ast.File{file}, nil)
	return err
}

// FuzzGenerate generates code for any two lists: it is an error, or code that
// type-checks and is the same the second time. The header must stay a comment.
func FuzzGenerate(f *testing.F) {
	for _, seed := range []struct{ name1, name2, key, operator, value, effect string }{
		{"agent", "other", "a", "Equal", "b", "NoSchedule"},
		{"type", "string", "\"", "Gt", "7", "NoExecute"}, // a keyword, a predeclared identifier, a quote
		{"a b", "a-b", "\\", "Exists", "`", "\n"},        // names that collide
		{"日本", "9", "*/", "Lt", "-5", "// x"},            // no capital, a digit
		{"taint", "match", "\xff", "", "\ufeff", "\x00"}, // the names of imports, not UTF-8
		{"", "_", "+build ignore", "", "\u2028", ""},     // no letter at all
		{"İx", "ıx", "a", "Gt", "-9223372036854775808", ""},
	} {
		for style := range uint8(4) {
			f.Add(seed.name1, seed.name2, seed.key, seed.operator, seed.value, seed.effect, int64(5), style)
		}
	}
	target.Fuzz(f, func(t *testing.T, name1, name2, key, operator, value, effect string, seconds int64, style uint8) {
		one := toleration.Toleration{Key: key, Operator: toleration.Operator(operator), Value: value, Effect: taint.Effect(effect), TolerationSeconds: &seconds}
		two := toleration.Toleration{Key: value, Operator: toleration.OpGt, Value: operator, Effect: taint.Effect(key)}
		three := toleration.Toleration{Key: key, Value: effect, TolerationSeconds: &seconds}
		lists := []gen.List{
			{Name: name1, Source: value, Tolerations: gen.Repaired([]toleration.Toleration{one, two})},
			{Name: name2, Source: key, Tolerations: gen.Repaired([]toleration.Toleration{two, three, one})},
		}
		o := gen.Options{Package: "p", Functions: style&1 != 0, Exported: style&2 != 0, Standalone: true, Rules: comparing, Command: effect}
		source, err := gen.Generate(lists, o)
		if err != nil {
			if source != nil || !strings.Contains(err.Error(), "identifier") {
				t.Fatalf("error %v, with %d bytes", err, len(source))
			}
			return
		}
		if err := typeCheck(source); err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		again, err := gen.Generate(lists, o)
		if err != nil || string(again) != string(source) {
			t.Fatalf("not the same the second time: %v", err)
		}
		o.Standalone = false
		for _, generate := range []func([]gen.List, gen.Options) ([]byte, error){gen.Generate, gen.GenerateTest} {
			source, err := generate(lists, o)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), "generated.go", source, 0); err != nil {
				t.Fatalf("%v\n%s", err, source)
			}
		}
	})
}
