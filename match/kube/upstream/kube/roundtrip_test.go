package kube

import (
	"reflect"
	"testing"

	v1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/kube"
)

// TestRoundTrip converts there and back: nothing is lost, and what is pointed
// to is shared.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		taints := rapid.SliceOf(rapid.Custom(func(rt *rapid.T) v1.Taint {
			return v1.Taint{Key: rapid.String().Draw(rt, "key"), Value: rapid.String().Draw(rt, "value"),
				Effect: v1.TaintEffect(rapid.String().Draw(rt, "effect")), TimeAdded: drawTime(rt)}
		})).Draw(rt, "taints")
		if got := kube.AppendV1Taints([]v1.Taint{}, kube.AppendTaints(nil, taints)); !reflect.DeepEqual(got, taints) {
			rt.Fatalf("got %v, want %v", got, taints)
		}
		tolerations := rapid.SliceOf(rapid.Custom(func(rt *rapid.T) v1.Toleration {
			return v1.Toleration{Key: rapid.String().Draw(rt, "key"), Value: rapid.String().Draw(rt, "value"),
				Operator:          v1.TolerationOperator(rapid.String().Draw(rt, "operator")),
				Effect:            v1.TaintEffect(rapid.String().Draw(rt, "effect")),
				TolerationSeconds: rapid.Ptr(rapid.Int64(), true).Draw(rt, "seconds")}
		})).Draw(rt, "tolerations")
		if got := kube.AppendV1Tolerations([]v1.Toleration{}, kube.AppendTolerations(nil, tolerations)); !reflect.DeepEqual(got, tolerations) {
			rt.Fatalf("got %v, want %v", got, tolerations)
		}
	})
}
