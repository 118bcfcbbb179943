package matrix

import (
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func taints(t *testing.T, text string) []taint.Taint {
	t.Helper()
	list, err := taint.ParseList(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func tolerations(t *testing.T, text string) []toleration.Toleration {
	t.Helper()
	list, err := notation.Tolerations(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestFleet(t *testing.T) {
	c := &cluster{
		nodes: []node{
			{"a", taints(t, "x=1:NoSchedule,y=:NoExecute"), 1},
			{"b", taints(t, "y=:NoExecute,x=1:NoSchedule"), 2}, // the order counts (rule F3)
			{"c", []taint.Taint{{Key: "x", Value: "1", Effect: "NoSchedule"}, {Key: "y", Effect: "NoExecute", TimeAdded: &taint.Time{}}}, 4},
			{"d", []taint.Taint{{Key: "x=1:NoSchedule,y", Effect: "NoExecute"}}, 8}, // invalid, and reads like the first
		},
		pods: []pod{
			{"p", tolerations(t, "x>3,y"), 1},
			{"q", tolerations(t, "y"), 2},
			{"r", tolerations(t, "y=="), 4},
			{"s", nil, 8},
			{"t", []toleration.Toleration{}, 16},
		},
	}
	f := newFleet(c, allOperators)
	if f.nodeCount != 15 || f.podCount != 31 {
		t.Errorf("got %+v", f)
	}
	var got []int64
	for _, class := range f.nodes {
		got = append(got, class.nodes)
	}
	for _, class := range f.pods {
		got = append(got, class.pods)
	}
	if want := []int64{8, 5, 2, 24, 4, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("sizes %v, want %v", got, want)
	}
	if f := newFleet(c, toleration.Rules{}); len(f.pods) != 3 || f.pods[2].text != "y" || f.pods[2].pods != 3 {
		t.Errorf("without comparisons: %+v", f.pods)
	}
}

// allOperators is the rules of a cluster in which every operator counts.
var allOperators = toleration.Rules{Comparisons: true}
