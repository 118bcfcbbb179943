package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/examples/internal/golden"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// fleets returns fleets to test with, by name.
func fleets() map[string]*Fleet {
	return map[string]*Fleet{"empty": {}, "small": small(), "corpus": corpusFleet(), "hostile": hostile(), "numeric": synthetic("numeric", 60, 60)}
}

func small() *Fleet {
	taints := func(text string) []taint.Taint { return must(taint.ParseList(text)) }
	tolerations := func(text string) []toleration.Toleration { return must(notation.Tolerations(text)) }
	return &Fleet{
		Title: "small", Notes: []string{"A note."},
		Nodes: []Node{
			{"n1", "gpu", "z", taints("dedicated=gpu:NoSchedule,dedicated=gpu:NoExecute"), 1, nil},
			{"n2", "gpu", "z", taints("dedicated=gpu:NoSchedule,dedicated=gpu:NoExecute"), 1, nil},
			{"n3", "", "z", nil, 1, nil},
			{"n4", "cpu", "", taints("a=1:PreferNoSchedule,b:NoExecute"), 3, nil},
		},
		Pods: []Pod{
			{"p1", "shop", "ReplicaSet/p", "n1", false, tolerations("dedicated==cpu:NoSchedule,b:NoExecute@300"), 1, affinity.Required{}, false},
			{"p2", "shop", "ReplicaSet/p", "n3", false, tolerations("dedicated==cpu:NoSchedule,b:NoExecute@300"), 1, affinity.Required{}, false},
			{"p3", "", "", "gone", true, tolerations("*"), 1, affinity.Required{}, false},
			{"p4", "web", "Job/q", "n4", false, tolerations("b:NoExecute@300,*:NoExecute@30"), 4, affinity.Required{}, false},
			{"p5", "web", "", "", false, nil, 1, affinity.Required{}, false},
			{"p6", "web", "", "", false, tolerations("dedicated>5,dedicatde"), 1, affinity.Required{}, false},
		},
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func corpusFleet() *Fleet {
	f := &Fleet{Title: "corpus"}
	for _, list := range corpus.Taints() {
		f.Nodes = append(f.Nodes, Node{Name: list.Node, Taints: list.Taints, Count: int64(list.Count)})
	}
	for _, list := range corpus.Tolerations()[:200] {
		f.Pods = append(f.Pods, Pod{Name: list.Workload, Tolerations: list.Tolerations, Count: int64(list.Count)})
	}
	return f
}

func synthetic(name string, nodes, pods int) *Fleet {
	maker, _ := scenario.Find(name)
	c := maker(1, nodes, pods)
	f := &Fleet{Title: name, Rules: toleration.Rules{Comparisons: true}}
	for _, n := range c.Nodes {
		f.Nodes = append(f.Nodes, Node{Name: n.Name, Taints: n.Taints, Count: 1})
	}
	for _, p := range c.Pods {
		f.Pods = append(f.Pods, Pod{Name: p.Name, Tolerations: p.Tolerations, Count: 1})
	}
	return f
}

// evil are names that try to be markup, or to be read in another order.
var evil = []string{
	`</script><script>alert(1)</script>`, `<!--<script>`, `"'><img src=x onerror=alert(1)>`, "]]>", "\u202eevil\u202c", "\u05e9\u05dc\u05d5\u05dd", "\u2028\u2029\x00\x1b[31m",
	strings.Repeat("long", 2500), "{{policy}}{{data}}", "a&amp;b\\u003c", "\xff\xfe", "__proto__",
}

func hostile() *Fleet {
	f := &Fleet{Title: evil[0], Notes: evil}
	for i, name := range evil {
		f.Nodes = append(f.Nodes, Node{name, name, name, []taint.Taint{{Key: name, Value: name, Effect: taint.Effect(name)}, {Key: name, Value: name, Effect: taint.NoSchedule}}, 1, nil})
		f.Pods = append(f.Pods, Pod{name, name, name, name, i%2 == 0, []toleration.Toleration{{Key: name, Operator: toleration.Operator(name), Value: name, Effect: taint.Effect(name)}}, 1, affinity.Required{}, false})
	}
	return f
}

func unpack(t *testing.T, p Packed) []uint32 {
	t.Helper()
	zip, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(p.Data)))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(zip)
	if err != nil || len(data) != p.Bytes*p.Length {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	values := make([]uint32, p.Length)
	for i := range values {
		var number [4]byte
		copy(number[:], data[i*p.Bytes:(i+1)*p.Bytes])
		values[i] = binary.LittleEndian.Uint32(number[:])
	}
	return values
}

func TestPack(t *testing.T) {
	for _, values := range [][]uint32{{}, {0}, {1, 255, 0}, {256, 65535}, {1, 65536, 1<<32 - 1}} {
		if got := unpack(t, pack(values)); !slices.Equal(got, values) {
			t.Errorf("%v became %v", values, got)
		}
	}
}

// TestMembers shows that what can be chosen by adds up, and that what runs is counted.
func TestMembers(t *testing.T) {
	for name, f := range fleets() {
		d := New(f)
		var pods, nodes, running int64
		for _, r := range d.Rows {
			var n int64
			for _, g := range r.Groups {
				n += g[2]
			}
			if n != r.Pods {
				t.Errorf("%s: %d pods in groups, %d in the row", name, n, r.Pods)
			}
			pods += n
		}
		for _, c := range d.Columns {
			for _, p := range c.Pools {
				nodes += p[1]
			}
		}
		if pods != d.Pods || nodes != d.Nodes {
			t.Errorf("%s: %d pods of %d, %d nodes of %d", name, pods, d.Pods, nodes, d.Nodes)
		}
		for i, n := range unpack(t, d.Running) {
			if i%3 == 2 {
				running += int64(n)
			}
		}
		if want := map[string]int64{"small": 6, "hostile": int64(len(evil))}[name]; running != want {
			t.Errorf("%s: %d pods run, want %d", name, running, want)
		}
	}
}

// TestOrder shows that every row and column has one place, and that equal rows are side
// by side.
func TestOrder(t *testing.T) {
	for name, f := range fleets() {
		d := New(f)
		for _, order := range []struct {
			got []int
			n   int
		}{{d.RowOrder, len(d.Rows)}, {d.ColumnOrder, len(d.Columns)}} {
			sorted := slices.Sorted(slices.Values(order.got))
			for i, n := range sorted {
				if i != n || len(sorted) != order.n {
					t.Fatalf("%s: %v", name, order.got)
				}
			}
		}
	}
	if got := clustered([][]uint8{{1, 0}, {0, 0}, {1, 0}, {0, 0}}); !slices.Equal(got, []int{1, 3, 0, 2}) {
		t.Errorf("got %v", got)
	}
}

func TestShare(t *testing.T) {
	for _, test := range []struct {
		wants []int
		total int
		most  int
	}{{nil, 10, 10}, {[]int{5, 5}, 10, 10}, {[]int{5, 6}, 10, 5}, {[]int{1, 100, 100}, 21, 10}, {[]int{9, 9, 9}, 2, 1}} {
		if got := share(test.total, len(test.wants), func(i int) int { return test.wants[i] }); got != test.most {
			t.Errorf("%v: got %d, want %d", test, got, test.most)
		}
	}
}

// TestLimits shows that a large fleet makes a page of bounded size, which says what it
// leaves out.
func TestLimits(t *testing.T) {
	f := synthetic("unique", maxColumns+100, 50)
	for i := range 20_000 {
		f.Nodes = append(f.Nodes, Node{Name: fmt.Sprintf("plain-%05d", i), Count: 1})
	}
	f.Pods = append(f.Pods, slices.Repeat([]Pod{{Name: strings.Repeat("p", 20), Count: 1}}, maxNames+1000)...)
	d := New(f)
	names := 0
	for i := range d.Rows {
		names += len(d.Rows[i].Members)
	}
	if len(d.Columns) != maxColumns || names > maxNames || len(d.Notes) != 1 {
		t.Errorf("%d columns, %d names, notes %q", len(d.Columns), names, d.Notes)
	}
	if size := len(d.HTML()); size > 10<<20 {
		t.Errorf("%d bytes", size)
	}
}

var tags = regexp.MustCompile(`(?is)<(script|style)([^>]*)>(.*?)</(?:script|style)>`)

// TestPolicy shows that the page has one script and one style, those of its policy, and
// no other markup that could run or load something.
func TestPolicy(t *testing.T) {
	d := New(hostile())
	text := string(d.HTML())
	policy := d.Policy()
	if strings.Contains(policy, "unsafe") || !strings.HasPrefix(policy, "default-src 'none'; ") || !strings.Contains(policy, "connect-src 'none'") {
		t.Errorf("policy %s", policy)
	}
	if !strings.Contains(text, `content="`+policy+`"`) {
		t.Error("the page has another policy")
	}
	var found []string
	for _, m := range tags.FindAllStringSubmatch(text, -1) {
		found = append(found, m[1]+m[2])
		if strings.Contains(m[2], "json") {
			continue
		}
		if !strings.Contains(policy, m[1]+"-src '"+hash(m[3])+"'") {
			t.Errorf("the policy does not allow the %s", m[1])
		}
	}
	if want := []string{"style", `script id="data" type="application/json"`, `script type="module"`}; !slices.Equal(found, want) {
		t.Errorf("found %q", found)
	}
	html := file("page.html")
	for _, bad := range []string{" style=", " on", "src=", "http:", "https:", "url("} {
		if strings.Contains(html, bad+"") && bad != " on" || regexp.MustCompile(` on[a-z]+=`).MatchString(html) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "import(", "http:", "https:"} {
		if strings.Contains(strings.ReplaceAll(script(), `"http://www.w3.org/2000/svg"`, ""), bad) { // a name, which nobody asks for
			t.Errorf("the script has %q", bad)
		}
	}
	if strings.Contains(style(), "url(") || strings.Contains(style(), "@import") {
		t.Error("the style loads something")
	}
	live := Document{Live: "x"}
	if !strings.Contains(live.Policy(), "connect-src 'self'") {
		t.Errorf("a live page may not ask: %s", live.Policy())
	}
}

// TestEscaping shows that hostile names come back as they were, and end no element.
func TestEscaping(t *testing.T) {
	d := New(hostile())
	text := string(d.HTML())
	if n := strings.Count(strings.ToLower(text), "</script"); n != 2 {
		t.Errorf("%d script elements end", n)
	}
	if strings.Contains(text, "<img") || strings.Contains(text, "<!--") || strings.Contains(text, "\u2028") {
		t.Error("a name is markup")
	}
	if !strings.Contains(text, "<title>&lt;/script&gt;") {
		t.Error("the title is not escaped")
	}
	_, rest, _ := strings.Cut(text, `type="application/json">`)
	data, _, _ := strings.Cut(rest, "</script>")
	var back Document
	if err := json.Unmarshal([]byte(data), &back); err != nil {
		t.Fatal(err)
	}
	for i, name := range evil {
		if want := strings.ToValidUTF8(name, "\ufffd"); back.Notes[i] != want && back.Notes[i] != "\ufffd\ufffd" {
			t.Errorf("%q came back as %q", want, back.Notes[i])
		}
	}
}

// declared finds what a module declares at its top level.
var declared = regexp.MustCompile(`(?m)^(?:export )?(?:async )?(?:function|class|const|let|var) +(?:\[([^\]]*)\]|(\w+))`)

// TestModules shows that the modules are all in the page, share no name, and import what
// comes before them.
func TestModules(t *testing.T) {
	entries, err := web.ReadDir("web")
	if err != nil {
		t.Fatal(err)
	}
	if want := len(modules) + len([]string{"page.html", "page.css"}); len(entries) != want {
		t.Errorf("%d files, want %d", len(entries), want)
	}
	of := make(map[string]string)
	seen := make(map[string]bool)
	for _, name := range modules {
		text := file(name + ".js")
		for _, m := range declared.FindAllStringSubmatch(text, -1) {
			if other := of[m[2]]; other != "" {
				t.Errorf("%s and %s declare %s", name, other, m[2])
			}
			of[m[2]] = name
		}
		for _, m := range regexp.MustCompile(`(?m)^import \{ (.*) \} from "\./(\w+)\.js";$`).FindAllStringSubmatch(text, -1) {
			if !seen[m[2]] {
				t.Errorf("%s imports %s before it is there", name, m[2])
			}
			for imported := range strings.SplitSeq(m[1], ", ") {
				if !strings.Contains(file(m[2]+".js"), "\nexport ") || of[imported] != m[2] {
					t.Errorf("%s imports %s, which %s does not have", name, imported, m[2])
				}
			}
		}
		seen[name] = true
	}
	if strings.Contains(script(), "\nimport ") || strings.Contains(script(), "\nexport ") {
		t.Error("the script still imports or exports")
	}
}

// TestSameEveryTime shows that the same fleet makes the same page.
func TestSameEveryTime(t *testing.T) {
	for name, f := range fleets() {
		if a, b := New(f).HTML(), New(f).HTML(); !bytes.Equal(a, b) {
			t.Errorf("%s: %s", name, cmp.Diff(string(a), string(b)))
		}
	}
}

// TestGolden shows the data of a small fleet, with its packed numbers in words.
func TestGolden(t *testing.T) {
	d := New(small())
	for _, p := range []*Packed{&d.Cells, &d.Running, &d.Near, &d.Editing, &d.Staying, &d.Corrected} {
		p.Data = fmt.Sprint(unpack(t, *p))
	}
	for i := range d.Findings { // their words are those of package lint
		d.Findings[i].Reason, d.Findings[i].Fix = "", ""
	}
	text, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "small.json.golden", string(text)+"\n")
}
