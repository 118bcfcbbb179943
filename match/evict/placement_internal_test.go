package evict

import (
	"fmt"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Pods of a node with the same list and nothing scheduled are one group under Kubernetes'
// policy, whenever they came: the time of an event is that of the lists.
func TestGroupsOfPodsThatStay(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var q Queue[string]
	q.SetNode(nil, start, "node", []taint.Taint{{Key: "a", Effect: taint.NoExecute}})
	for i := range 100 {
		q.SetPod(nil, start.Add(time.Duration(i)*time.Second), fmt.Sprint(i), "node", []toleration.Toleration{toleration.MustParse("a")})
	}
	if n := q.Sizes()[1]; n != 1 {
		t.Errorf("%d groups", n)
	}
}
