package kube_test

import (
	"slices"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/tolero-dev/tolero/match/kube"
)

// TestFilterCalls pins what FindMatchingUntoleratedTaint promises about its
// filter: the list's own items, in order, none behind the answer.
func TestFilterCalls(t *testing.T) {
	taints := []v1.Taint{{Key: "a"}, {Key: "b"}, {Key: "c"}, {Key: "d"}}
	tolerations := []v1.Toleration{{Key: "b", Operator: v1.TolerationOpExists}}
	var asked []*v1.Taint
	got, found := kube.FindMatchingUntoleratedTaint(klog.Logger{}, taints, tolerations, func(t *v1.Taint) bool {
		asked = append(asked, t)
		return t.Key != "a"
	}, true)
	if !found || got != taints[2] {
		t.Errorf("got %v, %t", got, found)
	}
	if want := []*v1.Taint{&taints[0], &taints[1], &taints[2]}; !slices.Equal(asked, want) {
		t.Errorf("the filter was asked about %v, want %v", asked, want)
	}
}
