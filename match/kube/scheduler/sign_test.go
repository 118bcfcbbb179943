package scheduler

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"

	v1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// signatureOf returns what the framework makes of the plugin's fragment.
func signatureOf(tb rapid.TB, pl *Plugin, tolerations []toleration.Toleration) string {
	fragments, status := pl.SignPod(context.Background(), newPod(tolerations))
	if !status.IsSuccess() || len(fragments) != 1 || fragments[0].Key != Name+"/tolerations" {
		tb.Fatalf("SignPod(%q) = %v, %v", tolerations, fragments, status)
	}
	text, err := json.Marshal(fragments[0].Value)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

func TestM2Signature(t *testing.T) {
	on, off := withComparisons(true), withComparisons(false)
	for _, test := range []struct {
		pl   *Plugin
		a, b string
		same bool
	}{
		{on, "a,b", "b,a", true},
		{on, "a,b,a", "a,b", true},
		{on, "a:NoExecute@300", "a:NoExecute@600", true},
		{on, "a==x", "a=x", true},
		{on, "a:NoSchedule,a:NoExecute,a:PreferNoSchedule", "a", true},
		// What the API server refuses is compared field by field, in any order.
		{on, "a?In x,b", "b", false},
		{on, "", "a?In x", false},
		{on, "a?In x,b", "a?In x,b", true},
		{on, "a?In x:NoExecute@5", "a?In x:NoExecute", true},
		{on, "a?In x,b", "b,a?In x,b", true},
		{on, "*==x", "*=x", false},
		{off, "*==x,a>5", "*==x", true},
		{on, "a>5", "a", false},
		{on, "a>5,b", "b", false},
		{off, "a>5,b", "b", true},
		{on, "a", "a:NoSchedule", false},
		{on, "a=x", "a=y", false},
		{on, "a=", "a", false},
		{on, "*", "", false},
		{on, `"a,b"`, "a,b", false}, // one key with a comma in it
	} {
		a, b := mustTolerations(t, test.a), mustTolerations(t, test.b)
		if same := signatureOf(t, test.pl, a) == signatureOf(t, test.pl, b); same != test.same {
			t.Errorf("%q and %q: same signature: %t", test.a, test.b, same)
		}
	}
}

// TestSignatureDecides: pods with the same signature get the same answers. Lists of
// few different tolerations have one often enough.
func TestSignatureDecides(t *testing.T) {
	few := rapid.SampledFrom(mustTolerations(t, "a,a?Exists x,a:NoSchedule,a=x,a==x,a>4,a?In x,*:NoExecute,*:NoExecute@9,*=,*"))
	lists := rapid.SliceOfN(few, 0, 3)
	met, comparing := 0, toleration.Rules{Comparisons: true}
	rapid.Check(t, func(t *rapid.T) {
		pl := withComparisons(true)
		a, b := lists.Draw(t, "a"), lists.Draw(t, "b")
		if signatureOf(t, pl, a) != signatureOf(t, pl, b) {
			return
		}
		met++
		taints := rapid.SliceOf(rapid.OneOf(matchtest.Taint(), rapid.SampledFrom(mustTaints(t, "a=x:NoSchedule,a=5:NoExecute,b:NoExecute")))).Draw(t, "taints")
		if takes(taints, a) != takes(taints, b) || match.CountUntolerated(taints, a, taint.Soft, comparing) != match.CountUntolerated(taints, b, taint.Soft, comparing) {
			t.Fatalf("%q and %q have the same signature", a, b)
		}
	})
	if met == 0 {
		t.Error("no two lists had the same signature")
	}
}

// TestSignaturesStay: pods that come in turns with lists of the same place are signed
// once for each list.
func TestSignaturesStay(t *testing.T) {
	pl := NewPlugin(Args{})
	lists := make(map[*[ways]atomic.Pointer[signed]][][]v1.Toleration)
	var together [][]v1.Toleration
	for i := 0; len(together) < ways; i++ { // at most as many lists as there are places, and one
		list := newPod([]toleration.Toleration{{Key: fmt.Sprint("k", i), Operator: toleration.OpExists}}).Spec.Tolerations
		place := pl.signer.place(list)
		lists[place] = append(lists[place], list)
		together = lists[place]
	}
	sign := func() {
		for _, list := range together {
			pl.signer.sign(list, pl.rules)
		}
	}
	sign()
	if allocs := testing.AllocsPerRun(100, sign); allocs != 0 {
		t.Errorf("%v allocations for %d lists that were signed before", allocs, len(together))
	}
}

// TestPlaces: lists that differ in an operator or an effect alone are common, and do not
// all have the same place.
func TestPlaces(t *testing.T) {
	pl := NewPlugin(Args{})
	places := make(map[*[ways]atomic.Pointer[signed]]bool)
	for _, o := range []toleration.Operator{"", toleration.OpEqual, toleration.OpExists} {
		for _, e := range []taint.Effect{"", taint.NoSchedule, taint.NoExecute, taint.PreferNoSchedule} {
			places[pl.signer.place(newPod([]toleration.Toleration{{Operator: o, Effect: e}}).Spec.Tolerations)] = true
		}
	}
	if len(places) < 9 {
		t.Errorf("12 lists have %d places", len(places))
	}
}
