package kube_test

import (
	"testing"

	"github.com/go-logr/logr"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	upstream "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Lists that lead through every branch: an untolerated taint, one that is
// tolerated by the last toleration, and comparisons of what is not a number.
var (
	someTaints = []v1.Taint{
		{Key: "a", Value: "x", Effect: v1.TaintEffectNoSchedule, TimeAdded: &metav1.Time{}},
		{Key: "b", Value: "7", Effect: v1.TaintEffectNoExecute},
		{Key: "c", Effect: v1.TaintEffectPreferNoSchedule},
	}
	someTolerations = []v1.Toleration{
		{Key: "a", Operator: v1.TolerationOpGt, Value: "5"},
		{Key: "b", Operator: v1.TolerationOpLt, Value: "five"},
		{Key: "b", Operator: v1.TolerationOpGt, Value: "6", TolerationSeconds: new(int64)},
		{Key: "a", Operator: v1.TolerationOpExists, Effect: v1.TaintEffectNoSchedule},
	}
)

func TestNoAllocations(t *testing.T) {
	var (
		taints      = make([]taint.Taint, 0, len(someTaints))
		v1Taints    = make([]v1.Taint, 0, len(someTaints))
		tolerations = make([]toleration.Toleration, 0, len(someTolerations))
		v1s         = make([]v1.Toleration, 0, len(someTolerations))
	)
	for _, test := range []struct {
		name string
		call func()
	}{
		{"AppendTaints", func() { taints = kube.AppendTaints(taints[:0], someTaints) }},
		{"AppendV1Taints", func() { v1Taints = kube.AppendV1Taints(v1Taints[:0], taints) }},
		{"AppendTolerations", func() { tolerations = kube.AppendTolerations(tolerations[:0], someTolerations) }},
		{"AppendV1Tolerations", func() { v1s = kube.AppendV1Tolerations(v1s[:0], tolerations) }},
		{"ToleratesTaint", func() { kube.ToleratesTaint(&someTolerations[1], quiet, &someTaints[1], true) }},
		{"TolerationsTolerateTaint", func() { kube.TolerationsTolerateTaint(quiet, someTolerations, &someTaints[0], true) }},
		{"FindMatchingUntoleratedTaint", func() { kube.FindMatchingUntoleratedTaint(quiet, someTaints, someTolerations, nil, true) }},
		{"FindMatchingUntoleratedTaint, filter", func() {
			kube.FindMatchingUntoleratedTaint(quiet, someTaints, someTolerations, filters[1].v1, false)
		}},
	} {
		if n := testing.AllocsPerRun(100, test.call); n != 0 {
			t.Errorf("%s allocates %v times a call", test.name, n)
		}
	}
	if len(v1Taints) != len(someTaints) || len(v1s) != len(someTolerations) {
		t.Errorf("the conversions made %d taints and %d tolerations", len(v1Taints), len(v1s))
	}
}

// TestNoLogging pins that the logger is ignored, on lists for which upstream
// does log.
func TestNoLogging(t *testing.T) {
	ours, theirs := new(countingSink), new(countingSink)
	kube.FindMatchingUntoleratedTaint(klog.New(ours), someTaints, someTolerations, nil, true)
	upstream.FindMatchingUntoleratedTaint(klog.New(theirs), someTaints, someTolerations, nil, true)
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
