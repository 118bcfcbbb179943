package admit_test

import (
	"testing"
	"time"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

func TestR5ControlPlane(t *testing.T) {
	mark := taint.Taint{Key: taint.KeyControlPlane, Effect: taint.NoSchedule}
	other, timed := taint.MustParse("a=b:NoExecute"), mark
	timed.TimeAdded = &taint.Time{Time: time.Unix(1, 0)}
	elsewhere := timed
	elsewhere.TimeAdded = &taint.Time{Time: time.Unix(1, 0).In(time.FixedZone("there", 3600))}
	for _, test := range []struct{ marks, before, want []taint.Taint }{
		{nil, nil, []taint.Taint{mark}},
		{nil, []taint.Taint{other, mark}, []taint.Taint{mark, other}},
		{nil, []taint.Taint{timed}, []taint.Taint{mark, timed}},
		{[]taint.Taint{}, []taint.Taint{other, other}, []taint.Taint{other}},
		{[]taint.Taint{other, mark}, []taint.Taint{mark}, []taint.Taint{other, mark}},
		{[]taint.Taint{timed}, []taint.Taint{elsewhere, mark}, []taint.Taint{timed, mark}},
	} {
		if got := (admit.ControlPlane{Taints: test.marks}).Append(nil, test.before); !taint.Equal(got, test.want) {
			t.Errorf("%v marked with %v: %v, want %v", test.before, test.marks, got, test.want)
		}
	}
}

func TestR7RuntimeClass(t *testing.T) {
	pod, _ := toleration.ParseList("a=b:NoSchedule,a=b:NoSchedule,c")
	class, _ := toleration.ParseList("a:NoSchedule,d")
	for _, test := range []struct {
		part admit.RuntimeClass
		want string
	}{
		{admit.RuntimeClass{}, toleration.FormatList(pod)},
		{admit.RuntimeClass{Scheduling: true}, "a=b:NoSchedule,c"},
		{admit.RuntimeClass{Tolerations: class}, "c,a:NoSchedule,d"},
	} {
		if got := toleration.FormatList(test.part.Append(nil, pod)); got != test.want {
			t.Errorf("%+v: %s, want %s", test.part, got, test.want)
		}
	}
}
