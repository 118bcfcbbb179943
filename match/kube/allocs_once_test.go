//go:build !race

package kube_test

import (
	"testing"

	"github.com/tolero-dev/tolero/match/kube"
)

// TestOneAllocation pins that appending to nil allocates the list and no more.
// With the race detector slices.Grow allocates twice.
func TestOneAllocation(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { kube.AppendTaints(nil, someTaints) }); n != 1 {
		t.Errorf("AppendTaints(nil, ...) allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { kube.AppendTolerations(nil, someTolerations) }); n != 1 {
		t.Errorf("AppendTolerations(nil, ...) allocates %v times", n)
	}
}
