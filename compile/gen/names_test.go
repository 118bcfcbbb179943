package gen_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/compile/gen"
	"github.com/tolero-dev/tolero/toleration"
)

// hostileNames are identifiers that mean something else in Go, in the generated
// files or in a package.
var hostileNames = []string{
	"type", "func", "string", "true", "len", "int64", "max", "new", "nil", "init", "main", "any", "bool", "append", "range",
	"taint", "match", "time", "testing", "toleration", "gentest", "t", "m", "n", "i", "ok", "key", "value", "effect", "effects", "at",
	"after", "taints", "s", "digits", "v", "evicted", "left", "tolerated", "wanted", "error", "iota",
}

// Lists with such names compile and give the right answers in every form.
func TestHostileNames(t *testing.T) {
	var lists []gen.List
	for _, name := range hostileNames {
		lists = append(lists, gen.List{Name: name, Tolerations: gen.Repaired([]toleration.Toleration{{Key: name, Operator: toleration.OpGt, Value: "1", TolerationSeconds: ptr(int64(7))}})})
	}
	w := newWorkspace(t)
	for _, style := range []gen.Options{{Package: "taint", Rules: comparing}, {Package: "string", Standalone: true, Rules: comparing}} { // types, which are the ones at risk
		w.add(t, lists, style)
	}
	w.test(t)
}

func TestNameErrors(t *testing.T) {
	exported := gen.Options{Package: "p", Exported: true}
	functions := gen.Options{Package: "p", Functions: true}
	for _, test := range []struct {
		o     gen.Options
		names []string
		want  string
	}{
		{gen.Options{}, []string{"a"}, `the package name "" is not a Go identifier`},
		{gen.Options{Package: "a-b"}, []string{"a"}, `the package name "a-b" is not a Go identifier`},
		{gen.Options{Package: "func"}, []string{"a"}, `the package name "func" is not a Go identifier`},
		{gen.Options{Package: "_"}, []string{"a"}, `the package name "_" is not a Go identifier`},
		{exported, nil, `there is no toleration list to generate code for`},
		{exported, []string{"a", ""}, `list 2: the name "" has no letter or digit for a Go identifier`},
		{exported, []string{"-/ \n"}, `list 1: the name "-/ \n" has no letter or digit for a Go identifier`},
		{exported, []string{"3scale"}, `list 1: the name "3scale" gives no Go identifier: it begins with a digit`},
		{exported, []string{"日本"}, `list 1: the name "日本" gives no exported identifier: its first letter has no capital`},
		{exported, []string{"node-agent", "b", "NodeAgent"}, `list 3: the names "node-agent" and "NodeAgent" both need the identifier nodeAgentInteger`},
		{gen.Options{Package: "p"}, []string{"type", "type list"}, `list 2: the names "type" and "type list" both need the identifier typeList`},
		{functions, []string{"a", "test a"}, ``},
		{functions, []string{"a", "a tolerates"}, ``},
		{gen.Options{Package: "p", Functions: true, Exported: true}, []string{"x tolerates", "test x"}, `list 2: the names "x tolerates" and "test x" both need the identifier TestXTolerates`},
	} {
		var lists []gen.List
		for _, name := range test.names {
			lists = append(lists, gen.List{Name: name})
		}
		for _, generate := range []func([]gen.List, gen.Options) ([]byte, error){gen.Generate, gen.GenerateTest} {
			got := ""
			source, err := generate(lists, test.o)
			if err != nil {
				got = err.Error()
			}
			if (err == nil) != (source != nil) {
				t.Errorf("%q: %d bytes and error %v", test.names, len(source), err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%q (-want +got):\n%s", test.names, diff)
			}
		}
	}
}

// Gt and Lt are for clusters that evaluate them.
func TestComparisonsNeedRules(t *testing.T) {
	lists := []gen.List{{Name: "a", Tolerations: []toleration.Toleration{toleration.MustParse("n>5")}}}
	for _, generate := range []func([]gen.List, gen.Options) ([]byte, error){gen.Generate, gen.GenerateTest} {
		if _, err := generate(lists, gen.Options{Package: "p"}); err == nil || !strings.Contains(err.Error(), "feature gate") {
			t.Errorf("in a default cluster: %v", err)
		}
		if _, err := generate(lists, gen.Options{Package: "p", Rules: comparing}); err != nil {
			t.Error(err)
		}
	}
}

// A list that no API server accepts has no meaning, and no code.
func TestInvalidListsAreRefused(t *testing.T) {
	lists := []gen.List{{Name: "a"}, {Name: "b", Tolerations: make([]toleration.Toleration, 1)}}
	for _, generate := range []func([]gen.List, gen.Options) ([]byte, error){gen.Generate, gen.GenerateTest} {
		const want = `list 2, "b": tolerations[0].operator: invalid value "": must be Exists when the key is empty, which matches every key and value`
		if _, err := generate(lists, gen.Options{Package: "p"}); err == nil || err.Error() != want {
			t.Errorf("got %v", err)
		}
	}
}
