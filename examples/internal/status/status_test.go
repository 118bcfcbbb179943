package status

import (
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/golden"
)

func TestGolden(t *testing.T) {
	for name, args := range map[string][]string{
		"demo.text.golden":    nil,
		"demo.json.golden":    {"-o", "json"},
		"pending.text.golden": {"-f", "../why/testdata/pending.yaml", "-limit", "0"},
		"cluster.text.golden": {"-f", "../matrix/testdata/cluster.json"},
		"pools.text.golden":   {"-f", "../why/testdata/pools/empty.yaml"},
	} {
		status, stdout, stderr := golden.Run(&Command, "", args...)
		if status != 0 || stderr != "" && name != "pending.text.golden" { // whose Gt does not count
			t.Errorf("%s: status %d, %s", name, status, stderr)
		}
		golden.Check(t, name, stdout)
	}
}

// A healthy cluster takes one line, and -fail fails on the others only.
func TestHealthy(t *testing.T) {
	const healthy = `{"kind":"Node","metadata":{"name":"n"}}{"kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n"}}`
	status, stdout, stderr := golden.Run(&Command, healthy, "-f", "-", "-fail")
	if status != 0 || stderr != "" || !strings.HasPrefix(stdout, "1 node and 1 pod: nothing is wrong.") || strings.Count(stdout, "\n") > 2 {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}
	for _, wrong := range []string{
		`{"kind":"Pod","metadata":{"name":"q"}}`,
		`{"kind":"Pod","metadata":{"name":"q"},"spec":{"nodeName":"n","tolerations":[{"key":"a","effect":"never"}]}}`,
		`{"kind":"Node","metadata":{"name":"m"},"spec":{"unschedulable":true}}{"kind":"Node","metadata":{"name":"o"}}`,
		`{"kind":"Node","metadata":{"name":"m"},"spec":{"taints":[{"key":"a","effect":"NoExecute"}]}}{"kind":"Pod","metadata":{"name":"q"},"spec":{"nodeName":"m"}}`,
	} {
		if status, stdout, _ := golden.Run(&Command, healthy+wrong, "-f", "-", "-fail"); status != 1 || strings.Contains(stdout, "nothing is wrong") {
			t.Errorf("%s: status %d, %s", wrong, status, stdout)
		}
	}
}

// Without pods nobody knows whether anything is wrong.
func TestNoPods(t *testing.T) {
	_, stdout, _ := golden.Run(&Command, `{"kind":"Node","metadata":{"name":"n"}}`, "-f", "-")
	if stdout != "1 node and 0 pods in the input; to have all: "+command.Dump+"\n" {
		t.Errorf("%s", stdout)
	}
}

// A pod that is being deleted is not evicted any more.
func TestTerminating(t *testing.T) {
	const node = `{"kind":"Node","metadata":{"name":"m"},"spec":{"taints":[{"key":"a","effect":"NoExecute","timeAdded":"2026-03-01T12:00:00Z"}]}}
{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"m"},"spec":{"renewTime":"2026-03-01T12:01:00.000000Z"}}`
	pod := func(name, metadata string) string {
		return `{"kind":"Pod","metadata":{"name":"` + name + `"` + metadata + `},"spec":{"nodeName":"m"},"status":{"phase":"Running"}}`
	}
	_, stdout, _ := golden.Run(&Command, node+pod("p", "")+pod("q", `,"deletionTimestamp":"2026-03-01T12:00:30Z"`), "-f", "-")
	const want = "1 pod evicted by taints (as of 2026-03-01 12:01:00 UTC; tolero why POD)\n  m: a:NoExecute: due 1m ago: Pod p\n"
	if !strings.Contains(stdout, want) {
		t.Errorf("%s, want %s", stdout, want)
	}
}

// Of a pool whose nodes have a label, a taint is unusual if most of the pool do not have it,
// whatever it is; of other nodes only those that come and go are.
func TestUnusual(t *testing.T) {
	node := func(name, pool, taints string) string {
		return `{"kind":"Node","metadata":{"name":"` + name + `","labels":{` + pool + `}},"spec":{"taints":[` + taints + `]}}`
	}
	const gpu, spot, own = `"agentpool":"gpu"`, `"agentpool":"spot"`, `"own":"gpu"`
	const dedicated, debug = `{"key":"dedicated","value":"gpu","effect":"NoSchedule"}`, `{"key":"debug","effect":"NoSchedule"}`
	three := func(pool, first string) string {
		return node("a", pool, first) + node("b", pool, dedicated) + node("c", pool, dedicated)
	}
	for input, want := range map[string]string{
		three(gpu, dedicated) + node("d", spot, debug): "",
		three(gpu, dedicated+","+debug):                "debug:NoSchedule: a (1 of 3 nodes of pool gpu)\n",
		three(own, dedicated+","+debug):                "",
		node("a", "", `{"key":"ToBeDeletedByClusterAutoscaler","value":"17","effect":"NoSchedule"}`) + node("b", "", `{"key":"ToBeDeletedByClusterAutoscaler","value":"18","effect":"NoSchedule"}`) +
			three(own, dedicated): "ToBeDeletedByClusterAutoscaler:NoSchedule: a, b (2 of 5 nodes); it means",
		node("a", gpu, debug) + node("b", gpu, dedicated):                         "",                                                                                                                              // half of it is not few
		`{"kind":"Node","metadata":{"name":"e"},"spec":{"unschedulable":true}}`:   "node.kubernetes.io/unschedulable:NoSchedule: e (1 of 1 node); it is a cordon, which somebody set:\n      kubectl uncordon e\n", // all of it
		three("", `{"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"}`): "node.kubernetes.io/not-ready:NoSchedule: a (1 of 3 nodes); it goes away with the state of the\n      node: kubectl describe node a\n",
	} {
		_, stdout, _ := golden.Run(&Command, input, "-f", "-")
		const heading = "Taints that most nodes of the pool do not have"
		if strings.Contains(stdout, heading) != (want != "") || !strings.Contains(stdout, want) {
			t.Errorf("%s: %s, want %s", input, stdout, want)
		}
	}
	_, stdout, _ := golden.Run(&Command, three(own, dedicated+","+debug), "-f", "-", "-pool", "own")
	if !strings.Contains(stdout, "debug:NoSchedule: a (1 of 3 nodes of pool gpu)\n") {
		t.Errorf("-pool: %s", stdout)
	}
}
