package lint_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/match/lint"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// between returns a list of n tolerations: these, and others between the first and the last.
func between(n int, first, last toleration.Toleration) []toleration.Toleration {
	list := []toleration.Toleration{first}
	for i := len(list); i < n-1; i++ {
		list = append(list, toleration.Toleration{Key: fmt.Sprint("k", i), Operator: toleration.OpExists})
	}
	return append(list, last)
}

// worded returns the finding of a kind about a list, which has one.
func worded(t *testing.T, list []toleration.Toleration, id lint.ID) lint.Finding {
	t.Helper()
	found := lint.Check(&lint.Fleet{Pods: []lint.Pod{{Name: "p", Tolerations: list}}}, lint.Options{}).Findings
	found = slices.DeleteFunc(found, func(f lint.Finding) bool { return f.ID != id })
	if len(found) != 1 {
		t.Fatalf("found %v", found)
	}
	return found[0]
}

// A toleration is said to be covered by one of the first 1000; further ones are not looked at.
func TestReasonInLongLists(t *testing.T) {
	exists := toleration.Toleration{Key: "a", Operator: toleration.OpExists, Effect: taint.NoExecute}
	equal := toleration.Toleration{Key: "a", Value: "b", Effect: taint.NoExecute}
	for at, want := range map[int]string{
		998: "a=b:NoExecute is covered by tolerations[998], a:NoExecute", 999: "a=b:NoExecute is covered by tolerations[999], a:NoExecute",
		1000: "a=b:NoExecute makes no difference beside the others",
	} {
		list := slices.Insert(between(1100, toleration.Toleration{Key: "first", Operator: toleration.OpExists}, equal), at, exists)
		if got := worded(t, list, lint.Redundant).Reason; got != want {
			t.Errorf("covered by the one at %d: %q, want %q", at, got, want)
		}
	}
}
