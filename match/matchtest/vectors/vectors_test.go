package vectors_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/match/dialect"
	"github.com/tolero-dev/tolero/match/matchtest/vectors"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/files"
)

func load(t testing.TB) []vectors.Case {
	t.Helper()
	cases, err := vectors.Load(files.Kubernetes)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// library answers as this library does.
func library(q vectors.Question) (json.RawMessage, error) {
	return canonical.AnswerJSON(q.Ask, q.Input)
}

// TestLibrary asks the library every question. It fails for a mutant of the library, and
// names the cases and rules. VECTORS_KILLS is the name of a file to which it adds a line
// with the number of the mutant and the names of the cases, for internal/cover.
func TestLibrary(t *testing.T) {
	report := vectors.Run(load(t), vectors.Options{}, library)
	if name := os.Getenv("VECTORS_KILLS"); name != "" {
		record(t, name, report)
	}
	if !report.OK() {
		var b strings.Builder
		if err := report.WriteText(&b); err != nil {
			t.Fatal(err)
		}
		t.Error(b.String())
	}
}

func record(t *testing.T, name string, report *vectors.Report) {
	line := os.Getenv("MUTANT")
	for _, r := range report.Results {
		if r.Outcome.Failed() {
			line += " " + r.ID
		}
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString(line + "\n"); err != nil {
		t.Fatal(err)
	}
}

// TestRegenerated makes all files anew and compares them with those that are there, byte
// for byte.
func TestRegenerated(t *testing.T) {
	want, err := files.Make(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	err = fs.WalkDir(vectors.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == "schema.json" {
			return err
		}
		got, err := fs.ReadFile(vectors.Files(), name)
		if size += len(got); !bytes.Equal(got, want[name]) {
			t.Errorf("%s is not what go generate makes", name)
		}
		delete(want, name)
		return err
	})
	if got, err := os.ReadFile(files.Differences); err != nil || !bytes.Equal(got, want[files.Differences]) {
		t.Errorf("%s is not what go generate makes (%v)", files.Differences, err)
	}
	delete(want, files.Differences)
	if err != nil || len(want) > 0 {
		t.Errorf("%d files are missing (%v)", len(want), err)
	}
	if size > 3<<20 { // all are embedded: half is the newest release's
		t.Errorf("the vectors have %d bytes", size)
	}
}

// TestReleases compares the cases of older releases with those of the newest: they are
// some of them, and the answers are the same, because the gate is off in the newest where
// an older one does not know the operators.
func TestReleases(t *testing.T) {
	newest := map[string]*vectors.Case{}
	all := load(t)
	for i := range all {
		newest[all[i].ID] = &all[i]
	}
	for _, r := range files.Releases[1:] {
		cases, err := vectors.Load(r.Kubernetes)
		if err != nil {
			t.Fatal(err)
		}
		comparisons := 0
		for _, c := range cases {
			n := newest[c.ID]
			if n == nil || !vectors.Equal(n.Answer, c.Answer) || !vectors.Equal(n.Input, c.Input) {
				t.Errorf("%s %s: %+v is not %+v", r.Kubernetes, c.ID, c, n)
			}
			if strings.Contains(string(c.Input), "TaintTolerationComparisonOperators") {
				comparisons++
			}
		}
		if known := r.Kubernetes != "1.34"; len(cases) < 100 || (comparisons > 0) != known {
			t.Errorf("%s: %d cases, %d with the gate on", r.Kubernetes, len(cases), comparisons)
		}
	}
}

// releaseRow is a row of the table of releases in README: the folder, how many cases it
// has or has of some kinds, how many kinds or which, and the module that was asked.
var releaseRow = regexp.MustCompile("(?m)^\\| (1\\.[0-9]+) \\| ([0-9,]+)( of these)? \\| ([^|]+) \\| `([^`]+)` (v[0-9.]+)(?: also)? \\|")

// filesOf returns the files of a release by their names.
func filesOf(t *testing.T, release string) map[string]*vectors.File {
	names, err := fs.Glob(vectors.Files(), release+"/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*vectors.File{}
	for _, name := range names {
		text, err := fs.ReadFile(vectors.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = new(vectors.File)
		if err := json.Unmarshal(text, all[name]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestReleaseTable compares the table of releases in README with the folders.
func TestReleaseTable(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]int{}
	for _, row := range releaseRow.FindAllStringSubmatch(string(text), -1) {
		release, count, named, module := row[1], strings.ReplaceAll(row[2], ",", ""), row[4], row[5]+" "+row[6]
		cases, kinds := 0, map[string]bool{}
		for name, file := range filesOf(t, release) {
			asked := false
			for _, c := range file.Cases {
				if !strings.Contains(named, "`") || strings.Contains(named, "`"+c.Ask+"`") {
					cases++
					kinds[c.Ask], asked = true, true
				}
			}
			if asked && !slices.Contains(strings.Split(file.Confirmed, ", "), module) {
				t.Errorf("%s: %s is confirmed by %s", row[0], name, file.Confirmed)
			}
		}
		if fmt.Sprint(cases) != count || !strings.Contains(named, "`") && fmt.Sprint(len(kinds)) != named {
			t.Errorf("%s: %d cases of %d kinds", row[0], cases, len(kinds))
		}
		if row[3] == "" {
			of[release]++
		}
	}
	for _, r := range files.Releases {
		if of[r.Kubernetes] != 1 {
			t.Errorf("README.md has %d rows for %s", of[r.Kubernetes], r.Kubernetes)
		}
	}
}

var ruleName = regexp.MustCompile(`(?m)^- ([A-Z][0-9]+)\. `)

// TestRules compares the rules of the vectors with those of SEMANTICS.md: each rule has a
// vector, and each vector is about rules that are there.
func TestRules(t *testing.T) {
	text, err := os.ReadFile("../../SEMANTICS.md")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, m := range ruleName.FindAllStringSubmatch(string(text), -1) {
		count[m[1]] = 0
	}
	if len(count) < 60 {
		t.Fatalf("%d rules were found", len(count))
	}
	for _, c := range load(t) {
		if len(c.Rules) == 0 {
			t.Errorf("%s is about no rule", c.ID)
		}
		for _, rule := range c.Rules {
			if _, known := count[rule]; !known {
				t.Errorf("%s: no rule %s", c.ID, rule)
			}
			count[rule]++
		}
	}
	for rule, n := range count {
		if n == 0 {
			t.Errorf("%s has no vector", rule)
		}
	}
}

// TestCases looks at what the files say about each case.
func TestCases(t *testing.T) {
	names, ids := []string{""}, map[string]bool{}
	for _, p := range dialect.All() {
		names = append(names, p.Name)
	}
	for _, c := range load(t) {
		if ids[c.ID] {
			t.Errorf("%s is there twice", c.ID)
		}
		ids[c.ID] = true
		answers := []json.RawMessage{c.Answer}
		for _, a := range c.Alternatives {
			for _, other := range answers {
				if vectors.Equal(a.Answer, other) {
					t.Errorf("%s: two answers are the same: %s", c.ID, other)
				}
			}
			answers = append(answers, a.Answer)
			for _, d := range a.Dialects {
				if !slices.Contains(names, d) {
					t.Errorf("%s: no dialect %s", c.ID, d)
				}
			}
		}
		if !slices.Contains(canonical.Kinds(), c.Ask) || !strings.HasPrefix(c.ID, c.Ask+"/") {
			t.Errorf("%s asks %q", c.ID, c.Ask)
		}
	}
}

// TestSchema checks every file against the schema.
func TestSchema(t *testing.T) {
	t.Parallel()
	schema := readJSON(t, "schema.json").(map[string]any)
	checked := 0
	names, err := fs.Glob(vectors.Files(), "1.*/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		for _, fault := range conforms(schema, schema, readJSON(t, name), name) {
			t.Error(fault)
		}
		checked++
	}
	var kinds []string
	for _, kind := range at(schema, "$defs", "case", "properties", "ask", "enum").([]any) {
		kinds = append(kinds, kind.(string))
	}
	if !slices.Equal(slices.Sorted(slices.Values(kinds)), canonical.Kinds()) {
		t.Errorf("the kinds of the schema are %v, want %v", kinds, canonical.Kinds())
	}
	if checked == 0 || len(conforms(schema, schema, map[string]any{"format": json.Number("2")}, "")) != 5 {
		t.Errorf("%d files checked, and a wrong one has the faults %v", checked, conforms(schema, schema, map[string]any{"format": json.Number("2")}, ""))
	}
}

// TestSchemaTypes: each kind of question has types of its own, for its input and its answers.
func TestSchemaTypes(t *testing.T) {
	schema := readJSON(t, "schema.json").(map[string]any)
	nonsense := map[string]any{"nonsense": json.Number("1")}
	kinds := map[string]bool{}
	for _, c := range load(t) {
		if kinds[c.Ask] {
			continue
		}
		kinds[c.Ask] = true
		valid := map[string]any{"id": c.ID, "rules": []any{"M1"}, "ask": c.Ask, "reason": "so"}
		for name, text := range map[string]json.RawMessage{"input": c.Input, "answer": c.Answer} {
			decoder := json.NewDecoder(bytes.NewReader(text))
			decoder.UseNumber()
			var v any
			if err := decoder.Decode(&v); err != nil {
				t.Fatal(err)
			}
			valid[name] = v
		}
		alternative := []any{map[string]any{"dialects": []any{"x"}, "answer": nonsense, "reason": "else"}}
		for name, value := range map[string]any{"": nil, "input": nonsense, "answer": nonsense, "alternatives": alternative} {
			wrong := maps.Clone(valid)
			if name != "" {
				wrong[name] = value
			}
			if faults := conforms(schema, at(schema, "$defs", "case").(map[string]any), wrong, c.ID); (name != "") != (len(faults) > 0) {
				t.Errorf("%s, another %q: %v", c.Ask, name, faults)
			}
		}
	}
	if len(kinds) != len(canonical.Kinds()) {
		t.Errorf("%d kinds", len(kinds))
	}
}

func readJSON(t *testing.T, name string) (v any) {
	text, err := fs.ReadFile(vectors.Files(), name)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

func at(v any, names ...string) any {
	for _, name := range names {
		v = v.(map[string]any)[name]
	}
	return v
}

// conforms returns the faults of a value by the words of JSON Schema that the schema has.
func conforms(root, schema map[string]any, v any, where string) (faults []string) {
	fault := func(format string, args ...any) {
		faults = append(faults, where+": "+fmt.Sprintf(format, args...))
	}
	for word, want := range schema {
		switch word {
		case "$ref":
			faults = append(faults, conforms(root, at(root, strings.Split(strings.TrimPrefix(want.(string), "#/"), "/")...).(map[string]any), v, where)...)
		case "type":
			if got := typeOf(v); got != want && !(got == "integer" && want == "number") {
				fault("%v, want %v", got, want)
			}
		case "const":
			if fmt.Sprint(v) != fmt.Sprint(want) {
				fault("%v, want %v", v, want)
			}
		case "enum":
			if !slices.Contains(want.([]any), v) {
				fault("%v is not one of %v", v, want)
			}
		case "pattern":
			if s, ok := v.(string); ok && !regexp.MustCompile(want.(string)).MatchString(s) {
				fault("%q does not match %v", s, want)
			}
		case "minLength":
			if v == "" {
				fault("empty")
			}
		case "required":
			for _, name := range want.([]any) {
				if m, ok := v.(map[string]any); ok {
					if _, ok := m[name.(string)]; !ok {
						fault("no %v", name)
					}
				}
			}
		case "minItems", "maxItems", "uniqueItems", "items":
			list, _ := v.([]any)
			faults = append(faults, items(root, word, want, list, where)...)
		case "properties":
			m, _ := v.(map[string]any)
			for name, value := range m {
				if sub, ok := want.(map[string]any)[name].(map[string]any); ok {
					faults = append(faults, conforms(root, sub, value, where+"/"+name)...)
				} else if _, known := want.(map[string]any)[name]; !known && schema["additionalProperties"] == false {
					fault("unknown %s", name)
				}
			}
		case "additionalProperties":
			if of, ok := want.(map[string]any); ok { // and no others
				for name, value := range v.(map[string]any) {
					faults = append(faults, conforms(root, of, value, where+"/"+name)...)
				}
			}
		case "allOf":
			for _, sub := range want.([]any) {
				faults = append(faults, conforms(root, sub.(map[string]any), v, where)...)
			}
		case "if":
			if len(conforms(root, want.(map[string]any), v, where)) == 0 {
				faults = append(faults, conforms(root, at(schema, "then").(map[string]any), v, where)...)
			}
		case "$schema", "$defs", "title", "then":
		default:
			fault("the schema says %s", word)
		}
	}
	return faults
}

func items(root map[string]any, word string, want any, list []any, where string) (faults []string) {
	n := len(list)
	seen := map[string]bool{}
	for i, item := range list {
		if sub, ok := want.(map[string]any); ok {
			faults = append(faults, conforms(root, sub, item, fmt.Sprintf("%s/%d", where, i))...)
		}
		seen[fmt.Sprint(item)] = true
	}
	limit, _ := want.(json.Number)
	if bound, _ := limit.Int64(); word == "minItems" && n < int(bound) || word == "maxItems" && n > int(bound) || word == "uniqueItems" && len(seen) < n {
		faults = append(faults, fmt.Sprintf("%s: %d items, %s %v", where, n, word, want))
	}
	return faults
}

func typeOf(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		if _, err := v.Int64(); err == nil {
			return "integer"
		}
		return "number"
	}
	return "another"
}

func TestEqual(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{`true`, ` true `, true},
		{`true`, `false`, false},
		{`1`, `1.0`, true},
		{`1e2`, `1e2`, true},
		{`1e2`, `100`, false}, // no answer has an exponent
		{`1`, `1.` + strings.Repeat("0", 38), true},
		{`1`, `1.` + strings.Repeat("0", 39), false}, // nor so many digits
		{`1e999999999`, `1e999999998`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`[1,2]`, `[2,1]`, false},
		{`[1,2]`, `[1]`, false},
		{`{"a":1,"b":[]}`, `{"b":[],"a":1}`, true},
		{`{"a":1,"b":null}`, `{"a":1}`, true},
		{`{"a":1,"b":""}`, `{"a":1}`, true},
		{`{"a":1,"b":""}`, `{"a":1,"b":null}`, true},
		{`{"a":1,"b":false}`, `{"a":1}`, false},
		{`{"a":1,"b":"x"}`, `{"a":1,"b":""}`, false},
		{`null`, `""`, false},
		{`null`, `null`, true},
		{`1 2`, `1 2`, false},
		{`1}`, `1`, false},
		{``, ``, false},
	} {
		for _, got := range []bool{vectors.Equal([]byte(test.a), []byte(test.b)), vectors.Equal([]byte(test.b), []byte(test.a))} {
			if got != test.want {
				t.Errorf("Equal(%s, %s) = %t", test.a, test.b, got)
			}
		}
	}
}

// TestFileJSON writes a file as its JSON: the names of the members are those that other
// languages read.
func TestFileJSON(t *testing.T) {
	c := vectors.Case{ID: "x/y", Rules: []string{"M1"}, Ask: "x", Input: json.RawMessage(`{}`), Answer: json.RawMessage(`1`), Reason: "so"}
	short := `{"id":"x/y","rules":["M1"],"ask":"x","input":{},"answer":1,"reason":"so"}`
	long := c
	long.About, long.Kills = "z", []string{"k"}
	long.Alternatives = []vectors.Alternative{{Dialects: []string{"d"}, Answer: json.RawMessage(`2`), Reason: "else"}}
	for _, test := range []struct {
		value any
		want  string
	}{
		{c.Question(), `{"id":"x/y","ask":"x","input":{}}`},
		{vectors.File{Format: 1, Kubernetes: "1.0", Confirmed: "m", Set: "small", Cases: []vectors.Case{c, long}},
			`{"format":1,"kubernetes":"1.0","confirmed":"m","set":"small","cases":[` + short + `,` +
				`{"id":"x/y","rules":["M1"],"about":"z","ask":"x","input":{},"answer":1,"reason":"so",` +
				`"alternatives":[{"dialects":["d"],"answer":2,"reason":"else"}],"kills":["k"]}]}`},
	} {
		if got, err := json.Marshal(test.value); err != nil || string(got) != test.want {
			t.Errorf("%s, %v\nwant %s", got, err, test.want)
		}
	}
}

func TestLoadNothing(t *testing.T) {
	if cases, err := vectors.Load("1.0"); err == nil {
		t.Errorf("%d cases", len(cases))
	}
}
