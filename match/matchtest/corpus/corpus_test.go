package corpus_test

import (
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func TestCounts(t *testing.T) {
	counts := []struct {
		name      string
		got, want int
	}{
		{"toleration lists", len(corpus.Tolerations()), 573},
		{"taint lists", len(corpus.Taints()), 146},
		{"invalid lists", len(corpus.Invalid()), 23},
		{"events", len(corpus.Events()), 19},
	}
	for _, c := range counts {
		if c.got != c.want {
			t.Errorf("%d %s, want %d", c.got, c.name, c.want)
		}
	}
}

// The README's figures.
func TestOccurrences(t *testing.T) {
	occurrences, distinct := 0, map[string]bool{}
	for _, list := range corpus.Tolerations() {
		occurrences += list.Count
		distinct[list.List] = true
		if list.Source == "" || list.Count < 1 || list.Origin == "" || list.Kind == "" {
			t.Errorf("incomplete: %+v", list)
		}
	}
	if occurrences != 1998 || len(distinct) != 142 {
		t.Errorf("%d occurrences of %d distinct lists", occurrences, len(distinct))
	}
}

func TestV2TolerationsAreValid(t *testing.T) {
	for _, list := range corpus.Tolerations() {
		if err := (toleration.Rules{Comparisons: true}).Validate(list.Tolerations); err != nil {
			t.Errorf("%s: %v", list.Source, err)
		}
		if gateOff := (toleration.Rules{}).Validate(list.Tolerations); (gateOff != nil) != (list.Gate == "TaintTolerationComparisonOperators") {
			t.Errorf("%s: gate %q, and with it off: %v", list.Source, list.Gate, gateOff)
		}
	}
}

func TestV1TaintsAreValid(t *testing.T) {
	for _, list := range corpus.Taints() {
		if err := taint.Validate(list.Taints); err != nil {
			t.Errorf("%s: %v", list.Source, err)
		}
		if len(list.Taints) == 0 || list.Source == "" || list.Count < 1 {
			t.Errorf("incomplete: %+v", list)
		}
	}
}

// Every invalid list is refused, by the decoder (fields of another type, and
// fields that there are none of, which the API server only refuses when it is
// asked to) or by validation.
func TestV1V2InvalidIsInvalid(t *testing.T) {
	for _, list := range corpus.Invalid() {
		if (list.Tolerations == nil) == (list.Taints == nil) || len(list.Why) == 0 || list.Source == "" {
			t.Errorf("incomplete: %+v", list)
		}
		var err error
		if list.Taints != nil {
			var taints []taint.Taint
			if taints, err = taint.ParseListJSON(list.Taints); err == nil {
				err = taint.Validate(taints)
			}
		} else {
			var tolerations []toleration.Toleration
			if tolerations, err = toleration.ParseListJSON(list.Tolerations); err == nil {
				err = toleration.Rules{Comparisons: true}.Validate(tolerations)
			}
		}
		if err == nil {
			t.Errorf("%s: accepted, but %q", list.Source, list.Why)
		}
	}
}

func TestListNamesEqualLists(t *testing.T) {
	lists := corpus.Tolerations()
	for i := range lists {
		for j := range i {
			equal := slices.EqualFunc(lists[i].Tolerations, lists[j].Tolerations, func(a, b toleration.Toleration) bool { return a.Operator == b.Operator && a.Equal(&b) })
			if (lists[i].List == lists[j].List) != equal {
				t.Errorf("lists %d and %d: equal %v, named %s and %s", j, i, equal, lists[j].List, lists[i].List)
			}
		}
	}
	nodes := corpus.Taints()
	for i := range nodes {
		for j := range i {
			if equal := taint.Equal(nodes[i].Taints, nodes[j].Taints); (nodes[i].List == nodes[j].List) != equal {
				t.Errorf("taint lists %d and %d: equal %v, named %s and %s", j, i, equal, nodes[j].List, nodes[i].List)
			}
		}
	}
}

func TestEvents(t *testing.T) {
	for i, event := range corpus.Events() {
		nodes := 0
		for _, item := range event.Taints {
			nodes += item.Nodes
			if err := taint.CheckKey(item.Key); err != nil {
				t.Errorf("event %d: key %q: %v", i, item.Key, err)
			}
			if err := taint.CheckValue(item.Value); err != nil {
				t.Errorf("event %d: value %q: %v", i, item.Value, err)
			}
		}
		if nodes == 0 || nodes > event.NodesTotal || event.Source == "" {
			t.Errorf("event %d: %d nodes with taints, of %d", i, nodes, event.NodesTotal)
		}
	}
}

// Callers own what they get.
func TestDecodedAnew(t *testing.T) {
	corpus.Tolerations()[0].Tolerations[0].Key = "mine"
	corpus.Taints()[0].Taints[0].Key = "mine"
	if corpus.Tolerations()[0].Tolerations[0].Key == "mine" || corpus.Taints()[0].Taints[0].Key == "mine" {
		t.Error("two calls share memory")
	}
}
