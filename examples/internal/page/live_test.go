package page

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/match/affinity"
)

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

func TestLiveRefuses(t *testing.T) {
	l := NewLive(small())
	other := NewLive(small())
	if len(l.token) < 20 || l.token == other.token {
		t.Errorf("tokens %q, %q", l.token, other.token)
	}
	page, ask := l.Path(), l.Path()+"whatif"
	for _, test := range []struct {
		name, method, path, kind, body string
		status                         int
	}{
		{"the page", "GET", page, "", "", 200},
		{"its head", "HEAD", page, "", "", 200},
		{"a question", "POST", ask, "application/json", `{"plan":""}`, 200},
		{"a character set", "POST", ask, "application/json; charset=utf-8", `{}`, 200},
		{"no token", "GET", "/", "", "", 404},
		{"no slash", "GET", strings.TrimSuffix(page, "/"), "", "", 404},
		{"another token", "GET", other.Path(), "", "", 404},
		{"a part of the token", "GET", page[:10] + "/", "", "", 404},
		{"in small letters", "GET", strings.ToLower(page), "", "", 404},
		{"a question without token", "POST", "/whatif", "application/json", "{}", 404},
		{"a question with another", "POST", other.Path() + "whatif", "application/json", "{}", 404},
		{"something else", "GET", page + "x", "", "", 404},
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

// ask returns the answer to a question.
func ask(t *testing.T, l *Live, q Question) *Answer {
	t.Helper()
	body, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	response := request(l, "POST", l.Path()+"whatif", "application/json", string(body))
	a := &Answer{}
	dec := json.NewDecoder(response.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(a); err != nil || response.StatusCode != 200 {
		t.Fatalf("status %d, %v", response.StatusCode, err)
	}
	return a
}

// TestWhatIf asks about a small fleet: n1, n2 with dedicated=gpu, n3 without taints, n4
// (three nodes) with b:NoExecute; p1 runs on n1, p2 on n3, and p4 (four pods) on n4.
func TestWhatIf(t *testing.T) {
	l := NewLive(small())
	a := ask(t, l, Question{Plan: "kubectl taint nodes n3 b:NoExecute\nkubectl cordon n3", MaxPods: 1})
	want := &Summary{Nodes: 1, Later: 1}
	if len(a.Errors) > 0 || !cmp.Equal(a.Summary, want) {
		t.Fatalf("got %+v, %+v", a.Errors, a.Summary)
	}
	if want := []Evicted{{"shop/p2", "n3", "ReplicaSet shop/p", 300, "b:NoExecute"}}; !cmp.Equal(a.Evictions, want) {
		t.Errorf("evictions %+v", a.Evictions)
	}
	const script, stage = "\tstep 1 kubectl taint nodes n3 b:NoExecute\n\tstep 2 kubectl cordon n3\n}\n", "kubectl taint nodes n3 b:NoExecute\nkubectl cordon n3\n"
	if !strings.Contains(a.Commands, script) || len(a.Violations) != 0 || len(a.Stages) != 1 || a.Stages[0].Commands != stage {
		t.Errorf("commands %q, violations %q, stages %+v", a.Commands, a.Violations, a.Stages)
	}
	if len(a.Unschedulable) == 0 {
		t.Errorf("pods without tolerations have no node left: %+v", a)
	}

	a = ask(t, l, Question{Plan: "kubectl taint nodes --all gone:NoExecute", MaxPods: 1, MaxNodes: 1})
	if a.Summary.Nodes != 6 || a.Summary.Now == 0 || len(a.Violations) != 2 {
		t.Errorf("summary %+v, violations %q, stages %+v, error %q", a.Summary, a.Violations, a.Stages, a.StageError)
	}
	a = ask(t, l, Question{Plan: "tolerations * ReplicaSet shop/p"})
	if len(a.Errors) > 0 || !strings.Contains(a.Commands, "\tby_hand 1 'change the template that ReplicaSet shop/p comes from: tolerations * ReplicaSet shop/p'\n") {
		t.Errorf("errors %q, commands %q", a.Errors, a.Commands)
	}
	a = ask(t, l, Question{})
	if len(a.Errors) > 0 || a.Summary.Nodes != 0 || len(a.Stages) != 0 {
		t.Errorf("nothing: %+v", a)
	}
}

// TestWhatIfErrors shows that what is wrong is said, and nothing else.
func TestWhatIfErrors(t *testing.T) {
	l := NewLive(small())
	for _, q := range []Question{
		{Plan: "rm -rf /"}, {Plan: "kubectl taint nodes none a:NoSchedule"}, {Plan: "kubectl taint nodes n3 a"}, {Plan: "kubectl delete node n1"},
		{Plan: "kubectl cordon n1", MaxPods: -1}, {Plan: "kubectl cordon n1", MaxPercent: 101}, {Plan: strings.Repeat("x\n", 5000)},
		{Plan: "tolerations * nobody"}, {Plan: "\x00"}, {Plan: `kubectl taint nodes "n1 a:NoSchedule`},
	} {
		a := ask(t, l, q)
		if len(a.Errors) == 0 || len(a.Errors) > maxListed || a.Summary != nil || a.Commands != "" {
			t.Errorf("%.40q: %+v", q.Plan, a)
		}
	}
}

// TestWhatIfChangesNothing asks many questions at a time; the answers are those of the
// first time. It is for the race detector too.
func TestWhatIfChangesNothing(t *testing.T) {
	l := NewLive(synthetic("pools", 200, 300))
	questions := []Question{{Plan: "kubectl taint nodes --all a=b:NoExecute"}, {Plan: "kubectl cordon --all", MaxNodes: 3}, {Plan: "kubectl uncordon --all"}, {Plan: "x"}}
	first := make([]*Answer, len(questions))
	for i, q := range questions {
		first[i] = ask(t, l, q)
		if size := len(must(json.Marshal(first[i]))); size > 1<<20 {
			t.Errorf("an answer of %d bytes", size)
		}
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, q := range questions {
				a := ask(t, l, q)
				if !cmp.Equal(a.Summary, first[i].Summary) || !cmp.Equal(a.Stages, first[i].Stages) || !cmp.Equal(a.Errors, first[i].Errors) {
					t.Errorf("%v: got %+v, first %+v", q, a, first[i])
				}
			}
		})
	}
	wg.Wait()
}

// TestAnswersAreBounded asks about a fleet in which everything changes.
func TestAnswersAreBounded(t *testing.T) {
	f := &Fleet{}
	for i := range 3000 {
		name := fmt.Sprintf("node-%s-%05d", strings.Repeat("x", 150), i)
		f.Nodes = append(f.Nodes, Node{Name: name, Count: 1})
		f.Pods = append(f.Pods, Pod{Name: name, Namespace: "n", Owner: "Job/" + name, Node: name, Count: 1})
	}
	l := NewLive(f)
	a := ask(t, l, Question{Plan: "kubectl taint nodes --all a:NoExecute", MaxNodes: 10})
	if a.Summary.Now != 3000 || len(a.Evictions) != maxListed || len(a.Stages) != maxStages || a.MoreStages != 250 {
		t.Errorf("%+v, %d evictions, %d stages and %d more", a.Summary, len(a.Evictions), len(a.Stages), a.MoreStages)
	}
	if size := len(must(json.Marshal(a))); size > 1<<20 {
		t.Errorf("an answer of %d bytes", size)
	}
	a = ask(t, l, Question{Plan: "kubectl taint nodes --all a:NoExecute", MaxNodes: 3000})
	if len(a.Stages) != 1 || a.Stages[0].Commands != "" {
		t.Errorf("%d stages, %d bytes of commands", len(a.Stages), len(a.Stages[0].Commands))
	}
}

// The pods of a DaemonSet get what its controller adds to a new list; commands are as they
// were written.
func TestWhatIfOfDaemonSets(t *testing.T) {
	const plan = "tolerations a DaemonSet x/agent\nkubectl taint nodes n node.kubernetes.io/network-unavailable:NoSchedule\n"
	const script = "\tstep 1 kubectl --namespace x patch daemonset agent --type merge --patch '" + `{"spec":{"template":{"spec":{"tolerations":[{"key":"a","operator":"Exists"}]}}}}'` +
		"\n\tbefore 2 rollout x daemonset/agent\n\tstep 2 kubectl taint nodes n node.kubernetes.io/network-unavailable:NoSchedule\n"
	for hostNetwork, without := range map[bool]int{true: 0, false: 1} {
		a := ask(t, NewLive(&Fleet{
			Nodes: []Node{{Name: "n", Count: 1}},
			Pods:  []Pod{{Name: "agent-1", Namespace: "x", Owner: "DaemonSet/agent", Node: "n", DaemonSet: true, HostNetwork: hostNetwork, Count: 1}},
		}), Question{Plan: plan})
		if len(a.Errors) > 0 || len(a.Unschedulable) != without || !strings.Contains(a.Commands, script) {
			t.Errorf("host network %t: %+v", hostNetwork, a)
		}
		if len(a.Stages) != 1 || a.Stages[0].Commands != "kubectl taint nodes n node.kubernetes.io/network-unavailable:NoSchedule\n" {
			t.Errorf("host network %t: %+v", hostNetwork, a)
		}
	}
}

// Who can go to one pool only has no node left when that is cordoned.
func TestWhatIfReadsSelectors(t *testing.T) {
	l := NewLive(&Fleet{
		Nodes: []Node{{Name: "gpu-1", Labels: map[string]string{"pool": "gpu"}, Count: 1}, {Name: "web-1", Count: 1}},
		Pods: []Pod{
			{Name: "a-0", Namespace: "x", Owner: "StatefulSet/a", Node: "gpu-1", Affinity: affinity.Required{NodeSelector: map[string]string{"pool": "gpu"}}, Count: 1},
			{Name: "b-0", Namespace: "x", Owner: "StatefulSet/b", Node: "gpu-1", Count: 1},
		},
	})
	for step, want := range map[string]int{"kubectl cordon gpu-1": 1, "kubectl cordon web-1": 0, "kubectl cordon --all": 2} {
		a := ask(t, l, Question{Plan: step})
		owners := ""
		for _, u := range a.Unschedulable {
			owners += u.Owner + ";"
		}
		if len(a.Unschedulable) != want || want > 0 && !strings.Contains(owners, "StatefulSet x/a;") {
			t.Errorf("%s: %+v", step, a.Unschedulable)
		}
	}
}
