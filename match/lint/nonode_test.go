package lint_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/match/lint"
	"github.com/tolero-dev/tolero/taint"
)

// pools is a fleet with a default pool of two nodes, a GPU pool of two, and a control plane.
func pools(t *testing.T, gpu string, pods ...lint.Pod) *lint.Fleet {
	f := fleet(t, []string{"", "", gpu, gpu, "node-role.kubernetes.io/control-plane:NoSchedule"}, nil)
	for i, pool := range []string{"default", "default", "gpu", "gpu", "control"} {
		f.Nodes[i].Labels = map[string]string{"pool": pool}
	}
	f.Pods = pods
	return f
}

func pod(t *testing.T, tolerations string, pool string) lint.Pod {
	list, err := notation.Tolerations(tolerations)
	if err != nil {
		t.Fatal(err)
	}
	p := lint.Pod{Name: "p", Tolerations: list}
	if pool != "" {
		p.Affinity.NodeSelector = map[string]string{"pool": pool}
	}
	return p
}

// now returns what a report has of what taints do to pods now, or would do.
func now(r lint.Report) string {
	var list []string
	for _, f := range r.Findings {
		if f.ID == lint.KeepsPending || f.ID == lint.NoNode || f.ID == lint.Evicts {
			list = append(list, fmt.Sprintf("%s (%d)", f, f.Count))
		}
	}
	return strings.Join(list, "\n")
}

// Pods that wait for nodes that only taints keep them from are an error, with the correction,
// and pods that wait for another reason are not.
func TestKeepsPending(t *testing.T) {
	const reason = "taints keep it from every node that its node selector and affinity admit, 2 in all, n2 by nvidia.com/gpu=a100:NoSchedule first"
	for name, c := range map[string]struct{ gpu, tolerations, pool, want string }{
		"nothing tolerated": {"nvidia.com/gpu=a100:NoSchedule", "", "gpu", "add nvidia.com/gpu==a100:NoSchedule"},
		"a misspelled key":  {"nvidia.com/gpu=a100:NoSchedule", "nvidia.com/gpus:NoSchedule", "gpu", "change tolerations[0], nvidia.com/gpus:NoSchedule, to nvidia.com/gpu:NoSchedule"},
		"a wrong value":     {"nvidia.com/gpu=a100:NoSchedule", "nvidia.com/gpu==t4:NoSchedule", "gpu", "change tolerations[0], nvidia.com/gpu==t4:NoSchedule, to nvidia.com/gpu==a100:NoSchedule"},
		"a wrong effect":    {"nvidia.com/gpu=a100:NoSchedule", "nvidia.com/gpu:NoExecute", "gpu", "change tolerations[0], nvidia.com/gpu:NoExecute, to nvidia.com/gpu:NoSchedule"},
		"tolerated":         {"nvidia.com/gpu=a100:NoSchedule", "nvidia.com/gpu", "gpu", ""},
		"of another pool":   {"nvidia.com/gpu=a100:NoSchedule", "", "default", ""},
		"of any pool":       {"nvidia.com/gpu=a100:NoSchedule", "", "", ""},
		"no such pool":      {"nvidia.com/gpu=a100:NoSchedule", "", "none", ""},
		"soft":              {"nvidia.com/gpu=a100:PreferNoSchedule", "", "gpu", ""},
		"not ready":         {"node.kubernetes.io/not-ready:NoExecute", "", "gpu", ""},
		"starting":          {"startup-taint.cluster-autoscaler.kubernetes.io/x:NoSchedule", "", "gpu", ""},
	} {
		p := pod(t, c.tolerations, c.pool)
		p.Count = 120
		for _, pending := range []bool{false, true} {
			p.Pending = pending
			want := ""
			switch {
			case c.want != "" && pending:
				want = fmt.Sprintf("error: p and 119 more, tolerations: it waits: %s (keeps-pending); %s (120)", reason, c.want)
			case c.want != "":
				want = fmt.Sprintf("warning: p and 119 more, tolerations: a new pod would wait: %s (no-node); %s (120)", reason, c.want)
			}
			if got := now(lint.Check(pools(t, c.gpu, p), lint.Options{})); got != want {
				t.Errorf("%s, pending %t: got\n%s\nwant\n%s", name, pending, got, want)
			}
		}
		p.Pending, p.DaemonSet = true, true
		static := p
		static.DaemonSet, static.Static = false, true
		if got := now(lint.Check(pools(t, c.gpu, p, static), lint.Options{})); got != "" {
			t.Errorf("%s: of a DaemonSet, or static: %s", name, got)
		}
	}
}

// Where all nodes are tainted, a pod without an Affinity that waits is an error, and one that
// runs is none. The control plane is not what is suggested.
func TestKeepsPendingEverywhere(t *testing.T) {
	f := fleet(t, []string{"node-role.kubernetes.io/control-plane:NoSchedule", "a:NoSchedule,b=x:NoExecute", "a:NoSchedule"}, []string{""})
	if got := now(lint.Check(f, lint.Options{})); got != "" {
		t.Error(got)
	}
	f.Pods[0].Node = "n1"
	if got := now(lint.Check(f, lint.Options{})); strings.Contains(got, "no-node") || !strings.Contains(got, "(evicts); add b==x:NoExecute (1)") {
		t.Error(got) // to stay there it need not tolerate a
	}
	f.Pods[0].Pending, f.Pods[0].Node = true, ""
	const want = "error: p0, tolerations: it waits: taints keep it from every node, 3 in all, n0 by node-role.kubernetes.io/control-plane:NoSchedule first (keeps-pending); add a==:NoSchedule (1)"
	if got := now(lint.Check(f, lint.Options{})); got != want {
		t.Error(got)
	}
	f.Nodes = f.Nodes[:1]
	if got := now(lint.Check(f, lint.Options{})); !strings.Contains(got, "; add node-role.kubernetes.io/control-plane==:NoSchedule (1)") {
		t.Error(got)
	}
	f.Nodes = nil
	if got := now(lint.Check(f, lint.Options{})); got != "" {
		t.Error(got)
	}
}

// Pods on a node with a lasting taint that evicts them at once are an error.
func TestEvicts(t *testing.T) {
	for _, c := range []struct {
		taints, tolerations string
		want                bool
	}{
		{"a:NoExecute", "", true},
		{"a:NoExecute", "a=x:NoExecute", true},
		{"a:NoExecute", "a:NoExecute@60", false}, // later
		{"a:NoExecute", "a", false},
		{"a:NoSchedule", "", false},
		{"node.kubernetes.io/unreachable:NoExecute", "", false}, // no mistake
	} {
		for _, daemonSet := range []bool{false, true} {
			f := fleet(t, []string{c.taints, ""}, nil)
			p := pod(t, c.tolerations, "")
			p.Node, p.DaemonSet = "n0", daemonSet
			other := p
			other.Name, other.Node = "other", "n1"
			unknown := p
			unknown.Name, unknown.Node = "unknown", "n9"
			f.Pods = []lint.Pod{p, p, other, unknown}
			want := ""
			if c.want {
				want = "error: p and 1 more, tolerations: it runs on a node with a:NoExecute, which evicts it (evicts); "
			}
			if got := now(lint.Check(f, lint.Options{})); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
				t.Errorf("%s, %s: %s", c.taints, c.tolerations, got)
			}
		}
	}
}

// To go to a node it is enough to stay there for some seconds.
func TestFixIsForScheduling(t *testing.T) {
	p := pod(t, "b:NoExecute@5", "gpu")
	p.Pending = true
	if got := now(lint.Check(pools(t, "a:NoSchedule,b:NoExecute", p), lint.Options{})); !strings.HasSuffix(got, "; add a==:NoSchedule (1)") {
		t.Error(got)
	}
}

// Findings about pods that wait have their names, and silences take pods out of them.
func TestPendingSilences(t *testing.T) {
	var pods []lint.Pod
	for _, name := range []string{"p", "q", "p", "r"} {
		p := pod(t, "", "gpu")
		p.Name, p.Pending = name, true
		pods = append(pods, p)
	}
	f := pools(t, "a:NoSchedule", pods...)
	r := lint.Check(f, lint.Options{Objects: true})
	if got := fmt.Sprint(r.Findings[0].Objects, r.Findings[0].Count, r.Findings[0].Key); got != "[p q r] 4a" {
		t.Error(got)
	}
	for _, s := range []struct {
		silence lint.Silence
		want    string
	}{
		{lint.Silence{ID: lint.KeepsPending, Object: "q"}, "[p r] 3"},
		{lint.Silence{Key: "a"}, "silent"},
		{lint.Silence{ID: lint.KeepsPending, Key: "b"}, "[p q r] 4"},
	} {
		got := "silent"
		for _, f := range lint.Check(f, lint.Options{Objects: true, Silence: []lint.Silence{s.silence}}).Findings {
			if f.ID == lint.KeepsPending {
				got = fmt.Sprint(f.Objects, " ", f.Count)
			}
		}
		if got != s.want {
			t.Errorf("%v: %s, want %s", s.silence, got, s.want)
		}
	}
}

var changed = regexp.MustCompile(`^change tolerations\[(\d+)\], .*, to (.*)$`)

// corrected returns the pod after its finding's fix.
func corrected(t rapid.TB, p lint.Pod, fix string) lint.Pod {
	p.Tolerations = append(p.Tolerations[:0:0], p.Tolerations...)
	for _, step := range strings.Split(fix, " and ") {
		text, add := strings.CutPrefix(step, "add ")
		i := len(p.Tolerations)
		if m := changed.FindStringSubmatch(step); m != nil {
			fmt.Sscan(m[1], &i)
			text = m[2]
		} else if !add {
			t.Fatalf("no change: %q", step)
		}
		now, err := notation.Toleration(text)
		if err != nil {
			t.Fatal(err)
		}
		if i == len(p.Tolerations) {
			p.Tolerations = append(p.Tolerations, now)
		}
		p.Tolerations[i] = now
	}
	return p
}

// A pod has the finding if and only if match finds no node for it among those that it may use,
// and its fix, applied alone, removes it. The same for nodes that evict it.
func TestRoomOfAnyFleet(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		taints := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a:NoSchedule", "a=x:NoSchedule", "b:NoExecute", "a=y:NoExecute,b:NoSchedule", "node.kubernetes.io/not-ready:NoExecute", "c:PreferNoSchedule"}), 1, 5).Draw(rt, "taints")
		f := fleet(t, taints, nil)
		for i := range f.Nodes {
			f.Nodes[i].Labels = map[string]string{"pool": rapid.SampledFrom([]string{"x", "y"}).Draw(rt, "pool")}
		}
		p := pod(t, rapid.SampledFrom([]string{"", "a", "a==x", "a:NoExecute", "aa", "b:NoExecute@5", "b", "*", "a>3"}).Draw(rt, "tolerations"), rapid.SampledFrom([]string{"", "x", "z"}).Draw(rt, "pool"))
		p.Pending = rapid.Bool().Draw(rt, "pending")
		if !p.Pending {
			p.Node = f.Nodes[0].Name
		}
		f.Pods = []lint.Pod{p}
		for _, found := range lint.Check(f, lint.Options{}).Findings {
			switch found.ID {
			case lint.KeepsPending, lint.NoNode, lint.Evicts:
				again := *f
				again.Pods = []lint.Pod{corrected(rt, p, found.Fix)}
				if r := lint.Check(&again, lint.Options{}); r.Counts[found.ID] > 0 {
					rt.Fatalf("%s\nremains as\n%s", found, now(r))
				}
			}
		}
		want := map[lint.ID]int{lint.KeepsPending: 0, lint.NoNode: 0, lint.Evicts: 0}
		if admitted, free := room(f, &p.Affinity); admitted && !free {
			want[map[bool]lint.ID{true: lint.KeepsPending, false: lint.NoNode}[p.Pending]] = 1
			if !p.Pending && p.Affinity.IsZero() {
				want[lint.NoNode] = 0
			}
		}
		if p.Node != "" && match.Decide(lasting(f.Nodes[0].Taints), p.Tolerations).Eviction == match.EvictNow {
			want[lint.Evicts] = 1
		}
		r := lint.Check(f, lint.Options{})
		for id, n := range want {
			if r.Counts[id] != n {
				rt.Fatalf("%d %s, want %d:\n%s", r.Counts[id], id, n, lines(r))
			}
		}
	})
}

// room asks match about each node that the first pod may use.
func room(f *lint.Fleet, a *affinity.Required) (admitted, free bool) {
	for _, n := range f.Nodes {
		if a.Matches(n.Name, n.Labels) {
			admitted = true
			free = free || match.Decide(lasting(n.Taints), f.Pods[0].Tolerations).Scheduling != match.Unschedulable
		}
	}
	return admitted, free
}

func lasting(taints []taint.Taint) []taint.Taint {
	var list []taint.Taint
	for _, x := range taints {
		if x.Key != taint.KeyNotReady {
			list = append(list, x)
		}
	}
	return list
}

// However many pods wait, the work is bounded, and those that are left out are counted.
func TestWaitingIsBounded(t *testing.T) {
	f := new(lint.Fleet)
	for i := range 100 {
		f.Nodes = append(f.Nodes, fleet(t, []string{fmt.Sprintf("a=%d:NoSchedule", i)}, nil).Nodes...)
		f.Nodes[i].Labels = map[string]string{"i": fmt.Sprint(i)}
		p := pod(t, fmt.Sprintf("b==%d", i), "")
		p.Pending = true
		f.Pods = append(f.Pods, p)
	}
	_, r := lint.StepsWithTargetSteps(f, 10_000)
	if n := r.Counts[lint.KeepsPending]; n+r.Skipped != 100 || n < 8 || n > 10 { // 1,100 steps each
		t.Errorf("%d found, %d skipped", n, r.Skipped)
	}
	for i := range f.Pods {
		f.Pods[i].Affinity.Terms = []affinity.Term{{Expressions: []affinity.Requirement{{Key: "i", Operator: "In", Values: strings.Split(strings.Repeat("0 ", 100), " ")[:99]}}}}
	}
	if _, r := lint.StepsWithTargetSteps(f, 1_000); r.Skipped != 100 { // each is longer than that
		t.Errorf("%d skipped", r.Skipped)
	}
}
