package explain

import (
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// ptr returns a pointer to a copy of v.
func ptr[T any](v T) *T { return &v }

// What a toleration may become: all forms differ from it and from each other, each tolerates
// a taint, and each is valid if the toleration and the taints are.
func TestForms(t *testing.T) {
	pods := matchtest.Universe{
		Keys: []string{"a", "b"}, Values: []string{"", "x", "7", "07"}, Operators: []toleration.Operator{"", toleration.OpEqual, toleration.OpExists, toleration.OpGt, "In"},
		Effects: []taint.Effect{"", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute}, Seconds: []*int64{nil, ptr(int64(5))},
	}
	nodes := matchtest.Universe{
		Keys: []string{"a"}, Values: []string{"", "x", "7", "9"}, Effects: []taint.Effect{taint.NoSchedule, taint.NoExecute},
	}
	for node := range matchtest.Lists(nodes.Taints(), 2) {
		for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
			c := newCorrector(&Query{Rules: rules, Taints: node, Tolerations: pods.Tolerations()}, ToScheduleAndStay)
			if len(node) == 0 || c == nil {
				continue
			}
			for i := range c.Tolerations {
				checkForms(t, c, c.keys[0], i)
			}
		}
	}
}

func checkForms(t *testing.T, c *corrector, k *keyed, i int) {
	t.Helper()
	old := c.Tolerations[i]
	valid := c.Rules.Validate([]toleration.Toleration{old}) == nil
	seen := map[string]bool{old.String(): true}
	for _, e := range c.forms(k, i) {
		if seen[e.form.String()] {
			t.Fatalf("%s becomes %s more than once, or stays", old, e.form)
		}
		seen[e.form.String()] = true
		if !slices.ContainsFunc(k.targets, func(x target) bool { return c.covers(&e.form, x.Taint) }) {
			t.Fatalf("%s becomes %s, which tolerates none of %s", old, e.form, taint.FormatList(c.Taints))
		}
		if err := c.Rules.Validate([]toleration.Toleration{e.form}); valid && err != nil {
			t.Fatalf("%s becomes %s: %v", old, e.form, err)
		}
		want := changed{i, e.form, measure{fields: changes(&old, &e.form), edits: 1}}
		for _, wider := range []bool{
			e.form.Effect == "" && old.Effect != "",
			e.form.Operator != old.Operator && e.form.Operator != "" && e.form.Operator != toleration.OpEqual,
		} {
			if wider {
				want.wider++
			}
		}
		if e != want {
			t.Fatalf("%s becomes %s: %+v, want %+v", old, e.form, e.measure, want.measure)
		}
	}
}
