package whatif_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// A step that fills in every field has a fault for each that its verb does not use, and
// for none that it uses. What is missing or forbidden has no value.
func TestFieldsOfActions(t *testing.T) {
	fleet, pods := cluster()
	full := whatif.Step{
		Nodes: whatif.Nodes{All: true}, Taints: taint.Change{Add: []taint.Taint{taint.MustParse("k:NoSchedule")}}, Overwrite: true,
		Owner: "DaemonSet agent", Tolerations: []toleration.Toleration{toleration.MustParse("k")},
	}
	for verb, c := range map[whatif.Verb]struct{ full, zero []string }{
		whatif.ChangeTaints:   {[]string{"owner", "tolerations"}, []string{"nodes", "taints"}},
		whatif.Cordon:         {[]string{"taints", "overwrite", "owner", "tolerations"}, []string{"nodes"}},
		whatif.Uncordon:       {[]string{"taints", "overwrite", "owner", "tolerations"}, []string{"nodes"}},
		whatif.SetTolerations: {[]string{"taints", "overwrite"}, []string{"owner"}},
		4:                     {[]string{"verb"}, []string{"verb"}}, // nobody knows what an unknown verb uses
		255:                   {[]string{"verb"}, []string{"verb"}},
	} {
		full.Verb = verb
		for _, s := range []struct {
			step whatif.Step
			want []string
		}{{full, c.full}, {whatif.Step{Verb: verb}, c.zero}} {
			_, err := whatif.Evaluate(fleet, pods, whatif.Plan{Steps: []whatif.Step{s.step}}, whatif.Options{})
			faults := new(taint.FieldErrors)
			errors.As(err, &faults)
			var got []string
			for _, fault := range faults.Faults {
				got = append(got, fault.Field[len("steps[0]."):])
				if (fault.Problem == "unsupported value") != (fault.Value != "") {
					t.Errorf("%v: %v has the value %q", s.step, fault, fault.Value)
				}
			}
			if !slices.Equal(got, s.want) {
				t.Errorf("%+v: faults of %q, want %q", s.step, got, s.want)
			}
		}
	}
}
