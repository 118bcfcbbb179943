package compile_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/taint"
)

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	taints := []taint.Taint{
		{Key: "a", Value: "1", Effect: taint.NoSchedule}, {Key: "b", Value: "x", Effect: taint.NoExecute},
		{Key: "g", Value: "none", Effect: taint.PreferNoSchedule}, {Key: "g", Value: "99999999999999999999", Effect: "Other"},
	}
	gone := []taint.Taint{{Key: "gone", Value: "1700000000", Effect: taint.NoSchedule}, {Key: "gone", Effect: "Odd"}}
	for _, text := range []string{
		"", "*", "a>0,b=x:NoExecute@300,*<5,e:Odd,*=x,*=x,*=none@4",
		"a,b,c=1,d,e,f,g<6,h>77777777777777777777,i:NoExecute@5",
	} {
		list, err := notation.Tolerations(text)
		if err != nil {
			t.Fatal(err)
		}
		var v compile.Vocabulary
		var m compile.Matcher
		ids := v.Append(nil, taints)
		buffer := v.Append(nil, gone)
		v.Release(buffer)
		m.Compile(&v, list, comparisons)
		m.Set()
		late := m // asked after the vocabulary has grown
		buffer = v.Append(buffer[:0], gone)
		late.Compile(&v, list, comparisons)
		buffer = v.Append(buffer[:0], gone[:1])
		v.Release(buffer)
		for name, call := range map[string]func(){
			"Append, Release":  func() { buffer = v.Append(buffer[:0], taints); v.Release(buffer) },
			"new taints":       func() { buffer = v.Append(buffer[:0], gone); v.Release(buffer); buffer = buffer[:0] },
			"ID, Taint":        func() { id, _ := v.ID(&taints[1]); v.Taint(id) },
			"Fork":             func() { f := v.Fork(); f.Len() },
			"Compile":          func() { m.Compile(&v, list, comparisons) },
			"Set":              func() { m.Compile(&v, list, comparisons); m.Set() },
			"Tolerates":        func() { m.Tolerates(ids[3]) },
			"FirstTolerating":  func() { m.FirstTolerating(ids[0]) },
			"Filter":           func() { buffer = m.Filter(buffer[:0], ids, taint.AllEffects) },
			"FirstUntolerated": func() { m.FirstUntolerated(ids, taint.Hard) },
			"CountUntolerated": func() { m.CountUntolerated(ids, taint.AllEffects) },
			"Decide":           func() { m.Decide(ids) },
			"EvictionDelay":    func() { m.EvictionDelay(ids) },
			"late Decide":      func() { late.Decide(ids) },
			"AppendTolerated":  func() { buffer = m.AppendTolerated(buffer[:0], taint.AllEffects) },
			"AppendIDs":        func() { buffer = v.AppendIDs(buffer[:0], taint.AllEffects) },
		} {
			if name == "Fork" {
				call() // the first write after a fork copies
			}
			if allocs := testing.AllocsPerRun(100, call); allocs != 0 {
				t.Errorf("%q: %s: %v allocations", text, name, allocs)
			}
		}
	}
}

// The methods of the inner loop are inlined.
func TestInlining(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("go build -gcflags=-m: %v\n%s", err, out)
	}
	for _, name := range []string{"(*TaintSet).Has", "(*TaintSet).FirstUntolerated", "(*Matcher).FirstUntolerated", "TaintID.Index", "TaintID.Effects"} {
		if !strings.Contains(string(out), "can inline "+name+"\n") {
			t.Errorf("%s is not inlined", name)
		}
	}
	if !regexp.MustCompile(`inlining call to cow\.\(\*Vector\[.*\]\)\.At`).Match(out) {
		t.Error("Vector.At is not inlined")
	}
}
