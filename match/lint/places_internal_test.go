package lint

import (
	"math"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func TestInteger(t *testing.T) {
	for value, want := range map[string]int64{
		"0": 0, "5": 5, "-1": -1, "10": 10, "9223372036854775807": math.MaxInt64, "-9223372036854775808": math.MinInt64,
	} {
		if n, is := integer(value); !is || n != want {
			t.Errorf("%q: %d, %t", value, n, is)
		}
	}
	for _, value := range []string{"", "x", "05", "-0", "+5", " 5", "5 ", "0x5", "1_0", "9223372036854775808", "-9223372036854775809"} {
		if n, is := integer(value); is || n != 0 {
			t.Errorf("%q: %d, %t", value, n, is)
		}
	}
}

// Whether one of some values is in a set of them, for all sets of up to three values.
func TestOccupants(t *testing.T) {
	values := []string{"", "x", "0", "5", "-5", "9223372036854775807"}
	tolerations := tolerationsOf(t, "a,a==,a==x,a==5,a>0,a>-1,a>4,a>5,a<5,a<0,a<-5,a<6,a>9223372036854775806,a?In x")
	for i := range values {
		for j := range values {
			for _, list := range [][]string{{}, {values[i]}, {values[i], values[j]}, {values[j], values[i], "1"}} {
				o := new(occupants)
				for _, value := range list {
					o.add(&sighting{taint: taint.Taint{Key: "a", Value: value}})
				}
				if len(list) > 0 && o.first.taint.Value != list[0] {
					t.Fatalf("the first of %q is %s", list, o.first.taint)
				}
				for _, u := range tolerations {
					want := slices.ContainsFunc(list, func(value string) bool {
						return u.Tolerates(&taint.Taint{Key: "a", Value: value}, toleration.Rules{Comparisons: true})
					})
					if got := o.have(&u); got != want {
						t.Fatalf("%s, %q: %t", u, list, got)
					}
				}
			}
		}
	}
}

// Every fault of a toleration and of a taint has a fix of its own.
func TestFixes(t *testing.T) {
	const oneEffect = "make it NoSchedule, PreferNoSchedule or NoExecute"
	for text, want := range map[string]string{
		`"a b"`: "rename the key", `a:noschedule`: "probably NoSchedule", `a:NO_SCHEDULE`: "probably NoSchedule", `a:no-execute`: "probably NoExecute", `a:PreferNoShedule`: "probably PreferNoSchedule",
		`a:xyz`: oneEffect, `a:NoSchedule@5`: "make the effect NoExecute, or remove the seconds", `a@5`: "make the effect NoExecute, or remove the seconds",
		`*==x`: "name a key, or make the operator Exists without a value", `a?exists ""`: "probably Exists", `a?eqal x`: "make it Exists or Equal", `a?Equals x`: "probably Equal", `a?In x`: "make it Exists or Equal",
		`a>5`: "list the values with Equal, or turn the feature gate on", `a?Exists x`: "remove the value, or make the operator Equal", `a=="x y"`: "change the value",
	} {
		r := Check(&Fleet{Pods: []Pod{{Tolerations: tolerationsOf(t, text)}}}, Options{})
		if len(r.Findings) == 0 || r.Findings[0].ID != InvalidToleration || r.Findings[0].Fix != want {
			t.Errorf("%s: %+v, want %q", text, r.Findings, want)
		}
	}
	for text, want := range map[string]string{
		`"a b":NoSchedule`: "rename the key", `a:noexecute`: "probably NoExecute", `a:""`: oneEffect, `a="x y":NoSchedule`: "change the value", `a:NoSchedule,a=x:NoSchedule`: "remove one of the two",
	} {
		list, err := notation.Taints(text)
		if err != nil {
			t.Fatal(err)
		}
		r := Check(&Fleet{Nodes: []Node{{Taints: list}}}, Options{})
		if len(r.Findings) == 0 || r.Findings[0].ID != InvalidTaint || r.Findings[0].Fix != want {
			t.Errorf("%s: %+v, want %q", text, r.Findings, want)
		}
	}
	r := Check(&Fleet{Rules: toleration.Rules{Comparisons: true}, Pods: []Pod{{Tolerations: tolerationsOf(t, "a>x")}}}, Options{})
	if len(r.Findings) == 0 || r.Findings[0].Fix != "change the value" {
		t.Errorf("%+v", r.Findings)
	}
	for n, want := range []string{"0 nodes", "1 node", "2 nodes"} {
		if got := plural(n, "node"); got != want {
			t.Errorf("got %s", got)
		}
	}
	for field, want := range map[string]int{"tolerations[2].key": 2, "taints[10]": 10, "taints[0].value": 0} {
		if got := indexOf(field); got != want {
			t.Errorf("%s: %d", field, got)
		}
	}
}
