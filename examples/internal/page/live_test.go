package page

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/golden"
	"github.com/tolero-dev/tolero/examples/internal/plan"
)

const plansFile = "../plan/testdata/demo.yaml"

func live(t *testing.T, in *Input) *Live {
	t.Helper()
	l, err := NewLive(in)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// request asks a live page.
func request(l *Live, method, path, kind, body string) *http.Response {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	w := httptest.NewRecorder()
	l.ServeHTTP(w, r)
	return w.Result()
}

// asked returns the answer to a question, as HTML.
func asked(t *testing.T, l *Live, path string, question any) string {
	t.Helper()
	body, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	response := request(l, "POST", l.Path()+"ask/"+path, "application/json", string(body))
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != 200 {
		t.Fatalf("status %d, %v: %s", response.StatusCode, err, text)
	}
	return string(text)
}

func TestLiveRefuses(t *testing.T) {
	l, other := live(t, loadFile(t, plansFile)), live(t, loadFile(t, plansFile))
	if len(l.token) < 20 || l.token == other.token {
		t.Errorf("tokens %q, %q", l.token, other.token)
	}
	page, ask := l.Path(), l.Path()+"ask/plan"
	for _, test := range []struct {
		name, method, path, kind, body string
		status                         int
	}{
		{"the page", "GET", page, "", "", 200},
		{"its head", "HEAD", page, "", "", 200},
		{"a question", "POST", ask, "application/json", `{"plan":"cordon web-1"}`, 200},
		{"a character set", "POST", ask, "application/json; charset=utf-8", `{}`, 200},
		{"no token", "GET", "/", "", "", 404},
		{"no slash", "GET", strings.TrimSuffix(page, "/"), "", "", 404},
		{"another token", "GET", other.Path(), "", "", 404},
		{"a part of the token", "GET", page[:10] + "/", "", "", 404},
		{"in small letters", "GET", strings.ToLower(page), "", "", 404},
		{"a question without token", "POST", "/ask/plan", "application/json", "{}", 404},
		{"a question with another", "POST", other.Path() + "ask/plan", "application/json", "{}", 404},
		{"something else", "GET", page + "x", "", "", 404},
		{"another command", "POST", page + "ask/matrix", "application/json", "{}", 404},
		{"a file", "GET", page + "../../etc/passwd", "", "", 404},
		{"to the page", "POST", page, "application/json", "{}", 405},
		{"a deletion", "DELETE", page, "", "", 405},
		{"read the question", "GET", ask, "", "", 405},
		{"no type", "POST", ask, "", "{}", 415},
		{"a form", "POST", ask, "application/x-www-form-urlencoded", "plan=", 415},
		{"text", "POST", ask, "text/plain", "{}", 415},
		{"no JSON", "POST", ask, "application/json", "plan", 400},
		{"nothing", "POST", ask, "application/json", "", 400},
		{"unknown field", "POST", ask, "application/json", `{"write":true}`, 400},
		{"two", "POST", ask, "application/json", `{}{}`, 400},
		{"another type", "POST", ask, "application/json", `{"plan":7}`, 400},
		{"large", "POST", ask, "application/json", `{"plan":"` + strings.Repeat("x", maxQuestion) + `"}`, 413},
		{"no such cell", "POST", page + "ask/cell", "application/json", `{"id":"wc9-9"}`, 400},
	} {
		response := request(l, test.method, test.path, test.kind, test.body)
		if response.StatusCode != test.status {
			t.Errorf("%s: status %d, want %d", test.name, response.StatusCode, test.status)
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"} {
			if got := response.Header.Get(name); got != want {
				t.Errorf("%s: %s: %q", test.name, name, got)
			}
		}
		if policy := response.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%s: policy %q", test.name, policy)
		}
		if body, _ := io.ReadAll(response.Body); test.status != 200 && strings.Contains(string(body), l.token) {
			t.Errorf("%s: the answer has the token", test.name)
		}
	}
}

// TestPlan shows that a plan's answer has the words of tolero plan, its script with the same
// bytes, and the cells that change.
func TestPlan(t *testing.T) {
	l := live(t, loadFile(t, plansFile))
	for _, q := range []question{
		{Plan: "kubectl taint nodes --tainted dedicated=gpu maintenance=today:NoExecute\nkubectl cordon web-1"},
		{Plan: "kubectl taint nodes --all gone:NoExecute", MaxNodes: "1", Budgets: "web=1:Deployment shop/cart\n"},
		{Plan: "tolerations dedicated=gpu:NoSchedule StatefulSet shop/search"},
		{Plan: "kubectl taint nodes --tainted dedicated=gpu dedicated-"},
	} {
		args, limited := q.args()
		if limited {
			args = append(args, "-stages")
		}
		args = append(args, "-f", plansFile, "-width", "0")
		_, script, _ := golden.Run(&plan.Command, q.Plan, append(args, "-o", "kubectl")...)
		_, text, _ := golden.Run(&plan.Command, q.Plan, append(args, "-limit", maxLines)...)
		p := l.source.plan(l.views[0], &q)
		if p.Script != script || script == "" {
			t.Errorf("%s: the script differs: %q, want %q", q.Plan, p.Script, script)
		}
		said := words(asked(t, l, "plan", q))
		for line := range strings.Lines(text) {
			if line = strings.Join(strings.Fields(line), " "); !strings.Contains(said, line) {
				t.Errorf("%s: no %q in %s", q.Plan, line, said)
			}
		}
		if len(p.Rows) == 0 {
			t.Errorf("%s: no row changes", q.Plan)
		}
	}
}

// TestPoolTainted asks what happens if a pool is tainted: the answer names the pool, says when
// the later pods leave, and which workloads have fewer nodes, or one pool left.
func TestPoolTainted(t *testing.T) {
	l := live(t, loadFile(t, "testdata/pools.json"))
	for plan, want := range map[string][]string{
		"kubectl taint nodes -l karpenter.sh/nodepool=gpu maintenance=true:NoExecute": {"taint pool gpu maintenance=true:NoExecute 6 nodes affected", "8 pods evicted at once",
			"4 later: after 15m", "Fewer nodes accept: StatefulSet ml/train (6 → 0)", "6 → 0/6 ✕8 now", "6/6 ◷4 after 15m"},
		"kubectl cordon -l karpenter.sh/nodepool=general\nkubectl cordon -l karpenter.sh/nodepool=db": {"cordon pool general; cordon pool db",
			"Only one pool accepts: Job batch/report (spot), Job batch/index (spot), StatefulSet ml/train (gpu), Deployment shop/cart (spot)"},
	} {
		text := words(asked(t, l, "plan", question{Plan: plan}))
		for _, sentence := range want {
			if !strings.Contains(text, sentence) {
				t.Errorf("%s: no %q in %s", plan, sentence, text)
			}
		}
	}
	var a after
	for _, seconds := range []float64{600, 0, 300, 900} {
		a.leave(1, seconds)
	}
	if a.Now != 1 || a.Later != 3 || a.When() != "after 5m to 15m" {
		t.Errorf("%+v leave %s", a, a.When())
	}
}

// TestBesideIsTheMatrix compares the cells after a plan with a new matrix of the cluster as it
// would be.
func TestBesideIsTheMatrix(t *testing.T) {
	in := loadFile(t, plansFile)
	l := live(t, in)
	m := l.views[0]
	p := l.source.plan(m, &question{Plan: "kubectl taint nodes gpu-1 x:NoSchedule\nkubectl cordon web-1\nkubectl taint nodes web-2 dedicated=search:NoExecute"})
	evicted := int64(0)
	for _, c := range p.Rows {
		for j := range c.Then {
			evicted += c.Then[j].Now + c.Then[j].Later
			if c.Then[j].Was != c.row.Cells[j] {
				t.Errorf("%s: before the plan the cell was %+v", c.Name, c.row.Cells[j])
			}
		}
	}
	if evicted != p.Summary.Evicted() || evicted == 0 {
		t.Errorf("%d pods leave cells, and %d are evicted", evicted, p.Summary.Evicted())
	}
	planned, lists, err := l.source.after(must(p.steps()))
	if err != nil || len(lists) > 0 {
		t.Fatal(lists, err)
	}
	then := *in.Cluster
	then.Nodes = planned
	s, _ := documentOf(t, &Input{Cluster: &then})
	for i, r := range l.source.rowOf["w"] {
		for _, c := range p.Rows {
			if c.row == r {
				other := s.rowOf["w"][i]
				accept, want := int64(0), int64(0)
				for j := range c.Then {
					accept += c.Then[j].Is.Accept
				}
				for j := range other.Cells { // its columns may be others: pools go by taints here
					want += other.Cells[j].Accept
				}
				if accept != want {
					t.Errorf("%s: %d nodes accept it after the plan, want %d", r.Name, accept, want)
				}
			}
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestPlanErrors shows that what is wrong is said, and nothing else.
func TestPlanErrors(t *testing.T) {
	l := live(t, loadFile(t, plansFile))
	for _, q := range []question{
		{Plan: "rm -rf /"}, {Plan: "kubectl taint nodes none a:NoSchedule"}, {Plan: "kubectl taint nodes web-1 a"}, {Plan: "kubectl delete node web-1"},
		{Plan: "kubectl cordon web-1", MaxPods: "-1"}, {Plan: "kubectl cordon web-1", MaxPercent: "101"}, {Plan: strings.Repeat("x\n", 5000)},
		{Plan: "tolerations * nobody"}, {Plan: "\x00"}, {Plan: `kubectl taint nodes "web-1 a:NoSchedule`}, {Plan: "kubectl cordon web-1", Budgets: "x"},
		{Plan: "kubectl cordon web-1", MaxNodes: "1 -f /etc/passwd"}, {},
	} {
		if text := asked(t, l, "plan", q); !strings.Contains(text, `class="errors"`) || strings.Contains(text, "<table") || len(text) > 1<<20 {
			t.Errorf("%.40q: %s", q.Plan, text)
		}
	}
}

// TestAsk asks about pods, cells and outages.
func TestAsk(t *testing.T) {
	l := live(t, loadFile(t, pendingFile))
	for _, test := range []struct {
		path     string
		question map[string]string
		want     string
	}{
		{"why", map[string]string{"pod": "shop/taint-value"}, "nearest is tolerations[0]"},
		{"why", map[string]string{"pod": "shop/taint-value", "node": "gpu-1"}, "1 node: gpu-1"},
		{"why", map[string]string{"pod": "nobody"}, `no pod "nobody" in the input`},
		{"why", map[string]string{"pod": "-f"}, `no pod "-f" in the input`},
		{"why", map[string]string{"pod": "shop/gpu", "node": "-h"}, `no node "-h" in the input`},
		{"outage", map[string]string{"of": "zone", "name": "a"}, "shop/train-0"},
		{"outage", map[string]string{"of": "pool", "name": "nosuch"}, "nosuch"},
		{"cell", map[string]string{"id": l.views[0].Rows[0].Cells[0].Link}, "Tolerations"},
	} {
		if text := words(asked(t, l, test.path, test.question)); !strings.Contains(text, test.want) {
			t.Errorf("%s %q: no %q in %s", test.path, test.question, test.want, text)
		}
	}
}

// TestAskingChangesNothing asks many questions at a time; the answers are those of the first
// time. It is for the race detector too.
func TestAskingChangesNothing(t *testing.T) {
	l := live(t, loadFile(t, plansFile))
	questions := []question{{Plan: "kubectl taint nodes --all a=b:NoExecute"}, {Plan: "kubectl cordon --all", MaxNodes: "3"}, {Plan: "kubectl uncordon --all"}, {Plan: "x"}}
	first := make([]string, len(questions))
	for i, q := range questions {
		first[i] = asked(t, l, "plan", q)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, q := range questions {
				if text := asked(t, l, "plan", q); text != first[i] {
					t.Errorf("%v: got %s, first %s", q, text, first[i])
				}
			}
		})
	}
	wg.Wait()
}
