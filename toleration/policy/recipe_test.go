package policy_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
	"github.com/tolero-dev/tolero/toleration/policy"
)

var gpu = admit.Dedicated{Key: "dedicated", Value: "gpu"}

func TestPodRecipe(t *testing.T) {
	selector := policy.Attraction{NodeSelector: map[string]string{"dedicated": "gpu"}}
	for _, c := range []struct {
		tolerations string
		attraction  policy.Attraction
		rules       toleration.Rules
		problem     string
	}{
		{"dedicated=gpu:NoSchedule", selector, toleration.Rules{}, ""},
		{"*", selector, toleration.Rules{}, ""},
		{"dedicated=gpu", policy.Attraction{}, toleration.Rules{}, "tolerates the taint but does not require the label: it can run on other nodes too"},
		{"dedicated=cpu", selector, toleration.Rules{}, "requires the label but does not tolerate the taint: it cannot run on the dedicated nodes"},
		{"dedicated=gpu:NoExecute", policy.Attraction{}, toleration.Rules{}, "neither tolerates the taint nor requires the label: it runs on other nodes"},
	} {
		r := policy.Pod(gpu, c.rules, parse(t, c.tolerations), c.attraction)
		if got := r.PodProblem(); got != c.problem || r.Whole() != (got == "") {
			t.Errorf("%s: %s", c.tolerations, got)
		}
	}
	five := admit.Dedicated{Key: "dedicated", Value: "5"}
	for _, on := range []bool{false, true} {
		if got := policy.Pod(five, toleration.Rules{Comparisons: on}, parse(t, "dedicated>4"), selector); got.Taint != on {
			t.Errorf("with comparisons %v: %+v", on, got)
		}
	}
}

func TestNodeRecipe(t *testing.T) {
	for _, c := range []struct {
		taints  string
		labels  map[string]string
		problem string
	}{
		{"x:NoSchedule,dedicated=gpu:NoSchedule", map[string]string{"dedicated": "gpu"}, ""},
		{"dedicated=gpu:NoExecute", map[string]string{"dedicated": "gpu"}, ""},
		{"dedicated=gpu:NoSchedule", map[string]string{"dedicated": "cpu"}, "has the taint but not the label: pods of the group do not find it"},
		{"dedicated=gpu:NoSchedule", nil, "has the taint but not the label: pods of the group do not find it"},
		{"dedicated=gpu:PreferNoSchedule", map[string]string{"dedicated": "gpu"}, "has the label but not the taint: other pods can run on it"},
		{"dedicated=gpu:NoSchedule", map[string]string{"dedicated": "gpu2"}, "has the taint but not the label: pods of the group do not find it"},
		{"dedicate=gpu:NoSchedule,dedicated2=gpu:NoSchedule", nil, "has neither the taint nor the label: it is not dedicated"},
		{"dedicated=gpu2:NoSchedule", nil, "has neither the taint nor the label: it is not dedicated"},
		{"dedicated=cpu:NoSchedule,other=gpu:NoSchedule", nil, "has neither the taint nor the label: it is not dedicated"},
	} {
		taints, err := taint.ParseList(c.taints)
		if err != nil {
			t.Fatal(err)
		}
		if got := policy.Node(gpu, taints, c.labels).NodeProblem(); got != c.problem {
			t.Errorf("%s, %v: %s", c.taints, c.labels, got)
		}
	}
	if got := policy.Node(admit.Dedicated{Key: "k"}, nil, nil); got.Label {
		t.Error("a label that is not there has no value")
	}
}

// A pod requires the label exactly if it holds for no node with another value, nor
// without the label. Three values stand for all.
func TestRequiresExhaustively(t *testing.T) {
	values := []string{"gpu", "cpu", "new", ""} // the last one is no label
	var requirements []policy.Requirement
	for _, key := range []string{"dedicated", "zone"} {
		for _, r := range []policy.Requirement{
			{Operator: "Exists"}, {Operator: "DoesNotExist"}, {Operator: "In", Values: []string{"gpu"}}, {Operator: "In", Values: []string{"gpu", "cpu"}},
			{Operator: "In", Values: []string{"cpu"}}, {Operator: "NotIn", Values: []string{"cpu"}}, {Operator: "NotIn", Values: []string{"gpu", "cpu"}},
		} {
			r.Key = key
			requirements = append(requirements, r)
		}
	}
	var terms []policy.Term
	terms = append(terms, policy.Term{})
	for _, r := range requirements {
		terms = append(terms, policy.Term{Expressions: []policy.Requirement{r}})
		for _, s := range requirements {
			terms = append(terms, policy.Term{Expressions: []policy.Requirement{r, s}})
		}
	}
	for _, first := range terms {
		for _, second := range terms {
			a := policy.Attraction{Terms: []policy.Term{first, second}}
			want := true
			for _, v := range values {
				if v != "gpu" && (possible(first, v) || possible(second, v)) {
					want = false
				}
			}
			if got := a.Requires("dedicated", "gpu"); got != want && !contradictory(first) && !contradictory(second) {
				t.Fatalf("%+v: %v", a, got)
			} else if got && !want {
				t.Fatalf("%+v: requires, and is possible without", a)
			}
		}
	}
}

// possible reports whether the term holds for some node whose label dedicated has the
// value, empty for no label.
func possible(term policy.Term, dedicated string) bool {
	for _, zone := range []string{"gpu", "cpu", "new", ""} {
		if holds(term, dedicated, zone) {
			return true
		}
	}
	return false
}

func holds(term policy.Term, dedicated, zone string) bool {
	for _, r := range term.Expressions {
		value := dedicated
		if r.Key == "zone" {
			value = zone
		}
		in := false
		for _, v := range r.Values {
			in = in || v == value
		}
		ok := map[string]bool{"Exists": value != "", "DoesNotExist": value == "", "In": in, "NotIn": !in}
		if !ok[r.Operator] {
			return false
		}
	}
	return len(term.Expressions) > 0
}

// contradictory reports whether a term holds for no node, which only exact reasoning
// finds in all cases.
func contradictory(term policy.Term) bool {
	for _, v := range []string{"gpu", "cpu", "new", ""} {
		if possible(term, v) {
			return false
		}
	}
	return true
}

// Long terms take time in proportion to their length: this would not end otherwise.
func TestRequiresOfLongTerms(t *testing.T) {
	var term policy.Term
	all := in("zone")
	for i := range 100_000 {
		all.Values = append(all.Values, strconv.Itoa(i))
		if i > 0 {
			term.Expressions = append(term.Expressions, notIn("zone", strconv.Itoa(i)))
		}
	}
	term.Expressions = append(term.Expressions, all, all)
	a := policy.Attraction{Terms: []policy.Term{term}}
	if !a.Requires("zone", "0") || a.Requires("zone", "1") {
		t.Error("only zone 0 is left")
	}
}

func TestRequires(t *testing.T) {
	in := policy.Requirement{Key: "dedicated", Operator: "In", Values: []string{"gpu"}}
	field := policy.Requirement{Key: "metadata.name", Operator: "In", Values: []string{"node-1"}}
	for _, c := range []struct {
		name       string
		attraction policy.Attraction
		want       bool
	}{
		{"nothing", policy.Attraction{}, false},
		{"selector", policy.Attraction{NodeSelector: map[string]string{"dedicated": "gpu"}}, true},
		{"another value", policy.Attraction{NodeSelector: map[string]string{"dedicated": "cpu"}}, false},
		{"another key", policy.Attraction{NodeSelector: map[string]string{"zone": "gpu"}}, false},
		{"no term, for no node", policy.Attraction{Terms: []policy.Term{}}, true},
		{"an empty term, for no node", policy.Attraction{Terms: []policy.Term{{}}}, true},
		{"a field", policy.Attraction{Terms: []policy.Term{{Fields: []policy.Requirement{field}}}}, false},
		{"a field too", policy.Attraction{Terms: []policy.Term{{Fields: []policy.Requirement{field}, Expressions: []policy.Requirement{in}}}}, true},
		{"one term of two", policy.Attraction{Terms: []policy.Term{{Expressions: []policy.Requirement{in}}, {Fields: []policy.Requirement{field}}}}, false},
		{"no node at all", policy.Attraction{Terms: []policy.Term{{Expressions: []policy.Requirement{{Key: "dedicated", Operator: "In", Values: []string{"cpu"}}, {Key: "dedicated", Operator: "DoesNotExist"}}}}}, true},
		{"an operator that is none", policy.Attraction{Terms: []policy.Term{{Expressions: []policy.Requirement{{Key: "dedicated", Operator: "In", Values: []string{"cpu", "gpu"}}, {Key: "dedicated", Operator: "Contains"}}}}}, false},
		{"another that is none", policy.Attraction{Terms: []policy.Term{{Expressions: []policy.Requirement{{Key: "dedicated", Operator: "In", Values: []string{"cpu", "gpu"}}, {Key: "dedicated", Operator: "Outside", Values: []string{"cpu"}}}}}}, false},
		{"numbers", policy.Attraction{Terms: []policy.Term{{Expressions: []policy.Requirement{{Key: "dedicated", Operator: "Gt", Values: []string{"4"}}}}}}, false},
	} {
		if got := c.attraction.Requires("dedicated", "gpu"); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// Terms that are empty do not become no affinity on a trip through JSON.
func TestAttractionJSON(t *testing.T) {
	for _, a := range []policy.Attraction{{}, {Terms: []policy.Term{}}, {Terms: []policy.Term{{}}}} {
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		var back policy.Attraction
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(a, back) {
			t.Errorf("%s: %+v, %v", text, back, err)
		}
	}
}

func TestReasonText(t *testing.T) {
	text, err := json.Marshal(policy.Violation{Reason: policy.TooLong})
	if err != nil || !strings.Contains(string(text), `"too long"`) {
		t.Errorf("%s, %v", text, err)
	}
	for r := policy.NotAllowed; r <= policy.TooLong; r++ {
		back := policy.Reason(9)
		if err := back.UnmarshalText([]byte(r.String())); err != nil || back != r {
			t.Errorf("%v: %v, %v", r, back, err)
		}
		if back.UnmarshalText([]byte("Reason(9)")) == nil || back != r {
			t.Error("an unknown reason is read")
		}
	}
}

// The names are those of the API, so that a pod's spec can be read into it.
func TestAttractionNames(t *testing.T) {
	a := policy.Attraction{NodeSelector: map[string]string{"a": "x"}, Terms: []policy.Term{{
		Expressions: []policy.Requirement{{Key: "a", Operator: "In", Values: []string{"x"}}}, Fields: []policy.Requirement{{Key: "metadata.name", Operator: "Exists"}},
	}}}
	const want = `{"nodeSelector":{"a":"x"},"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","operator":"In","values":["x"]}],` +
		`"matchFields":[{"key":"metadata.name","operator":"Exists"}]}]}`
	if got, err := json.Marshal(a); err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

// Requires is right about every node that there may be, for all attractions of up to two
// terms of up to two requirements, about the label and others. Terms that hold for no node
// may be overlooked.
func TestRequiresAmongOtherLabels(t *testing.T) {
	var requirements []policy.Requirement
	for _, key := range []string{"dedicated", "a", "z"} {
		for _, values := range [][]string{{"gpu"}, {"a"}, {"zz"}, {"gpu", "zz"}, {"a", "gpu"}, nil} {
			requirements = append(requirements, policy.Requirement{Key: key, Operator: "In", Values: values}, policy.Requirement{Key: key, Operator: "NotIn", Values: values})
		}
		for _, operator := range []string{"Exists", "DoesNotExist"} {
			requirements = append(requirements, policy.Requirement{Key: key, Operator: operator})
		}
	}
	terms := []policy.Term{{}}
	for i, r := range requirements {
		terms = append(terms, policy.Term{Expressions: []policy.Requirement{r}})
		for _, other := range requirements[i:] {
			terms = append(terms, policy.Term{Expressions: []policy.Requirement{r, other}})
		}
	}
	nodes := someNodes()
	yes, no := 0, 0
	for _, term := range terms {
		all, any := true, false // of the nodes that the term holds for
		for _, labels := range nodes {
			if len(term.Expressions) > 0 && !slices.ContainsFunc(term.Expressions, func(r policy.Requirement) bool { return !holdsFor(&r, labels) }) {
				any = true
				all = all && labels["dedicated"] == "gpu"
			}
		}
		for _, attraction := range []policy.Attraction{{Terms: []policy.Term{term}}, {Terms: []policy.Term{term, term}}, {Terms: []policy.Term{term}, NodeSelector: map[string]string{"dedicated": "zz", "a": "gpu"}}} {
			got := attraction.Requires("dedicated", "gpu")
			if got && !all || any && all && !got {
				t.Fatalf("%+v: %t", attraction, got)
			}
			yes += count(got)
			no += count(!got)
		}
		both := policy.Attraction{Terms: []policy.Term{term, {Expressions: []policy.Requirement{{Key: "dedicated", Operator: "Exists"}}}}}
		if both.Requires("dedicated", "gpu") {
			t.Fatalf("%+v: one term is open", both)
		}
	}
	if yes < 50 || no < 50 {
		t.Errorf("%d and %d", yes, no)
	}
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// someNodes are the labels of nodes with every mix of values, some of which no requirement
// names.
func someNodes() (nodes []map[string]string) {
	values := []string{"", "gpu", "a", "zz", "other"} // the first is no label
	for _, dedicated := range values {
		for _, a := range values {
			for _, z := range values {
				labels := map[string]string{"dedicated": dedicated, "a": a, "z": z}
				maps.DeleteFunc(labels, func(_, v string) bool { return v == "" })
				nodes = append(nodes, labels)
			}
		}
	}
	return nodes
}

// holdsFor is the API's own rule for one requirement.
func holdsFor(r *policy.Requirement, labels map[string]string) bool {
	value, found := labels[r.Key]
	switch r.Operator {
	case "In":
		return found && slices.Contains(r.Values, value)
	case "NotIn":
		return !found || !slices.Contains(r.Values, value)
	case "Exists":
		return found
	}
	return !found
}
