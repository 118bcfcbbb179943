package kube

import (
	"testing"

	"github.com/go-logr/logr"
	v1 "k8s.io/api/core/v1"
	upstream "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"

	"github.com/tolero-dev/tolero/match/kube"
)

// TestNoLogging pins that the logger is ignored, on lists for which upstream
// does log.
func TestNoLogging(t *testing.T) {
	taints := []v1.Taint{{Key: "b", Value: "7", Effect: v1.TaintEffectNoExecute}}
	tolerations := []v1.Toleration{{Key: "b", Operator: v1.TolerationOpLt, Value: "five"}}
	ours, theirs := new(countingSink), new(countingSink)
	kube.FindMatchingUntoleratedTaint(klog.New(ours), taints, tolerations, nil, true)
	upstream.FindMatchingUntoleratedTaint(klog.New(theirs), taints, tolerations, nil, true)
	if ours.lines != 0 || theirs.lines == 0 {
		t.Errorf("kube logs %d lines, want 0; upstream %d, want some", ours.lines, theirs.lines)
	}
}

// countingSink counts the lines logged.
type countingSink struct{ lines int }

func (*countingSink) Init(logr.RuntimeInfo)            {}
func (*countingSink) Enabled(int) bool                 { return true }
func (s *countingSink) Info(int, string, ...any)       { s.lines++ }
func (s *countingSink) Error(error, string, ...any)    { s.lines++ }
func (s *countingSink) WithValues(...any) klog.LogSink { return s }
func (s *countingSink) WithName(string) klog.LogSink   { return s }
