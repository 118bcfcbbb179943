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
