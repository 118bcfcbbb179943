//go:build adopters

package descheduler

import (
	"context"
	"encoding/json"
	"testing"

	v1 "k8s.io/api/core/v1"
	"sigs.k8s.io/descheduler/pkg/descheduler/evictions"
	podutil "sigs.k8s.io/descheduler/pkg/descheduler/pod"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removepodsviolatingnodetaints"
	frameworktypes "sigs.k8s.io/descheduler/pkg/framework/types"
	"sigs.k8s.io/descheduler/pkg/utils"

	"github.com/tolero-dev/tolero/match/matchtest/vectors"
)

// TestVectors asks the strategy RemovePodsViolatingNodeTaints the vectors about whether
// taints keep a pod out of a node.
func TestVectors(t *testing.T) { ask(t, "descheduler", fits) }

// TestUtilizationVectors asks what LowNodeUtilization and HighNodeUtilization ask about a
// node to which they could move a pod. It does not say which taint keeps the pod out:
// that is the vector's.
func TestUtilizationVectors(t *testing.T) {
	ask(t, "descheduler-utilization", func(input, expected json.RawMessage) (json.RawMessage, error) {
		in, err := read(input)
		if err != nil {
			return nil, err
		}
		if utils.PodToleratesTaints(context.Background(), &in.Pod, map[string][]v1.Taint{"n": in.Node.Spec.Taints}) {
			return json.RawMessage(`{"fits":true}`), nil
		}
		var answer struct {
			Fits  bool `json:"fits"`
			Taint *int `json:"taint,omitempty"`
		}
		if err := json.Unmarshal(expected, &answer); err != nil {
			return nil, err
		}
		answer.Fits = false
		return json.Marshal(answer)
	})
}

// ask compares the answers of the descheduler with those that the vectors have for a
// dialect, and logs where it differs from Kubernetes.
func ask(t *testing.T, dialect string, answer func(input, expected json.RawMessage) (json.RawMessage, error)) {
	cases, err := vectors.Load("1.37")
	if err != nil {
		t.Fatal(err)
	}
	expected := map[string]json.RawMessage{}
	for i := range cases {
		expected[cases[i].ID] = cases[i].Expected(dialect)
	}
	report := vectors.Run(cases, vectors.Options{Dialect: dialect}, func(q vectors.Question) (json.RawMessage, error) {
		if q.Ask != "fits" {
			return nil, vectors.ErrUnsupported
		}
		return answer(q.Input, expected[q.ID])
	})
	for _, r := range report.Results {
		if r.Outcome.Failed() {
			t.Errorf("%s: %s\nthe descheduler answers %s (%v), the vector says %s", r.ID, r.Case.Input, r.Answer, r.Detail, expected[r.ID])
		}
		if r.Outcome == vectors.Right && !vectors.Equal(r.Answer, r.Case.Answer) {
			t.Logf("differs: %s: %s\nthe descheduler %s, Kubernetes %s", r.ID, r.Case.Input, r.Answer, r.Case.Answer)
		}
	}
	t.Logf("%d answers are those of the dialect", report.Count(vectors.Right))
}

type objects struct {
	Node v1.Node
	Pod  v1.Pod
}

func read(input json.RawMessage) (in objects, err error) {
	return in, json.Unmarshal(input, &in)
}

// fits runs the strategy on a pod that is on the node, once for each taint alone: it does
// not say which taint it evicts for.
func fits(input, _ json.RawMessage) (json.RawMessage, error) {
	in, err := read(input)
	if err != nil {
		return nil, err
	}
	for i := range in.Node.Spec.Taints {
		node := v1.Node{Spec: v1.NodeSpec{Taints: in.Node.Spec.Taints[i : i+1]}}
		h := &handle{pod: &in.Pod}
		plugin, err := removepodsviolatingnodetaints.New(context.Background(), &removepodsviolatingnodetaints.RemovePodsViolatingNodeTaintsArgs{}, h)
		if err != nil {
			return nil, err
		}
		plugin.(frameworktypes.DeschedulePlugin).Deschedule(context.Background(), []*v1.Node{&node})
		if h.evicted {
			return json.Marshal(map[string]any{"fits": false, "taint": i})
		}
	}
	return json.RawMessage(`{"fits":true}`), nil
}

// handle is as much of the framework as the strategy asks for, with one pod on the node.
type handle struct {
	frameworktypes.Handle
	pod     *v1.Pod
	evicted bool
}

func (h *handle) Evictor() frameworktypes.Evictor { return evictor{handle: h} }

func (h *handle) GetPodsAssignedToNodeFunc() podutil.GetPodsAssignedToNodeFunc {
	return func(string, podutil.FilterFunc) ([]*v1.Pod, error) { return []*v1.Pod{h.pod}, nil }
}

type evictor struct {
	frameworktypes.Evictor
	handle *handle
}

func (evictor) Filter(*v1.Pod) bool            { return true }
func (evictor) PreEvictionFilter(*v1.Pod) bool { return true }

func (e evictor) Evict(context.Context, *v1.Pod, evictions.EvictOptions) error {
	e.handle.evicted = true
	return nil
}
