package why

import (
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/golden"
)

// What pools that have no nodes yet would do for pods that wait. Each golden was checked by hand.
func TestPools(t *testing.T) {
	for _, name := range []string{"karpenter", "empty", "capi", "kueue"} {
		t.Run(name, func(t *testing.T) {
			r := start("", "-f", "testdata/pools/"+name+".yaml", "-limit", "0")
			if r.status != 0 || r.stderr != "" {
				t.Errorf("status %d, stderr %q", r.status, r.stderr)
			}
			golden.Check(t, "pools/"+name+".text.golden", r.stdout)
		})
	}
	r := start("", "-f", "testdata/pools/empty.yaml", "-o", "json")
	golden.Check(t, "pools/empty.json.golden", r.stdout)
	if r := start("", "-f", "testdata/pools/karpenter.yaml", "-hide-values"); strings.Contains(r.stdout, "present") {
		t.Errorf("a value of a taint is shown:\n%s", r.stdout)
	}
}

// A taint that a pool gives to all its nodes never goes away, whatever its key is.
func TestPassingTaintsOfPools(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"gpu","effect":"NoSchedule"}]}}
{"kind":"NodePool","apiVersion":"karpenter.sh/v1","metadata":{"name":"odd"},"spec":{"template":{"spec":{"taints":[{"key":"node.kubernetes.io/memory-pressure","effect":"NoSchedule"},{"key":"node.kubernetes.io/out-of-service","effect":"NoExecute"}]}}}}
{"kind":"Pod","metadata":{"name":"p"},"status":{"phase":"Pending"}}`
	r := start(input, "-f", "-")
	if r.status != 0 || !strings.Contains(r.stdout, "- {key: node.kubernetes.io/memory-pressure, operator: Exists, effect: NoSchedule}\n") {
		t.Errorf("%+v", r)
	}
	r = start(strings.Replace(input, `"gpu"`, `"node.kubernetes.io/not-ready"`, 1), "-f", "-")
	if r.status != 0 || !strings.Contains(r.stdout, "node.kubernetes.io/not-ready:NoSchedule goes away with the state of the node: kubectl describe\n        node n\n") {
		t.Errorf("%+v", r)
	}
}
