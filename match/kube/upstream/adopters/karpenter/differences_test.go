//go:build adopters

package karpenter

import (
	"encoding/json"
	"testing"

	v1 "k8s.io/api/core/v1"
	"sigs.k8s.io/karpenter/pkg/scheduling"

	"github.com/tolero-dev/tolero/match/matchtest/vectors"
)

// TestVectors asks Karpenter the vectors about whether taints keep a pod out of a node
// that starts. Its answers have to be those that the vectors have for the dialect.
func TestVectors(t *testing.T) {
	cases, err := vectors.Load("1.37")
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	report := vectors.Run(cases, vectors.Options{Dialect: "karpenter"}, func(q vectors.Question) (json.RawMessage, error) {
		if q.Ask != "fits" {
			return nil, vectors.ErrUnsupported
		}
		asked++
		return fits(q.Input)
	})
	for _, r := range report.Results {
		if r.Outcome.Failed() {
			t.Errorf("%s: %s\nKarpenter answers %s (%v), the vector says %s", r.ID, r.Case.Input, r.Answer, r.Detail, r.Case.Expected("karpenter"))
		}
		if r.Outcome == vectors.Right && !vectors.Equal(r.Answer, r.Case.Answer) {
			t.Logf("differs: %s: %s\nKarpenter %s, Kubernetes %s", r.ID, r.Case.Input, r.Answer, r.Case.Answer)
		}
	}
	t.Logf("%d cases asked", asked)
}

// fits does what Karpenter does for a node of its own that is not initialized yet: it
// leaves the taints out that it knows to go, and asks about each of the others.
func fits(input json.RawMessage) (json.RawMessage, error) {
	var in struct {
		Node v1.Node
		Pod  v1.Pod
	}
	if err := json.Unmarshal(input, &in); err != nil {
		return nil, err
	}
	for i := range in.Node.Spec.Taints {
		x := &in.Node.Spec.Taints[i]
		alone := scheduling.Taints{*x}
		if !scheduling.IsKnownEphemeralTaint(x) && alone.ToleratesPod(&in.Pod) != nil {
			return json.Marshal(map[string]any{"fits": false, "taint": i})
		}
	}
	return json.RawMessage(`{"fits":true}`), nil
}
