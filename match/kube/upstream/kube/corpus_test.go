package kube

import (
	"encoding/json"
	"reflect"
	"testing"

	v1 "k8s.io/api/core/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TestCorpus holds every real toleration list against every real taint list.
func TestCorpus(t *testing.T) {
	var nodes []node
	for _, list := range corpus.Taints() {
		nodes = append(nodes, newNode(distinct(kube.AppendV1Taints(nil, list.Taints))))
	}
	comparisons, seen := 0, map[string]bool{}
	for _, list := range corpus.Tolerations() {
		if text := toleration.FormatList(list.Tolerations); !seen[text] {
			seen[text] = true
			p := newPod(kube.AppendV1Tolerations(nil, list.Tolerations))
			for _, n := range nodes {
				comparisons += compare(t, n, p)
			}
		}
	}
	t.Logf("%d distinct toleration lists, %d taint lists, %d answers compared", len(seen), len(nodes), comparisons)
}

// TestCorpusInvalid reads the lists that the API server refuses, whose fields
// may be of wrong types, into both families of types: both or neither must
// accept, and the values must be the same.
func TestCorpusInvalid(t *testing.T) {
	for _, invalid := range corpus.Invalid() {
		switch {
		case invalid.Tolerations != nil:
			compareUnmarshal[[]v1.Toleration, []toleration.Toleration](t, invalid.Tolerations,
				func(list []v1.Toleration) []toleration.Toleration { return kube.AppendTolerations(nil, list) })
		case invalid.Taints != nil:
			compareUnmarshal[[]v1.Taint, []taint.Taint](t, invalid.Taints,
				func(list []v1.Taint) []taint.Taint { return kube.AppendTaints(nil, list) })
		}
	}
}

// compareUnmarshal reads data as V and as O and compares the verdicts, and the
// values where both are accepted.
func compareUnmarshal[V, O any](t *testing.T, data []byte, convert func(V) O) {
	t.Helper()
	var want V
	var got O
	wantErr, err := utiljson.Unmarshal(data, &want), json.Unmarshal(data, &got)
	if (wantErr == nil) != (err == nil) {
		t.Fatalf("%s: got error %v, want %v", data, err, wantErr)
	}
	if converted := convert(want); err == nil && !sameValues(got, converted) {
		t.Fatalf("%s: got %v, want %v", data, got, converted)
	}
}

// sameValues compares deeply, taking instants for equal whose location differs:
// metav1.Time gives local times and taint.Time gives UTC.
func sameValues(a, b any) bool {
	if taints, ok := a.([]taint.Taint); ok {
		return taint.Equal(taints, b.([]taint.Taint))
	}
	if x, ok := a.(taint.Taint); ok {
		y := b.(taint.Taint)
		return x.Equal(&y)
	}
	if list, ok := a.([]toleration.Toleration); ok && len(list) == 0 {
		return len(b.([]toleration.Toleration)) == 0
	}
	return reflect.DeepEqual(a, b)
}
