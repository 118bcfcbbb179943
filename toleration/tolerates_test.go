package toleration_test

import (
	"testing"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// x returns a taint without checking it.
func x(key, value string, effect taint.Effect) taint.Taint {
	return taint.Taint{Key: key, Value: value, Effect: effect}
}

var comparisons = toleration.Rules{Comparisons: true}

// toleratesCase is a toleration, a taint, and whether the one tolerates the
// other in a cluster with comparisons. In a default one Gt and Lt match nothing (N4).
type toleratesCase struct {
	toleration string
	taint      taint.Taint
	want       bool
}

func (c toleratesCase) run(t *testing.T) {
	t.Helper()
	tol := mustParse(c.toleration)
	if got := tol.Tolerates(&c.taint, comparisons); got != c.want {
		t.Errorf("%s tolerates %+q: got %v, want %v", c.toleration, c.taint, got, c.want)
	}
	for _, rules := range [][]toleration.Rules{nil, {{}}, {{}, comparisons}} {
		want := c.want && tol.Operator != "Gt" && tol.Operator != "Lt"
		if got := tol.Tolerates(&c.taint, rules...); got != want {
			t.Errorf("%s tolerates %+q by %v: got %v, want %v", c.toleration, c.taint, rules, got, want)
		}
	}
}

func TestM1EffectThenKeyThenOperator(t *testing.T) {
	for _, c := range []toleratesCase{
		{"k=v:NoSchedule", x("k", "v", "NoSchedule"), true},
		{"k=v:NoSchedule", x("k", "v", "NoExecute"), false},
		{"k=v:NoSchedule", x("k", "v", "PreferNoSchedule"), false},
		{"k=v:NoSchedule", x("k", "v", ""), false},
		{"k=v", x("k", "v", "NoExecute"), true},
		{"k=v", x("k", "v", ""), true},
		{"k=v:NoSchedule", x("K", "v", "NoSchedule"), false},
		{"k=v:NoSchedule", x("kk", "v", "NoSchedule"), false},
		{"k=v:NoSchedule", x("", "v", "NoSchedule"), false},
		{"*=v:NoSchedule", x("k", "v", "NoSchedule"), true},
		{"*=v:NoSchedule", x("", "v", "NoSchedule"), true},
		{"k=v:NoSchedule", x("k", "V", "NoSchedule"), false},
		{"k=v:NoSchedule", x("k", "vv", "NoSchedule"), false},
		{"k=v:NoSchedule", x("k", "", "NoSchedule"), false},
	} {
		c.run(t)
	}
}

func TestM2Operators(t *testing.T) {
	for _, c := range []toleratesCase{
		{"k=v", x("k", "v", "NoSchedule"), true},   // left empty: Equal
		{"k=v", x("k", "w", "NoSchedule"), false},  //
		{"k==v", x("k", "v", "NoSchedule"), true},  // Equal
		{"k==v", x("k", "w", "NoSchedule"), false}, //
		{"k==", x("k", "", "NoSchedule"), true},    //
		{"k", x("k", "", "NoSchedule"), true},      // Exists
		{"k", x("k", "v", "NoSchedule"), true},     //
		{"k", x("l", "v", "NoSchedule"), false},    //
		{"k?Exists w", x("k", "v", "NoSchedule"), true},
		{"k?exists v", x("k", "v", "NoSchedule"), false}, // names are case-sensitive
		{"k?equal v", x("k", "v", "NoSchedule"), false},
		{"k?EQUAL v", x("k", "v", "NoSchedule"), false},
		{"k?gt 1", x("k", "2", "NoSchedule"), false},
		{"k?lt 2", x("k", "1", "NoSchedule"), false},
		{"k?In v", x("k", "v", "NoSchedule"), false}, // unknown: false, even if all is equal
		{"k?NotIn w", x("k", "v", "NoSchedule"), false},
	} {
		c.run(t)
	}
}

func TestM3EmptyKeyWithExistsStillTestsTheEffect(t *testing.T) {
	for _, c := range []toleratesCase{
		{"*", x("k", "v", "NoSchedule"), true},
		{"*", x("k", "v", "NoExecute"), true},
		{"*", x("", "", ""), true},
		{"*:NoSchedule", x("k", "v", "NoSchedule"), true},
		{"*:NoSchedule", x("", "", "NoSchedule"), true},
		{"*:NoSchedule", x("k", "v", "NoExecute"), false},
		{"*:NoSchedule", x("k", "v", "PreferNoSchedule"), false},
		{"*:NoSchedule", x("k", "v", ""), false},
	} {
		c.run(t)
	}
}

func TestM3EmptyEffectMatchesEveryEffect(t *testing.T) {
	for _, effect := range []taint.Effect{"", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, "Unknown"} {
		toleratesCase{"k", x("k", "v", effect), true}.run(t)
		toleratesCase{"k=v", x("k", "v", effect), true}.run(t)
	}
}

func TestM4EmptyKeyWithoutExists(t *testing.T) {
	for _, c := range []toleratesCase{
		{"*=", x("k", "", "NoSchedule"), true}, // the zero toleration
		{"*=", x("k", "", "NoExecute"), true},
		{"*=", x("k", "v", "NoSchedule"), false},
		{"*==v", x("any", "v", "NoSchedule"), true},
		{"*>5", x("any", "6", "NoSchedule"), true},
		{"*>5", x("other", "5", "NoSchedule"), false},
		{"*<5", x("any", "4", "NoSchedule"), true},
	} {
		c.run(t)
	}
	if zero := mustParse("*="); zero != (toleration.Toleration{}) {
		t.Errorf("*= is %+v, not the zero toleration", zero)
	}
}

func TestM5UnknownEffectsAreStrings(t *testing.T) {
	for _, c := range []toleratesCase{
		{"k:Other", x("k", "", "Other"), true},
		{"k:Other", x("k", "", "other"), false},
		{"k:Other", x("k", "", "NoSchedule"), false},
		{"k:NoSchedule", x("k", "", "Other"), false},
		{"k:noschedule", x("k", "", "NoSchedule"), false},
	} {
		c.run(t)
	}
}

func TestM6TimesPlayNoPart(t *testing.T) {
	added := taint.Time{}
	for _, seconds := range []string{"", "@-1", "@0", "@300", "@9223372036854775807"} {
		for _, at := range []*taint.Time{nil, &added} {
			toleratesCase{"k:NoExecute" + seconds, taint.Taint{Key: "k", Effect: "NoExecute", TimeAdded: at}, true}.run(t)
			toleratesCase{"k:NoExecute" + seconds, taint.Taint{Key: "l", Effect: "NoExecute", TimeAdded: at}, false}.run(t)
		}
	}
}

func TestN1GtAndLt(t *testing.T) {
	for _, c := range []toleratesCase{
		{"k>5", x("k", "6", "NoSchedule"), true},
		{"k>5", x("k", "5", "NoSchedule"), false},
		{"k>5", x("k", "4", "NoSchedule"), false},
		{"k>5", x("k", "10", "NoSchedule"), true}, // as numbers, not as strings
		{"k<5", x("k", "4", "NoSchedule"), true},
		{"k<5", x("k", "5", "NoSchedule"), false},
		{"k<5", x("k", "6", "NoSchedule"), false},
		{"k<10", x("k", "9", "NoSchedule"), true},
		{"k>5:NoSchedule", x("k", "6", "NoExecute"), false},
		{"k>5:NoSchedule", x("l", "6", "NoSchedule"), false},
		{"k>9223372036854775806", x("k", "9223372036854775807", "NoSchedule"), true},
		{"k<-9223372036854775807", x("k", "-9223372036854775808", "NoSchedule"), true},
	} {
		c.run(t)
	}
}

func TestN2OnlyCanonicalIntegersOf64Bits(t *testing.T) {
	bad := []string{
		"", "-", "-0", "00", "01", "-01", "+5", "+0", " 5", "5 ", "5.0", "1e3", "1_000", "0x5", "--5", "5-", "1:", "1/", "five", "٥", "5\x00",
		"9223372036854775808", "-9223372036854775809", "9999999999999999999", "18446744073709551615",
		"18446744073709551621", "-18446744073709551611", "36893488147419103237", "99999999999999999999",
		"00000000000000000005", "100000000000000000000000000005",
	}
	for _, value := range bad {
		for _, operator := range []toleration.Operator{toleration.OpGt, toleration.OpLt} {
			for _, good := range []string{"-9223372036854775808", "-1", "0", "5", "9223372036854775807"} {
				asBound := toleration.Toleration{Key: "k", Operator: operator, Value: value}
				if asBound.Tolerates(&taint.Taint{Key: "k", Value: good}, comparisons) {
					t.Errorf("%s %q tolerates %q", operator, value, good)
				}
				asTaint := toleration.Toleration{Key: "k", Operator: operator, Value: good}
				if asTaint.Tolerates(&taint.Taint{Key: "k", Value: value}, comparisons) {
					t.Errorf("%s %q tolerates %q", operator, good, value)
				}
			}
		}
	}
	const lowest, highest = "-9223372036854775808", "9223372036854775807"
	for _, c := range []toleratesCase{
		{"k<" + highest, x("k", lowest, ""), true},
		{"k>" + lowest, x("k", highest, ""), true},
		{"k>" + lowest, x("k", lowest, ""), false},
		{"k<" + highest, x("k", highest, ""), false},
		{"k>-1", x("k", "0", ""), true},
		{"k<1", x("k", "0", ""), true},
		{"k<1000000000000000000", x("k", "999999999999999999", ""), true},
	} {
		c.run(t)
	}
}

func TestN3NegativesAreCompared(t *testing.T) {
	for _, c := range []toleratesCase{
		{"k>-5", x("k", "-4", "NoSchedule"), true},
		{"k>-5", x("k", "-5", "NoSchedule"), false},
		{"k<-5", x("k", "-6", "NoSchedule"), true},
		{"k<0", x("k", "-1", "NoSchedule"), true},
		{"k>-5", x("k", "0", "NoSchedule"), true},
	} {
		c.run(t)
	}
}

func TestToleratesDoesNotAllocate(t *testing.T) {
	taints := []taint.Taint{x("k", "5", "NoSchedule"), x("k", "not a number", "NoSchedule"), x("k", "99999999999999999999", "Other")}
	for _, text := range []string{"*", "k=5", "k==5", "k>4", "k<4", "k?In x", "k>x", "k:NoSchedule"} {
		tol := mustParse(text)
		allocs := testing.AllocsPerRun(100, func() {
			for i := range taints {
				tol.Tolerates(&taints[i], comparisons)
			}
		})
		if allocs != 0 {
			t.Errorf("%s: %v allocations", text, allocs)
		}
	}
}

// The oracle is a second reading of the rules that shares no code with
// Tolerates.
func FuzzTolerates(f *testing.F) {
	type seed struct{ key, operator, value, effect, taintKey, taintValue, taintEffect string }
	for _, s := range []seed{
		{"", "Exists", "", "NoSchedule", "k", "v", "NoExecute"},                                     // M3
		{"", "", "", "", "k", "", "NoSchedule"},                                                     // M4: the zero toleration
		{"k", "In", "v", "Other", "k", "v", "Other"},                                                // M2, M5
		{"k", "Gt", "5", "", "k", "05", ""},                                                         // N2: a leading zero
		{"k", "Lt", "9223372036854775807", "", "k", "-9223372036854775808", ""},                     // N2: the limits
		{"k", "Gt", "9223372036854775808", "", "k", "18446744073709551617", ""},                     // N2: over them
		{"k", "Equal", "v", "NoSchedule", "k", "v\x00", "NoSchedule"},                               // a longer value
		{"node.kubernetes.io/not-ready", "Exists", "", "", "node.kubernetes.io/not-readx", "", "x"}, // a near-miss at the end
	} {
		f.Add(s.key, s.operator, s.value, s.effect, s.taintKey, s.taintValue, s.taintEffect)
	}
	target.Fuzz(f, func(t *testing.T, key, operator, value, effect, taintKey, taintValue, taintEffect string) {
		tol := toleration.Toleration{Key: key, Operator: toleration.Operator(operator), Value: value, Effect: taint.Effect(effect)}
		tnt := x(taintKey, taintValue, taint.Effect(taintEffect))
		for _, rules := range []toleration.Rules{{}, comparisons} {
			want := matchtest.Spec(rules)([]toleration.Toleration{tol}).Tolerates(&tnt)
			if got := tol.Tolerates(&tnt, rules); got != want {
				t.Errorf("%s tolerates %+q by %v: got %v, want %v", tol, tnt, rules, got, want)
			}
		}
	})
}

// Gt and Lt hold only where the cluster has them, and nothing but an operator's exact
// name is that operator.
func TestN4Holds(t *testing.T) {
	for _, c := range []struct {
		operator       toleration.Operator
		have, want     string
		defaults, with bool
	}{
		{toleration.OpExists, "x", "y", true, true},
		{toleration.OpEqual, "x", "x", true, true},
		{toleration.OpEqual, "x", "y", false, false},
		{"", "", "", true, true},
		{"", "5", "05", false, false},
		{toleration.OpGt, "6", "5", false, true},
		{toleration.OpGt, "5", "5", false, false},
		{toleration.OpGt, "6", "x", false, false},
		{toleration.OpLt, "-6", "5", false, true},
		{toleration.OpLt, "5", "5", false, false},
		{toleration.OpLt, "x", "5", false, false},
		{"equal", "x", "x", false, false},
		{"In", "6", "5", false, false},
	} {
		if got := (toleration.Rules{}).Holds(c.operator, c.have, c.want); got != c.defaults {
			t.Errorf("in a default cluster, %q between %q and %q is %t", c.operator, c.have, c.want, got)
		}
		if got := (toleration.Rules{Comparisons: true}).Holds(c.operator, c.have, c.want); got != c.with {
			t.Errorf("with comparisons, %q between %q and %q is %t", c.operator, c.have, c.want, got)
		}
	}
}
