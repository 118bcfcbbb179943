package lint

import (
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/golden"
)

// What becomes of startup taints. Each golden was checked by hand.
func TestPools(t *testing.T) {
	for name, more := range map[string][]string{
		"circle": nil, "blocked": nil, "cloud": nil, "readiness": {"-removes", "readiness.k8s.io/net=DaemonSet net/cni"},
	} {
		t.Run(name, func(t *testing.T) {
			r := start("", append(more, "-severity", "warning", "-f", "testdata/pools/"+name+".yaml")...)
			if r.status != 0 || r.stderr != "" {
				t.Errorf("status %d, stderr %q", r.status, r.stderr)
			}
			golden.Check(t, "pools/"+name+".text.golden", r.stdout)
		})
	}
}

// Pods that wait for a node of a pool are no finding, and a toleration of a pool's taint has
// something to match.
func TestPodsThatWaitForPools(t *testing.T) {
	r := start("", "-f", "../why/testdata/pools/karpenter.yaml", "-o", "silences")
	for _, pod := range []string{"Pod ml/train ", "Pod ml/on-demand"} {
		if strings.Contains(r.stdout, pod) {
			t.Errorf("%s is found:\n%s", pod, r.stdout)
		}
	}
	for _, text := range []string{"x", "x=", "=DaemonSet a/b", "x=a/b"} {
		if r := start("", "-removes", text); r.status != 2 || !strings.Contains(r.stderr, "want KEY=WORKLOAD") {
			t.Errorf("%q: %+v", text, r)
		}
	}
}
