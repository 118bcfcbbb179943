package upstream

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	v1 "k8s.io/api/core/v1"
	upstream "k8s.io/kubernetes/pkg/util/taints"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/taint"
)

// specs returns change specs put together from well-formed and malformed parts.
func specs() (all []string) {
	for _, key := range []string{"a", "b", "example.com/a", "", "-a", "a/b/c", "a-", "é", long63 + "x"} {
		for _, value := range []string{"", "=", "=x", "=x-", "=x=y", "= ", "=" + long63 + "x"} {
			for _, effect := range []string{"", ":", ":NoSchedule", ":PreferNoSchedule", ":NoExecute", ":noSchedule", ":NoSchedule:NoExecute", "::"} {
				for _, end := range []string{"", "-", "--"} {
					all = append(all, key+value+effect+end)
				}
			}
		}
	}
	return all
}

// TestK1ParseChange parses every spec by itself, and TestK2ParseChange some of
// them together. The oracle is ParseTaints, which has the code of kubectl's
// private parser; TestK2Kubectl drives kubectl.
func TestK1ParseChange(t *testing.T) {
	accepted := 0
	for _, spec := range specs() {
		if compareParseChange(t, []string{spec}) {
			accepted++
		}
	}
	t.Logf("%d specs compared, %d accepted", len(specs()), accepted)
}

func TestK2ParseChange(t *testing.T) {
	items := []string{"a:NoSchedule", "a=x:NoSchedule", "a:NoExecute", "b=y:NoSchedule", "a-", "a:NoSchedule-", "b:NoExecute-", "a=y:NoSchedule-", "a", ""}
	lists, accepted := listsUpTo(4, items), 0
	for _, list := range lists {
		if compareParseChange(t, list) {
			accepted++
		}
	}
	t.Logf("%d lists of specs compared, %d accepted", len(lists), accepted)
}

func TestK2ParseChangeGenerated(t *testing.T) {
	all := specs()
	rapid.Check(t, func(t *rapid.T) {
		compareParseChange(t, rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(all),
			rapid.StringMatching(`[a-b]?(=[xy]?)?:No(Schedule|Execute)-?`), rapid.String()), 0, 5).Draw(t, "specs"))
	})
}

// FuzzParseChange parses any text as specs separated by spaces (rules K1, K2).
func FuzzParseChange(f *testing.F) {
	f.Add("dedicated=gpu:NoSchedule dedicated:NoExecute-") // an addition and a removal
	f.Add("a:NoSchedule a=x:NoSchedule")                   // the same twice
	f.Add("a:NoSchedule a-")                               // added and removed
	f.Add("a=:PreferNoSchedule")                           // an empty value
	f.Add("a=x-")                                          // a value without effect
	f.Add("example.com/a.b_c=1.2:NoExecute b:NoSchedule--")
	target.Fuzz(f, func(t *testing.T, text string) {
		compareParseChange(t, strings.Split(text[:min(len(text), 1000)], " "))
	})
}

// compareParseChange compares verdict and result, and returns the verdict.
func compareParseChange(t rapid.TB, specs []string) (accepted bool) {
	got, err := taint.ParseChange(specs...)
	add, remove, wantErr := upstream.ParseTaints(specs)
	if wantErr == nil {
		wantErr = conflict(add, remove)
	}
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("ParseChange(%q): got error %v, want %v", specs, err, wantErr)
	}
	if err == nil && !(sameTaints(got.Add, add) && slices.EqualFunc(got.Remove, remove, sameRemoval)) {
		t.Fatalf("ParseChange(%q) = %v, want additions %v and removals %v", specs, got, add, remove)
	}
	return err == nil
}

func sameRemoval(r taint.Taint, t v1.Taint) bool {
	return r.Key == t.Key && r.Effect == taint.Effect(t.Effect) && t.Value == ""
}

// conflict is what kubectl checks after parsing and ParseTaints does not: that
// nothing is both added and removed.
func conflict(add, remove []v1.Taint) error {
	for _, a := range add {
		for _, r := range remove {
			if a.Key == r.Key && (r.Effect == "" || r.Effect == a.Effect) {
				return fmt.Errorf("%s is added and removed", a.Key)
			}
		}
	}
	return nil
}

// TestK1Parse holds Parse against ParseTaints for texts that are no removals.
func TestK1Parse(t *testing.T) {
	for _, spec := range specs() {
		if strings.HasSuffix(spec, "-") {
			continue
		}
		got, err := taint.Parse(spec)
		want, _, wantErr := upstream.ParseTaints([]string{spec})
		if (err == nil) != (wantErr == nil) || err == nil && !sameTaints([]taint.Taint{got}, want) {
			t.Errorf("Parse(%q) = %v, %v, want %v, %v", spec, got, err, want, wantErr)
		}
	}
}
