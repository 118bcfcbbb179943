package page

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/golden"
	"github.com/tolero-dev/tolero/examples/internal/lint"
	"github.com/tolero-dev/tolero/examples/internal/status"
	"github.com/tolero-dev/tolero/examples/internal/why"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

const pendingFile = "../why/testdata/pending.yaml"

// load reads a cluster as the program does.
func load(t testing.TB, text string) *Input {
	t.Helper()
	loader := &manifest.Loader{Placement: true, Controllers: true, State: true}
	if err := loader.Read("input", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return &Input{Title: "input", Cluster: loader.Cluster()}
}

func loadFile(t testing.TB, name string) *Input {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return load(t, string(text))
}

func documentOf(t testing.TB, in *Input) (*source, *document) {
	t.Helper()
	s := newSource(in)
	d, err := newDocument(s, false)
	if err != nil {
		t.Fatal(err)
	}
	return s, d
}

// random returns a cluster with few words, so that much of it fits.
// Two of the nodes have the same name.
func random(r *rand.Rand) *Input {
	c := new(manifest.Cluster)
	word := func() string { return string(rune('a' + r.IntN(3))) }
	effects := []taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute}
	for i := range 30 {
		n := manifest.Node{Object: manifest.Object{Kind: "Node", Name: fmt.Sprint("n", i)}, Labels: map[string]string{"x": word()}, Unschedulable: r.IntN(9) == 0}
		if r.IntN(3) > 0 {
			n.Labels["agentpool"] = word()
		}
		for range r.IntN(3) {
			n.SpecTaints = append(n.SpecTaints, taint.Taint{Key: word(), Value: word(), Effect: effects[r.IntN(3)]})
		}
		c.Nodes = append(c.Nodes, n)
	}
	c.Nodes[29].Name = "n28"
	for i := range 60 {
		p := manifest.Pod{Object: manifest.Object{Kind: "Pod", Namespace: word(), Name: fmt.Sprint("p", i)}, Count: 1, Owner: manifest.Owner{Kind: "Job", Name: word()}}
		for range r.IntN(3) {
			seconds := int64(60)
			p.SpecTolerations = append(p.SpecTolerations, toleration.Toleration{Key: word(), Operator: toleration.OpExists, Effect: effects[r.IntN(3)], TolerationSeconds: &seconds})
		}
		if r.IntN(3) > 0 {
			p.NodeName = fmt.Sprint("n", r.IntN(31)) // one of them does not exist
		}
		if r.IntN(2) > 0 {
			p.Affinity.NodeSelector = map[string]string{"x": word()}
		}
		c.Pods = append(c.Pods, p)
	}
	return &Input{Title: "random", Cluster: c}
}

// TestCells compares every cell with what package match says about every pod and node.
func TestCells(t *testing.T) {
	for seed := range uint64(20) {
		s, d := documentOf(t, random(rand.New(rand.NewPCG(seed, 1))))
		for _, m := range d.Matrices {
			seen := 0
			for i, r := range s.rowOf[m.ID] {
				if r == nil {
					t.Fatalf("seed %d: pod %d has no row", seed, i)
				}
				p := &s.Cluster.Pods[i]
				required := p.Affinity
				if m.ID == "l" {
					required = affinity.Required{}
				}
				for j, to := range m.Columns {
					want := cell{Nodes: to.Nodes}
					for _, at := range to.nodes {
						n := &s.Cluster.Nodes[at]
						if required.Matches(n.Name, n.Labels) {
							want.Admit++
							if match.Decide(n.Taints(), p.SpecTolerations, s.Rules).Scheduling != match.Unschedulable {
								want.Accept++
							}
						}
					}
					if got := r.Cells[j]; got.Nodes != want.Nodes || got.Admit != want.Admit || got.Accept != want.Accept {
						t.Fatalf("seed %d: %s in %s: got %+v, want %+v", seed, r.Name, to.Name, got, want)
					}
					seen++
				}
			}
			var runs, evicted, wantRuns, wantEvicted int64
			for _, r := range m.Rows {
				for j := range r.Cells {
					runs, evicted = runs+r.Cells[j].Runs, evicted+r.Cells[j].Evicted
				}
			}
			for i := range s.Cluster.Pods {
				p := &s.Cluster.Pods[i]
				for _, n := range slices.Backward(s.Cluster.Nodes) { // the last of a name
					if n.Name == p.NodeName {
						wantRuns++
						if match.Decide(n.Taints(), p.SpecTolerations, s.Rules).Eviction != match.Stay {
							wantEvicted++
						}
						break
					}
				}
			}
			if runs != wantRuns || evicted != wantEvicted || seen == 0 {
				t.Errorf("seed %d: %d pods run, want %d; %d evicted, want %d", seed, runs, wantRuns, evicted, wantEvicted)
			}
		}
	}
}

// html returns the text of a page without markup.
func html(t testing.TB, in *Input) (page, text string) {
	t.Helper()
	content, err := HTML(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(content), words(string(content))
}

var markup = regexp.MustCompile(`(?s)<(script|style).*?</(script|style)>|<[^>]*>`)

// words returns what is said between tags, in single spaces.
func words(page string) string {
	text := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'", "&#43;", "+", "&amp;", "&").Replace(markup.ReplaceAllString(page, ""))
	return strings.Join(strings.Fields(text), " ")
}

// TestSaysWhatTheProgramSays finds every line of the program's answers in the page.
func TestSaysWhatTheProgramSays(t *testing.T) {
	for _, name := range []string{pendingFile, "../status/../plan/testdata/demo.yaml", "testdata/pools.json"} {
		_, text := html(t, loadFile(t, name))
		for _, run := range []struct {
			command *command.Command
			args    []string
		}{{&status.Command, []string{"-limit", "20"}}, {&why.Command, []string{"-limit", "20"}}, {&lint.Command, []string{"-limit", "20"}}} {
			_, stdout, stderr := golden.Run(run.command, "", append(run.args, "-width", "0", "-f", name)...)
			if stdout == "" {
				t.Fatalf("%s: %s", run.command.Name, stderr)
			}
			for line := range strings.Lines(stdout) {
				line = strings.TrimSpace(line)
				if i := strings.Index(line, " (tolero "); i > 0 {
					line = line[:i] // the page has a link there
				}
				if strings.HasPrefix(line, "in ") || strings.HasPrefix(line, "Findings: ") || run.command == &status.Command && strings.Contains(line, "likely-misspelled") || strings.HasSuffix(line, "-limit 0 shows all.") {
					continue
				}
				if line = strings.Join(strings.Fields(line), " "); !strings.Contains(text, line) {
					t.Errorf("%s: the page does not say what tolero %s does: %s", name, run.command.Name, line)
				}
			}
		}
	}
}

// TestPanels compares the explanation of a cell with that of tolero why POD NODE.
func TestPanels(t *testing.T) {
	s, d := documentOf(t, loadFile(t, pendingFile))
	m := d.Matrices[0]
	compared := 0
	for _, r := range m.Rows {
		if r.Refused == 0 {
			continue
		}
		for j := range r.Cells {
			if !r.Cells[j].Wanted {
				continue
			}
			p := s.panel(m, r, m.Columns[j])
			node := s.Cluster.Nodes[m.Columns[j].nodes[0]].Name
			_, stdout, _ := golden.Run(&why.Command, "", "-width", "0", "-f", pendingFile, strings.TrimPrefix(r.sample.ID(), "Pod "), node)
			said, err := render("blocks", p.Pairs[0].Answer)
			if err != nil {
				t.Fatal(err)
			}
			text := words(string(said))
			for line := range strings.Lines(stdout) {
				if line = strings.TrimSpace(line); (strings.Contains(line, "tolerated") || strings.HasPrefix(line, "- {")) && !strings.Contains(text, line) {
					t.Errorf("%s on %s: no %q in %s", r.Name, node, line, text)
				}
			}
			deciding := 0
			for _, x := range p.Pairs[0].Taints {
				if x.Deciding {
					deciding++
				}
			}
			if deciding != 1 {
				t.Errorf("%s on %s: %d taints decide", r.Name, node, deciding)
			}
			compared++
		}
	}
	if compared < 6 {
		t.Errorf("only %d cells are loud", compared)
	}
}

// TestLoud shows what is loud: the pool that a pending pod's selector or nearest toleration
// is about, where it is taints that keep it out, and a pod that is evicted.
func TestLoud(t *testing.T) {
	_, d := documentOf(t, loadFile(t, pendingFile))
	loud := make(map[string]string)
	for _, r := range d.Matrices[0].Rows {
		for j := range r.Cells {
			if c := r.Cells[j].Class(); c == "want" || c == "evict" {
				loud[r.Name] += d.Matrices[0].Columns[j].Name + " " + c + ";"
			}
		}
	}
	for name, want := range map[string]string{"Pod taint-missing": "gpu want;", "Pod taint-misspelled": "gpu want;", "Pod taint-gate": "rated want;", "Pod cpu": "", "Pod selector": "", "Pod claim": ""} {
		if loud[name] != want {
			t.Errorf("%s: %q is loud, want %q", name, loud[name], want)
		}
	}
	_, d = documentOf(t, load(t, `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","effect":"NoExecute"}]}}{"kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n"}}`))
	if r := d.Matrices[0].Rows[0]; r.Cells[0].Class() != "evict" || r.Evicted != 1 {
		t.Errorf("%+v", r)
	}
}

// TestAlone shows which workloads only one pool accepts, with links to the cells, and on the
// overview too; and the taint that refuses pods which want to go there.
func TestAlone(t *testing.T) {
	page, _ := html(t, loadFile(t, "testdata/pools.json"))
	if n := len(regexp.MustCompile(`Only one pool accepts:</b> <a href="#wc[0-9]+-1">StatefulSet ml/train \(gpu\)</a></p>`).FindAllString(page, -1)); n != 2 {
		t.Errorf("%d lines about StatefulSet ml/train", n)
	}
	if _, text := html(t, loadFile(t, pendingFile)); !strings.Contains(text, "Pod shop/nominated (worker) and others, whose rows say so Find") {
		t.Errorf("a long line is not cut after eight workloads: %s", text)
	}
	_, d := documentOf(t, loadFile(t, pendingFile))
	for _, r := range d.Matrices[0].Rows {
		for j := range r.Cells {
			want := map[string]string{"gpu": "dedicated=gpu:NoSchedule", "rated": "sla=95:NoSchedule", "spare": "node.kubernetes.io/unschedulable:NoSchedule"}[d.Matrices[0].Columns[j].Name]
			if c := &r.Cells[j]; c.Wanted && want != "" && c.Reason != want {
				t.Errorf("%s: %q refuses, want %q", r.Name, c.Reason, want)
			}
		}
	}
}

// TestHealthy shows one green line where nothing is wrong.
func TestHealthy(t *testing.T) {
	page, text := html(t, load(t, `{"kind":"Node","metadata":{"name":"n"}}{"kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n"},"status":{"phase":"Running"}}`))
	if !strings.Contains(page, `class="good">1 node and 1 pod: nothing is wrong.`) || !strings.Contains(text, "No pod is pending.") || strings.Contains(page, `<ul class="lines">`+"\n<li><a") {
		t.Errorf("%s", text)
	}
}

// evil are names that try to be markup, or to be read in another order.
var evil = []string{
	`</script><script>alert(1)</script>`, `<!--<script>`, `"'><img src=x onerror=alert(1)>`, "]]>", "\u202eevil\u202c", "\u2028\u2029\x00\x1b[31m", strings.Repeat("long", 2500), "{{policy}}", "a&amp;b", "\xff\xfe", "javascript:alert(1)",
}

func hostile() *Input {
	in := &Input{Title: evil[0], Notes: evil, Cluster: new(manifest.Cluster)}
	for _, name := range evil {
		in.Cluster.Nodes = append(in.Cluster.Nodes, manifest.Node{Object: manifest.Object{Name: name}, Labels: map[string]string{"agentpool": name, "topology.kubernetes.io/zone": name},
			SpecTaints: []taint.Taint{{Key: name, Value: name, Effect: taint.Effect(name)}, {Key: name, Value: name, Effect: taint.NoSchedule}}})
		in.Cluster.Pods = append(in.Cluster.Pods, manifest.Pod{Object: manifest.Object{Kind: "Pod", Namespace: name, Name: name}, Count: 1, Affinity: affinity.Required{NodeSelector: map[string]string{name: name}},
			SpecTolerations: []toleration.Toleration{{Key: name, Operator: toleration.Operator(name), Value: name, Effect: taint.Effect(name)}}})
		in.Cluster.Budgets = append(in.Cluster.Budgets, manifest.Budget{Object: manifest.Object{Namespace: name, Name: name}})
	}
	return in
}

// TestHostile shows that names end no element, start none, and cannot become long.
func TestHostile(t *testing.T) {
	page, _ := html(t, hostile())
	for _, bad := range []string{"<img src=x", "<!--", "alert(1)</script>", "\u202e", "\u2028", "\x00", "\x1b", `href="javascript:`, strings.Repeat("long", 200)} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %.40q", bad)
		}
	}
	if n := strings.Count(page, "<script"); n != 1 {
		t.Errorf("%d scripts", n)
	}
	if len(page) > 3<<20 {
		t.Errorf("%d bytes", len(page))
	}
}

var inside = regexp.MustCompile(`(?s)<(script|style)[^>]*>(.*?)</(?:script|style)>`)

// TestPolicy shows that the page has one script and one style, those of its policy, and loads
// nothing.
func TestPolicy(t *testing.T) {
	page, _ := html(t, loadFile(t, pendingFile))
	found := inside.FindAllStringSubmatch(page, -1)
	if len(found) != 2 {
		t.Fatalf("%d scripts and styles", len(found))
	}
	for _, m := range found {
		if !strings.Contains(policy(false), m[1]+"-src '"+hash(m[2])+"'") {
			t.Errorf("the policy does not allow the %s", m[1])
		}
	}
	if strings.Contains(policy(false), "unsafe") || !strings.HasPrefix(policy(false), "default-src 'none'; ") || !strings.Contains(policy(false), "connect-src 'none'") || !strings.Contains(policy(true), "connect-src 'self'") {
		t.Errorf("policy %s", policy(false))
	}
	for _, bad := range []string{" style=", "http:", "https:", "url("} {
		if strings.Contains(file("page.html")+file("page.css"), bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, bad := range []string{"outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "import(", "http"} {
		if strings.Contains(file("page.js"), bad) {
			t.Errorf("the script has %q", bad)
		}
	}
	if strings.Count(file("page.js"), "innerHTML") != 1 || !strings.Contains(file("page.js"), "innerHTML = policy.createHTML(text)") {
		t.Error("the script makes markup in another way")
	}
}

// TestLinks shows that every link of the page leads somewhere, and that no place has two names.
func TestLinks(t *testing.T) {
	for _, in := range []*Input{loadFile(t, pendingFile), loadFile(t, "testdata/pools.json"), hostile(), random(rand.New(rand.NewPCG(1, 1)))} {
		page, _ := html(t, in)
		ids := make(map[string]int)
		for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if ids[m[1]]++; ids[m[1]] > 1 {
				t.Errorf("%s is there twice", m[1])
			}
		}
		for _, m := range regexp.MustCompile(` href="#([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if ids[m[1]] == 0 {
				t.Errorf("%s: #%s leads nowhere", in.Title, m[1])
			}
		}
	}
}

// TestColumns shows what a column is for nodes without a pool, and for soft taints with times.
func TestColumns(t *testing.T) {
	const node = `{"kind":"Node","metadata":{"name":"%s","labels":{%s}},"spec":{"taints":[%s]}}`
	in := load(t, fmt.Sprintf(node, "a", `"agentpool":"gpu"`, "")+fmt.Sprintf(node, "b", `"topology.kubernetes.io/zone":"z"`, `{"key":"k","effect":"NoSchedule"},{"key":"node.kubernetes.io/not-ready","effect":"NoExecute"}`)+
		fmt.Sprintf(node, "c", `"topology.kubernetes.io/zone":"z"`, `{"key":"Deletion","value":"1700000001","effect":"PreferNoSchedule"}`)+
		fmt.Sprintf(node, "d", ``, `{"key":"Deletion","value":"1700000002","effect":"PreferNoSchedule"}`))
	for v, want := range map[*view]string{&views[0]: "gpu; k:NoSchedule; zone z; no pool; ",
		&views[1]: "Deletion=TIME:PreferNoSchedule; no taints; k:NoSchedule, node.kubernetes.io/not-ready:NoExecute; "} {
		columns, _ := columnsOf(v, in.Cluster, command.PoolLabels(""))
		got := ""
		for _, to := range columns {
			got += to.Name + "; "
		}
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// different returns a cluster in which no two nodes and no two pods are alike; one pod in a
// hundred waits.
func different(nodes, pods int) *Input {
	c := new(manifest.Cluster)
	for i := range nodes {
		c.Nodes = append(c.Nodes, manifest.Node{Object: manifest.Object{Kind: "Node", Name: fmt.Sprintf("node-%06d", i)}, Labels: map[string]string{"agentpool": fmt.Sprint("pool-", i%1000)},
			SpecTaints: []taint.Taint{{Key: "own", Value: fmt.Sprint(i), Effect: taint.NoSchedule}, {Key: "group", Value: fmt.Sprint(i % 100), Effect: taint.NoSchedule}}})
	}
	for i := range pods {
		p := manifest.Pod{Object: manifest.Object{Kind: "Pod", Namespace: fmt.Sprint("ns-", i%50), Name: fmt.Sprintf("pod-%07d", i)}, Count: 1,
			SpecTolerations: []toleration.Toleration{{Key: "own", Operator: toleration.OpEqual, Value: fmt.Sprint(i), Effect: taint.NoSchedule}, {Key: "group", Operator: toleration.OpExists}}}
		if i%100 > 0 {
			p.NodeName = fmt.Sprintf("node-%06d", i%nodes)
		}
		c.Pods = append(c.Pods, p)
	}
	return &Input{Title: "different", Cluster: c}
}

// peak returns how much memory the page takes beside its input, garbage included.
func peak(t *testing.T, in *Input) uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before, most := m.HeapAlloc, uint64(0)
	done, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
		}
	}()
	html(t, in)
	close(done)
	<-stopped
	return max(most, before) - before
}

// TestLarge makes the page of a fleet in which all is different: what it leaves out it says,
// and it is at most 3 MB. With TOLERO_LONG the fleet has 100,000 nodes and 1,000,000 pods.
func TestLarge(t *testing.T) {
	nodes, pods, long := 1000, 5000, os.Getenv("TOLERO_LONG") != ""
	if long {
		nodes, pods = 100_000, 1_000_000
	}
	in := different(nodes, pods)
	start := time.Now()
	page, text := html(t, in)
	t.Logf("%d nodes, %d pods: %v, %d bytes", nodes, pods, time.Since(start), len(page))
	if long {
		t.Logf("%d MB beside the input", peak(t, in)>>20)
	}
	if len(page) > 3<<20 {
		t.Errorf("%d bytes", len(page))
	}
	if !strings.Contains(text, " more rows, of fewer pods, are not shown.") || !strings.Contains(text, " more columns, of fewer nodes, are not shown.") {
		t.Error("the page does not say what it leaves out")
	}
}

// TestSameEveryTime shows that the same cluster makes the same page.
func TestSameEveryTime(t *testing.T) {
	for range 3 {
		one, _ := HTML(loadFile(t, pendingFile))
		two, _ := HTML(loadFile(t, pendingFile))
		if !bytes.Equal(one, two) {
			t.Fatal("two pages differ")
		}
	}
}

// TestNothing shows a page of a cluster without nodes or pods.
func TestNothing(t *testing.T) {
	for _, text := range []string{`{"kind":"Node","metadata":{"name":"n"}}`, `{"kind":"Pod","metadata":{"name":"n"}}`} {
		if _, err := HTML(load(t, text)); err != nil {
			t.Logf("%s: %v", text, err) // tolero why says what is missing
		}
	}
}
