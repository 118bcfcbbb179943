package toleration_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/toleration"
)

// The zero Rules is a default cluster, in which Gt and Lt do not count.
func TestN4Active(t *testing.T) {
	const list = "a=1,b>2:NoSchedule,c,d<3,e?gt 4,*"
	for rules, want := range map[toleration.Rules]string{
		{}:                  "a=1,c,e?gt 4,*",
		{Comparisons: true}: list,
	} {
		eachWay(t, want, list, want, false, func(dst, list []toleration.Toleration) ([]toleration.Toleration, bool) {
			return rules.Active(dst, list), false
		})
		if got := rules.Active(nil, nil); got != nil {
			t.Errorf("of nothing: got %v", got)
		}
	}
}

// With the gate off, an update may use comparisons if the old pod uses one
// anywhere, and must not otherwise.
func TestN5ValidateUpdate(t *testing.T) {
	const gtFault = `tolerations[1].operator: unsupported value "Gt"` + wantGateOff
	for _, c := range []struct {
		old, updated string
		off, on      []string // the faults with the gate off and on
	}{
		{"a", "a,b>5", []string{gtFault}, nil},
		{"a", "a,b>5,c<x", []string{gtFault, `tolerations[2].operator: unsupported value "Lt"` + wantGateOff},
			[]string{`tolerations[2].value: invalid value "x"` + wantInteger}},
		{"a>5", "a>5,b>6", nil, nil},
		{"c,a<5", "c,a<5,b>6", nil, nil}, // one of the two operators, anywhere
		{"a<x", "a<x,b>6", []string{`tolerations[0].value: invalid value "x"` + wantInteger}, []string{`tolerations[0].value: invalid value "x"` + wantInteger}},
		{"a?gt 5", "a?gt 5,b>6",
			[]string{`tolerations[0].operator: unsupported value "gt"` + wantGateOff + " (is Gt meant? Case matters)", gtFault},
			[]string{`tolerations[0].operator: unsupported value "gt"` + wantOperator + " (is Gt meant? Case matters)"}},
		{"a>5", "b,c>6", // the old one may go no more than any other
			[]string{`tolerations: forbidden: "a>5" is missing; only its tolerationSeconds may change`},
			[]string{`tolerations: forbidden: "a>5" is missing; only its tolerationSeconds may change`}},
	} {
		old, updated := mustParseList(t, c.old), mustParseList(t, c.updated)
		for rules, want := range map[toleration.Rules][]string{{}: c.off, {Comparisons: true}: c.on} {
			if diff := cmp.Diff(want, faults(t, rules.ValidateUpdate(updated, old))); diff != "" {
				t.Errorf("%+v: %s -> %s (-want +got):\n%s", rules, c.old, c.updated, diff)
			}
		}
	}
}

func TestRulesDoNotAllocateForValidLists(t *testing.T) {
	list := mustParseList(t, "a=1:NoSchedule,b:NoExecute@300,*:PreferNoSchedule")
	room := make([]toleration.Toleration, 0, len(list))
	var rules toleration.Rules
	for name, do := range map[string]func() bool{
		"Validate":       func() bool { return rules.Validate(list) == nil },
		"ValidateUpdate": func() bool { return rules.ValidateUpdate(list, list) == nil },
		"Active":         func() bool { return len(rules.Active(room, list)) == 3 },
	} {
		if !do() {
			t.Errorf("%s fails", name)
		}
		if allocs := testing.AllocsPerRun(100, func() { do() }); allocs != 0 {
			t.Errorf("%s allocates %v times", name, allocs)
		}
	}
}
