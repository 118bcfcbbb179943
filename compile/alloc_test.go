package compile_test

import (
	"testing"
	"time"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func TestQuestionsDoNotAllocate(t *testing.T) {
	for _, text := range []string{
		"", "*", "a>0,b=x:NoExecute@300,*<5,e:Odd",
		"a,b,c=1,d,e,f,g<6,h>77777777777777777777,i:NoExecute@5",
	} {
		list, err := toleration.ParseListLenient(text)
		if err != nil {
			t.Fatal(err)
		}
		m := compile.New(list)
		taints := []taint.Taint{
			{Key: "a", Value: "1", Effect: taint.NoSchedule}, {Key: "b", Value: "x", Effect: taint.NoExecute},
			{Key: "g", Value: "none", Effect: taint.PreferNoSchedule}, {Key: "g", Value: "99999999999999999999", Effect: "Odd"},
		}
		buffer := make([]taint.Taint, 0, len(taints))
		for name, call := range map[string]func(){
			"Tolerates":        func() { m.Tolerates(&taints[3]) },
			"FirstTolerating":  func() { m.FirstTolerating(&taints[0]) },
			"Filter":           func() { buffer = m.Filter(buffer[:0], taints, taint.AllEffects) },
			"FirstUntolerated": func() { m.FirstUntolerated(taints, taint.Hard) },
			"Decide":           func() { m.Decide(taints) },
			"CountUntolerated": func() { m.CountUntolerated(taints, taint.Soft) },
			"Delay":            func() { m.Delay(taints, match.SinceAdded, time.Time{}) },
		} {
			if allocs := testing.AllocsPerRun(100, call); allocs != 0 {
				t.Errorf("%q: %s: %v allocations", text, name, allocs)
			}
		}
	}
}
