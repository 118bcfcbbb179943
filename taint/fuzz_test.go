package taint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/taint"
)

// Parse accepts exactly what the patterns of the oracle accept, and what it
// accepts is valid and comes back from its own text.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"key=value:NoSchedule", "key:NoExecute", "key=:PreferNoSchedule", "example.com/key=a.b-c_d:NoSchedule", // valid
		"key=value", "key:NoSchedule:", "a=b=c:NoSchedule", ":NoSchedule", "key:", "", // misshapen
		"Key.Com/a:NoSchedule", "a/b/c:NoSchedule", "key=-:NoSchedule", "key:Evict", "key:NoSchedule-", "k\xff:NoExecute", // with an invalid part
	} {
		f.Add(seed)
	}
	target.Fuzz(f, func(t *testing.T, text string) {
		got, err := taint.Parse(text)
		want, valid := readSpec(addPattern, text)
		if (err == nil) != valid {
			t.Fatalf("Parse(%q) = %v, the oracle says valid: %v", text, err, valid)
		}
		if err != nil {
			if got != (taint.Taint{}) || !strings.HasPrefix(err.Error(), "taint ") {
				t.Fatalf("Parse(%q) = %+v, %v", text, got, err)
			}
			return
		}
		if got != want {
			t.Fatalf("Parse(%q) = %+v, want %+v", text, got, want)
		}
		if err := taint.Validate([]taint.Taint{got}); err != nil {
			t.Fatalf("Parse(%q) accepts what Validate refuses: %v", text, err)
		}
		if again, err := taint.Parse(got.String()); err != nil || again != got {
			t.Fatalf("Parse(%q) = %+v, %v, want %+v", got.String(), again, err, got)
		}
	})
}

// CheckKey and CheckValue accept exactly what the Kubernetes rules accept.
func FuzzCheck(f *testing.F) {
	for _, tt := range keyTests {
		f.Add(tt.key)
	}
	for _, tt := range valueTests {
		f.Add(tt.value)
	}
	target.Fuzz(f, func(t *testing.T, text string) {
		if err := taint.CheckKey(text); (err == nil) != isKey(text) {
			t.Fatalf("CheckKey(%q) = %v", text, err)
		}
		if err := taint.CheckValue(text); (err == nil) != isValue(text) {
			t.Fatalf("CheckValue(%q) = %v", text, err)
		}
	})
}

// ParseChange and Apply do what the model of kubectl does (rules K1 to K4).
// Specs and the node's taints are separated by spaces.
func FuzzChange(f *testing.F) {
	f.Add("a=1:NoSchedule b:NoExecute", "c:NoSchedule", false)              // K4: in front
	f.Add("a=2:NoSchedule", "b:NoSchedule a=1:NoSchedule", true)            // K3: overwritten
	f.Add("a=2:NoSchedule", "b:NoSchedule a=1:NoSchedule", false)           // K3: refused
	f.Add("a- b:NoExecute- c=x:NoExecute-", "a:NoSchedule b:NoExec", false) // K1, K3: found and not found
	f.Add("a- a:NoSchedule", "", false)                                     // K2: added and removed
	f.Add("a=1:NoSchedule a=2:NoSchedule", "", true)                        // K2: added twice
	f.Add("x:NoSchedule", "a=1:NoSchedule a=2:NoSchedule :Odd", false)      // an invalid node
	f.Add("a=b- a: - :NoSchedule-", "", false)                              // K1: misshapen
	target.Fuzz(f, func(t *testing.T, changes, node string, overwrite bool) {
		specs := strings.Split(changes, " ")
		c, err := taint.ParseChange(specs...)
		add, remove, ok := modelParse(specs)
		if (err == nil) != ok {
			t.Fatalf("ParseChange(%q) = %v, the model says valid: %v", specs, err, ok)
		}
		if !slices.Equal(c.Add, add) || len(c.Remove) != len(remove) {
			t.Fatalf("ParseChange(%q) = %+v, want %v and %v", specs, c, add, remove)
		}
		for i, r := range c.Remove {
			if r.Key != remove[i].Key || r.Effect != remove[i].Effect {
				t.Fatalf("ParseChange(%q) removes %+v, want %v", specs, c.Remove, remove)
			}
		}
		checkApply(t, c, remove, list(node), overwrite)
	})
}
