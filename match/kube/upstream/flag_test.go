package upstream

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	v1 "k8s.io/api/core/v1"
	upstream "k8s.io/kubernetes/pkg/util/flag"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/taint"
)

// TestA7ParseList reads every list of up to three items as kubelet's
// --register-with-taints and prints what is accepted.
func TestA7ParseList(t *testing.T) {
	items := []string{"a=x:NoSchedule", "a:NoSchedule", "a=:NoExecute", "b=y:PreferNoSchedule", "example.com/a=1:NoSchedule",
		"", "a", "a=x", "a:", "a=x:noSchedule", "a=x=y:NoSchedule", "/a:NoSchedule", " a:NoSchedule", "a-", "b:NoSchedule-"}
	lists := listsUpTo(3, items)
	for _, list := range lists {
		compareParseList(t, strings.Join(list, ","))
	}
	t.Logf("%d texts compared", len(lists))
}

func TestA7ParseListGenerated(t *testing.T) {
	item := rapid.StringMatching(`[ab](=[xy]?)?:(No(Schedule|Execute)|PreferNoSchedule)`)
	rapid.Check(t, func(t *rapid.T) {
		compareParseList(t, strings.Join(rapid.SliceOfN(rapid.OneOf(item, item, rapid.SampledFrom(specs()), rapid.String()), 0, 4).Draw(t, "items"), ","))
	})
}

// FuzzParseList reads any text (rule A7).
func FuzzParseList(f *testing.F) {
	f.Add("dedicated=gpu:NoSchedule,example.com/a=:NoExecute") // what kubelet prints
	f.Add("a:NoSchedule,a=x:NoSchedule")                       // the same twice
	f.Add("a:NoSchedule,")                                     // an empty item
	f.Add("a-,b:NoSchedule")                                   // a removal, which kubelet drops
	f.Add("")
	target.Fuzz(f, func(t *testing.T, text string) {
		compareParseList(t, text[:min(len(text), 1000)])
	})
}

func compareParseList(t rapid.TB, text string) {
	got, err := taint.ParseList(text)
	if slices.ContainsFunc(strings.Split(text, ","), func(item string) bool { return strings.HasSuffix(item, "-") }) {
		if err == nil {
			t.Fatalf("ParseList(%q) accepts a removal: %v", text, got)
		}
		return
	}
	var want []v1.Taint
	flag := upstream.RegisterWithTaintsVar{Value: &want}
	wantErr := flag.Set(text)
	if (err == nil) != (wantErr == nil) || err == nil && !sameTaints(got, want) {
		t.Fatalf("ParseList(%q) = %v, %v, want %v, %v", text, got, err, want, wantErr)
	}
	if err == nil {
		compareFormatList(t, got)
	}
}

// compareFormatList has kubelet read what FormatList prints, and ParseList what
// kubelet prints, which has a "=" even before an empty value.
func compareFormatList(t rapid.TB, list []taint.Taint) {
	var read []v1.Taint
	flag := upstream.RegisterWithTaintsVar{Value: &read}
	text := taint.FormatList(list)
	if err := flag.Set(text); err != nil || !sameTaints(list, read) {
		t.Fatalf("kubelet reads %q as %v, %v, want %v", text, read, err, list)
	}
	if got, err := taint.ParseList(flag.String()); err != nil || !sameTaints(got, read) {
		t.Fatalf("ParseList(%q) = %v, %v, want %v", flag.String(), got, err, read)
	}
}

// TestA7ParseListDifference shows the one difference: kubelet reads an item
// that ends in "-" as a removal, as kubectl does, and drops it.
func TestA7ParseListDifference(t *testing.T) {
	const text = "a=x:NoSchedule,b-,c:NoExecute-"
	var registered []v1.Taint
	if err := (upstream.RegisterWithTaintsVar{Value: &registered}).Set(text); err != nil || len(registered) != 1 || registered[0].Key != "a" {
		t.Errorf("kubelet reads %q as %v, %v", text, registered, err)
	}
	if taints, err := taint.ParseList(text); err == nil || taints != nil {
		t.Errorf("ParseList(%q) = %v, %v, want an error", text, taints, err)
	}
}
