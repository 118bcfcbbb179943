package admit_test

import (
	"testing"

	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

func TestR1Pressure(t *testing.T) {
	memory := []toleration.Toleration{toleration.MustParse("node.kubernetes.io/memory-pressure:NoSchedule")}
	disk := []toleration.Toleration{toleration.MustParse("node.kubernetes.io/disk-pressure:NoSchedule")}
	for _, test := range []struct {
		admit.Pressure
		want bool
	}{
		{admit.Pressure{}, true},
		{admit.Pressure{BestEffort: true}, true},
		{admit.Pressure{Memory: true}, true},
		{admit.Pressure{Memory: true, BestEffort: true}, false},
		{admit.Pressure{Memory: true, BestEffort: true, Tolerations: memory}, true},
		{admit.Pressure{Memory: true, BestEffort: true, Tolerations: disk}, false},
		{admit.Pressure{Memory: true, BestEffort: true, Critical: true}, true},
		{admit.Pressure{Other: true}, false},
		{admit.Pressure{Other: true, Tolerations: disk}, false},
		{admit.Pressure{Other: true, Critical: true}, true},
		{admit.Pressure{Memory: true, Other: true, Tolerations: memory}, false},
		{admit.Pressure{Memory: true, Other: true, Critical: true}, true},
	} {
		if got := test.Admits(); got != test.want {
			t.Errorf("%+v: %t", test.Pressure, got)
		}
	}
}
