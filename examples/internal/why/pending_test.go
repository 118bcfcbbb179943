package why

import (
	"strings"
	"testing"
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
