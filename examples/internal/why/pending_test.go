package why

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/golden"
)

// Of several reasons the one that is certain is the cause: a claim that waits for its first
// consumer hides no lack of room, and a claim that does not exist goes before all but gates.
func TestCauses(t *testing.T) {
	const node = `{"kind":"Node","metadata":{"name":"n"},"status":{"allocatable":{"cpu":"1","memory":"1Gi","pods":"10"}}}`
	pod := func(spec string) string {
		return `{"kind":"Pod","metadata":{"namespace":"x","name":"p"},"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"2"}}}]` + spec + `},"status":{"phase":"Pending"}}`
	}
	claim := func(phase string) string {
		return `{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"namespace":"x","name":"c"},"spec":{},"status":{"phase":"` + phase + `"}}`
	}
	const uses, lacks = `,"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}]`, `,"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"d"}}]`
	for _, c := range []struct{ name, input, kind string }{
		{"no room", node + pod(""), byResources},
		{"a claim that waits", node + pod(uses) + claim("Pending"), byResources},
		{"a claim that waits, and room", strings.Replace(node, `"1"`, `"4"`, 1) + pod(uses) + claim("Pending"), byClaim},
		{"a bound claim", strings.Replace(node, `"1"`, `"4"`, 1) + pod(uses) + claim("Bound"), byOther},
		{"a lost claim", node + pod(uses) + claim("Lost"), byClaim},
		{"a claim that is not there", node + pod(lacks) + claim("Bound"), byClaim},
		{"a gate", node + pod(lacks+`,"schedulingGates":[{"name":"g"}]`) + claim("Bound"), byGate},
		{"taints", strings.Replace(node, `"status"`, `"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]},"status"`, 1) + pod(lacks) + claim("Bound"), byTaints},
		{"a selector", node + pod(`,"nodeSelector":{"a":"b"}`), bySelector},
		{"preemption", strings.Replace(node, `"1"`, `"4"`, 1) + strings.Replace(pod(""), `"phase"`, `"nominatedNodeName":"n","phase"`, 1), byPreempted},
		{"devices", strings.Replace(node, `"1"`, `"4"`, 1) + pod(`,"resourceClaims":[{"name":"d","resourceClaimName":"d"}]`), byDevice},
	} {
		if r := start(c.input, "-f", "-", "-o", "json"); r.status != 0 || !strings.Contains(r.stdout, `"kind": "`+c.kind+`"`) {
			t.Errorf("%s: want %s, %+v", c.name, c.kind, r)
		}
		suggests := strings.Contains(start(c.input, "-f", "-").stdout, "- {key")
		if suggests != (c.kind == byTaints) {
			t.Errorf("%s: a toleration is suggested: %t", c.name, suggests)
		}
	}
}

// What the input tells of pods is told of them, and nothing that does not help is suggested.
func TestWaiting(t *testing.T) {
	node := func(name, spec, cpu string) string {
		return fmt.Sprintf(`{"kind":"Node","metadata":{"name":%q,"labels":{"disk":"ssd"}},"spec":{%s},"status":{"allocatable":{"cpu":%q,"pods":"110"}}}`, name, spec, cpu)
	}
	pod := func(name, spec, cpu string) string {
		return fmt.Sprintf(`{"kind":"Pod","metadata":{"name":%q},"spec":{%s"containers":[{"resources":{"requests":{"cpu":%q}}}]},"status":{"phase":"Pending"}}`, name, spec, cpu)
	}
	const cordoned, autoscaler = `"unschedulable":true`, `"taints":[{"key":"ToBeDeletedByClusterAutoscaler","value":"17","effect":"NoSchedule"}]`
	const starts = `"taints":[{"key":"node.cilium.io/agent-not-ready","effect":"NoSchedule"},{"key":"gpu","effect":"NoSchedule"}]`
	const claims = `"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}],`
	for name, c := range map[string]struct {
		input, args string
		want        []string
		suggests    bool
	}{
		"full beside a cordon": {node("a", cordoned, "4") + node("b", cordoned, "4") + node("c", "", "4") + pod("q", `"nodeName":"c",`, "4") + pod("p", "", "1"), "p",
			[]string{"the only node that accepts it has no room: c has 0 cpu free.", "2 nodes with room: node.kubernetes.io/unschedulable:NoSchedule is a cordon, which somebody set: kubectl uncordon a b."}, false},
		"a cordoned node, too small": {node("a", cordoned, "1") + node("c", "", "0") + pod("p", "", "2"), "", []string{"Taints do not explain this"}, false},
		"all cordoned":               {node("a", cordoned, "4") + pod("p", "", "1"), "", []string{"kubectl uncordon a\n"}, false},
		"removed":                    {node("a", autoscaler, "4") + pod("p", "", "1"), "", []string{"17:NoSchedule means that the node is being removed: wait for another one\n"}, false},
		"starts, and has a taint":    {node("a", starts, "4") + pod("p", "", "1"), "", []string{"agent-not-ready:NoSchedule goes away once the node has started: wait\n", "{key: gpu, operator: Exists, effect: NoSchedule}\n"}, true},
		"two pods":                   {node("a", "", "1") + pod("p", "", "2") + pod("q", "", "2500m"), "", []string{"Pods p, q\n", "It requests 2 to 2500m cpu; the only node that accepts it has no room: a has 1 cpu free.\n"}, false},
		"most pods first":            {node("a", starts, "4") + pod("p", `"nodeSelector":{"disk":"nvme"},`, "1") + pod("q", "", "1") + pod("r", "", "1"), "", []string{"Pods q, r\n"}, true},
		"two pods with other lists":  {node("a", "", "1") + pod("p", "", "2") + pod("q", `"tolerations":[{"operator":"Exists"}],`, "3"), "", []string{"Pod p\n", "Pod q\n"}, false},
		"claims that are not there":  {node("a", "", "1") + pod("p", claims, "1"), "", []string{"It uses the PersistentVolumeClaim c, and the input has none; to see: kubectl get persistentvolumeclaims -A -o json.\n"}, false},
		"a volume that is not there": {node("a", "", "1") + pod("p", claims, "1") + `{"kind":"PersistentVolumeClaim","metadata":{"name":"c"},"spec":{"volumeName":"pv"},"status":{"phase":"Bound"}}`, "",
			[]string{"The PersistentVolume pv is not in the input: it may be for some nodes only.\n"}, false},
		"one node, too small":   {node("a", "", "1") + node("b", "", "8") + pod("p", "", "2"), "p a", []string{"Taints let it go to a.\n", "has no room: a has 1 cpu free.\n"}, false},
		"one node, excluded":    {node("a", starts, "8") + pod("p", `"nodeSelector":{"disk":"nvme"},`, "2"), "p a", []string{"The node does not have disk=nvme (a has disk=ssd). No toleration helps.\n", "gpu:NoSchedule is not tolerated"}, false},
		"one node, gated":       {node("a", "", "8") + pod("p", `"schedulingGates":[{"name":"g"}],`, "2"), "p a", []string{"Its scheduling gate g holds it"}, false},
		"one node with a taint": {node("a", starts, "1") + pod("p", "", "2"), "p a", []string{"Taints keep it from a.\n", "a toleration alone does not help: a has 1 cpu free\n"}, true},
		"restarts": {node("a", `"taints":[{"key":"x","effect":"NoExecute"}]`, "8") + pod("p", `"tolerations":[{"key":"x","operator":"Exists","effect":"NoExecute","tolerationSeconds":30}],`, "1"), "",
			[]string{"On a it is evicted again after 30s: x:NoExecute.\n"}, false},
	} {
		r := start(c.input, append(strings.Fields(c.args), "-f", "-", "-width", "0")...)
		for _, want := range c.want {
			if r.status != 0 || !strings.Contains(r.stdout, want) || strings.HasPrefix(want, "Pod") && !strings.HasPrefix(r.stdout, c.want[0]) {
				t.Errorf("%s: no %q in\n%s%s", name, want, r.stdout, r.stderr)
			}
		}
		if strings.Contains(r.stdout, "- {key") != c.suggests {
			t.Errorf("%s: a toleration is suggested, or not:\n%s", name, r.stdout)
		}
	}
}

// Pods of a DaemonSet that wait for the same reason are told together, those of other nodes too.
func TestPodsOfADaemonSet(t *testing.T) {
	var input strings.Builder
	for i, key := range []string{"a", "b", "a", "c", "a"} {
		fmt.Fprintf(&input, `{"kind":"Node","metadata":{"name":"n%d"},"spec":{"taints":[{"key":%q,"effect":"NoSchedule"}]}}
{"kind":"Pod","metadata":{"name":"p%[1]d","ownerReferences":[{"kind":"DaemonSet","name":"agent","controller":true}]},"spec":{"tolerations":[{"key":"c","operator":"Exists"}],"affinity":{"nodeAffinity":{
"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["n%[1]d"]}]}]}}}}}`, i, key)
	}
	r := start(input.String(), "-f", "-", "-width", "0")
	const want = "Pods p0, p2, p4\n  As a pod of a DaemonSet it is for one node.\n  Taints let it go to 0 of 1 other node.\n\n  3 nodes: n0, n2, n4\n    not schedulable: a:NoSchedule is not tolerated"
	if !strings.HasPrefix(r.stdout, want) || strings.Count(r.stdout, "As a pod of a DaemonSet") != 3 || strings.Count(r.stdout, "- {key: ") != 2 {
		t.Errorf("%+v", r)
	}
}

// A pod that has a node runs there, until then.
func TestRunning(t *testing.T) {
	const node = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","value":"s3cret","effect":"NoExecute","timeAdded":"2026-03-01T12:00:00Z"}]}}
{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"n"},"spec":{"renewTime":"2026-03-01T12:05:45.000000Z"}}`
	pod := func(metadata, seconds, phase string) string {
		return fmt.Sprintf(`{"kind":"Pod","metadata":{"name":"p"%s},"spec":{"nodeName":"n","tolerations":[{"key":"a","operator":"Exists"%s}]},"status":{"phase":%q}}`, metadata, seconds, phase)
	}
	const five = `,"effect":"NoExecute","tolerationSeconds":300`
	for input, want := range map[string]string{
		node + pod("", "", "Running"):                                                "On n: no taint evicts it.",
		node + pod("", five, "Running"):                                              "On n: a=s3cret:NoExecute evicts it: due 45s ago, as of 2026-03-01 12:05:45 UTC.",
		node + pod("", "", "Pending"):                                                "On n: it is scheduled, and starts. What it waits for is not the scheduler: kubectl describe pod tells.",
		node + pod(`,"deletionTimestamp":"2026-03-01T12:00:00Z"`, five, "Running"):   "On n: it is being deleted.",
		strings.Replace(node, `"n"`, `"m"`, 1) + pod("", "", "Running"):              "On n: the input does not have that node.",
		strings.Replace(node, "12:00:00", "13:00:00", 1) + pod("", five, "Running"):  "On n: a=s3cret:NoExecute evicts it: after 5m with the taint.",
		node + pod("", "", "Running") + pod(`,"namespace":"x"`, "", "Running"):       "On n: no taint evicts it (2 pods).",
		node + pod("", five+`0`, "Running") + pod(`,"namespace":"x"`, "", "Running"): "On n: a=s3cret:NoExecute evicts it: in 44m15s, as of",
	} {
		if r := start(input, "-f", "-", "-width", "0", "p"); !strings.Contains(r.stdout, "\n  "+want) {
			t.Errorf("%s, want %s", r.stdout, want)
		}
		if r := start(input, "-f", "-", "-hide-values", "p"); strings.Contains(r.stdout, "s3cret") {
			t.Errorf("%s", r.stdout)
		}
	}
}

// What is said of a pod and each node adds up to what is said of the pod, and a gate, a claim and
// a selector hold it on each.
func TestNodeByNode(t *testing.T) {
	type answer struct {
		Nodes int
		Pods  []struct {
			Names              []string
			Excluded, Admitted int
			Waiting            *waiting
		}
	}
	ask := func(args ...string) (a answer) {
		r := start("", append(args, "-f", "testdata/pending.yaml", "-o", "json")...)
		if err := json.Unmarshal(golden.Result(r.stdout), &a); err != nil {
			t.Fatalf("%q: %v, %+v", args, err, r)
		}
		return a
	}
	nodes := []string{"cp-1", "gpu-1", "gpu-2", "rated-1", "spare-1", "worker-1", "worker-2"}
	all := ask()
	if all.Nodes != len(nodes) || len(all.Pods) < 20 {
		t.Fatalf("%d nodes, %d pods", all.Nodes, len(all.Pods))
	}
	for _, p := range all.Pods {
		admitted, excluded, fit := 0, 0, 0
		for _, node := range nodes {
			one := ask(p.Names[0], node).Pods[0]
			if excluded += one.Excluded; one.Excluded == 0 {
				admitted, fit = admitted+one.Admitted, fit+one.Waiting.Fit
			}
			for _, text := range p.Waiting.Reasons {
				if (strings.Contains(text, "gate") || strings.Contains(text, "Claim")) && !slices.Contains(one.Waiting.Reasons, text) {
					t.Errorf("%s on %s: no %q", p.Names[0], node, text)
				}
			}
			if p.Waiting.Kind == bySelector && one.Waiting.Kind != bySelector {
				t.Errorf("%s on %s: %s", p.Names[0], node, one.Waiting.Kind)
			}
		}
		if admitted != p.Admitted || excluded != p.Excluded || fit != p.Waiting.Fit {
			t.Errorf("%s: %d nodes admit it and %d exclude it, %d have room, and in all %d, %d and %d", p.Names[0], admitted, excluded, fit, p.Admitted, p.Excluded, p.Waiting.Fit)
		}
	}
}
