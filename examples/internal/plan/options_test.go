package plan

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Each limit is one, alone and as small as it can be, and has a smallest and greatest value.
func TestEachLimit(t *testing.T) {
	for _, c := range []struct {
		flag, good, bad []string
	}{
		{[]string{"-max-nodes"}, []string{"1", "99"}, []string{"-1", "0", "00"}},
		{[]string{"-max-pods"}, []string{"1", "99"}, []string{"-1", "0"}},
		{[]string{"-max-per-owner"}, []string{"1", "99"}, []string{"-1", "0"}},
		{[]string{"-max-percent"}, []string{"0.1", "1", "99.9", "100"}, []string{"-0.1", "0", "0.0", "100.1", "101", "NaN", "Inf"}},
		{[]string{"-budget"}, []string{"a=0", "a=3"}, []string{"a=-1", "a"}},
	} {
		for _, value := range c.good {
			r := start("", append(c.flag, value, "cordon web-1")...)
			if r.status != 0 || !strings.HasSuffix(r.stdout, "\n\nAll limits are kept.\n") {
				t.Errorf("%s %s: %+v", c.flag, value, r)
			}
		}
		for _, value := range c.bad {
			if r := start("", append(c.flag, value)...); r.status != 2 || r.stdout != "" {
				t.Errorf("%s %s: %+v", c.flag, value, r)
			}
		}
	}
	for _, flag := range []string{"-width", "-limit"} {
		for value, status := range map[int]int{-1: 2, 0: 0, 1: 0} {
			if r := start("", flag, fmt.Sprint(value)); r.status != status {
				t.Errorf("%s %d: %+v, want the status %d", flag, value, r, status)
			}
		}
	}
	for _, format := range []string{"", "a", "jsom", "kubectk", "texs", "z"} {
		if r := start("", "-o", format); r.status != 2 {
			t.Errorf("-o %q: %+v", format, r)
		}
	}
}

// Invalid objects are a warning, or an error with -strict; and tolerations with Gt and Lt are
// refused unless -comparisons says that the cluster has them.
func TestStrictAndComparisons(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"}} {"kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n","tolerations":[{"key":"k","operator":"Never"}]}}`
	for _, c := range []struct {
		args   []string
		status int
	}{
		{[]string{"-f", "-", "cordon n"}, 0},
		{[]string{"-f", "-", "cordon n", "-strict"}, 2},
		{[]string{"tolerations a<5 StatefulSet shop/search"}, 2},
		{[]string{"tolerations a<5 StatefulSet shop/search", "-comparisons"}, 0},
	} {
		if r := start(input, c.args...); r.status != c.status {
			t.Errorf("%q: %+v, want the status %d", c.args, r, c.status)
		}
	}
}

// A plan without a command is refused, wherever it comes from.
func TestNoCommand(t *testing.T) {
	for _, args := range [][]string{{""}, {"# later", ""}, {"-plan", os.DevNull}, {"-plan", os.DevNull, "# no"}} {
		if r := start("", args...); r.status != 2 || r.stderr != "tolero plan: there is no command in the plan\n" {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

// A selection by taints that no node passes is told of, because it may be a slip.
func TestNoNodeSelected(t *testing.T) {
	for _, c := range []struct {
		step string
		none bool
	}{
		{"cordon --tainted zzz", true},
		{"cordon --tainted dedicated", false},
		{"cordon --tainted zzz,dedicated", false},
		{"cordon gpu-1 --tainted dedicated", false},
		{"cordon web-1 --tainted dedicated", true},
		{"cordon web-1 gpu-1 --tainted dedicated", false},
		{"tolerations - StatefulSet ml/train --tainted zzz", true},
		{"cordon --all", false},
		{"tolerations - StatefulSet ml/train", false},
	} {
		r := start("", "cordon web-1", c.step)
		if told := strings.Contains(r.stdout, "\n\nStep 2 selects no node: none has such a taint.\n\nIts effect: "); r.status != 0 || told != c.none || strings.Contains(r.stdout, "Step 1 selects") {
			t.Errorf("%s: %+v", c.step, r)
		}
	}
}
