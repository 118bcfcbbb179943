package plan

import (
	"strings"
	"testing"
)

// A DaemonSet's pods get what its controller adds, to the list of its template and to the
// new one of a plan. The plan is shown as it was written, and so is the command.
func TestDaemonSets(t *testing.T) {
	const (
		node     = `{"kind":"Node","metadata":{"name":"n"}}`
		template = `{"kind":"DaemonSet","metadata":{"namespace":"x","name":"agent"},"spec":{"template":{"spec":{"hostNetwork":true}}}}`
		pod      = `{"kind":"Pod","metadata":{"namespace":"x","name":"agent-1","ownerReferences":[{"kind":"DaemonSet","name":"agent","controller":true}]},
			"spec":{"nodeName":"n","tolerations":[{"operator":"Exists"}]}}`
		notReady = "taint nodes n node.kubernetes.io/not-ready:NoExecute node.kubernetes.io/unschedulable:NoSchedule"
		network  = "taint nodes n node.kubernetes.io/network-unavailable:NoSchedule"
		rollout  = "tolerations a DaemonSet x/agent"
	)
	for _, c := range []struct {
		name, input string
		steps       []string
		status      int
	}{
		{"as written", template, []string{notReady}, 0},
		{"on the host network", template, []string{network}, 0},
		{"a new list", template, []string{rollout, notReady, network}, 0},
		{"a new list of a pod", pod, []string{rollout, notReady}, 0},
		{"a new list of a pod that has a network of its own", pod, []string{rollout, network}, 1},
		{"another taint", template, []string{rollout, "taint nodes n b:NoSchedule"}, 1},
		{"a Deployment", strings.ReplaceAll(template, "DaemonSet", "Deployment"), []string{notReady}, 1},
	} {
		args := []string{"-f", "-", "-need-node", "-max-nodes", "9", "-stages"}
		args = append(args, c.steps...)
		r := start(node+c.input, args...)
		if r.status != c.status {
			t.Errorf("%s: %+v", c.name, r)
		}
		want := map[string]int{template: 1, pod: 2}[c.input] // in the plan and, for a pod that runs, in its stage
		if n := strings.Count(r.stdout, "  "+rollout); c.steps[0] == rollout && n != want {
			t.Errorf("%s: %d times %q in %s", c.name, n, rollout, r.stdout)
		}
	}
	r := start(node+pod, "-f", "-", "-o", "kubectl", rollout)
	if want := `{"tolerations":[{"key":"a","operator":"Exists"}]}`; !strings.Contains(r.stdout, want) {
		t.Errorf("no %s in %+v", want, r)
	}
}
