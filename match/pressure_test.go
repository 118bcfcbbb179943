package match_test

import (
	"testing"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func TestR1Pressure(t *testing.T) {
	memory := []toleration.Toleration{toleration.MustParse("node.kubernetes.io/memory-pressure:NoSchedule")}
	disk := []toleration.Toleration{toleration.MustParse("node.kubernetes.io/disk-pressure:NoSchedule")}
	for _, test := range []struct {
		match.Pressure
		want bool
	}{
		{match.Pressure{}, true},
		{match.Pressure{BestEffort: true}, true},
		{match.Pressure{Memory: true}, true},
		{match.Pressure{Memory: true, BestEffort: true}, false},
		{match.Pressure{Memory: true, BestEffort: true, Tolerations: memory}, true},
		{match.Pressure{Memory: true, BestEffort: true, Tolerations: disk}, false},
		{match.Pressure{Memory: true, BestEffort: true, Critical: true}, true},
		{match.Pressure{Other: true}, false},
		{match.Pressure{Other: true, Tolerations: disk}, false},
		{match.Pressure{Other: true, Critical: true}, true},
		{match.Pressure{Memory: true, Other: true, Tolerations: memory}, false},
		{match.Pressure{Memory: true, Other: true, Critical: true}, true},
	} {
		if got := test.Admits(); got != test.want {
			t.Errorf("%+v: %t", test.Pressure, got)
		}
	}
}

func TestR2NodeTaintsPolicy(t *testing.T) {
	if match.IgnoreTaints != "Ignore" {
		t.Errorf("the API has another name for %q", match.IgnoreTaints)
	}
	taints, _ := taint.ParseList("a=:NoSchedule,b=:PreferNoSchedule,c=:NoExecute")
	both, _ := toleration.ParseList("a,c")
	for _, test := range []struct {
		policy      match.NodeTaintsPolicy
		taints      []taint.Taint
		tolerations []toleration.Toleration
		want        bool
	}{
		{"", taints, nil, true},
		{match.IgnoreTaints, taints, nil, true},
		{"honor", taints, nil, true},
		{match.HonorTaints, nil, nil, true},
		{match.HonorTaints, taints, nil, false},
		{match.HonorTaints, taints[1:2], nil, true},
		{match.HonorTaints, taints, both, true},
		{match.HonorTaints, taints, both[:1], false},
		{match.HonorTaints, taints, both[1:], false},
		{"Honor", taints, nil, false},
	} {
		if got := test.policy.Counts(test.taints, test.tolerations); got != test.want {
			t.Errorf("%q, %v, %v: %t", test.policy, test.taints, test.tolerations, got)
		}
	}
}
