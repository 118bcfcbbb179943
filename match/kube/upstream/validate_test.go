package upstream

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
	core "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// fault is a fault as both sides report it: where, and of which kind. How often
// is not compared, since one value may be malformed in several ways.
type fault struct {
	field   string
	problem string
}

// problems says which kind of fault an error type of the API stands for.
var problems = map[field.ErrorType]string{
	field.ErrorTypeInvalid:      "invalid value",
	field.ErrorTypeRequired:     "required value",
	field.ErrorTypeNotSupported: "unsupported value",
	field.ErrorTypeDuplicate:    "duplicate value",
	field.ErrorTypeForbidden:    "forbidden",
}

// upstreamFaults returns the faults of fields below prefix, which it cuts off.
// Upstream reports a malformed value of a toleration under the operator, which
// can be told by the type of what is reported; here the value is at fault.
func upstreamFaults(errs field.ErrorList, prefix string) map[fault]bool {
	faults := map[fault]bool{}
	for _, err := range errs {
		name, ok := strings.CutPrefix(err.Field, prefix)
		if !ok {
			continue
		}
		if _, isText := err.BadValue.(string); isText && strings.HasSuffix(name, ".operator") {
			name = strings.TrimSuffix(name, ".operator") + ".value"
		}
		problem, known := problems[err.Type]
		if !known {
			panic(err)
		}
		faults[fault{name, problem}] = true
	}
	return faults
}

func ourFaults(err error) map[fault]bool {
	faults := map[fault]bool{}
	var errs *taint.FieldErrors
	if err == nil {
		return faults
	}
	if !errors.As(err, &errs) {
		panic(err)
	}
	for _, e := range errs.Faults {
		faults[fault{e.Field, e.Problem}] = true
	}
	return faults
}

func compareFaults(t rapid.TB, list any, err error, want map[fault]bool) {
	if got := ourFaults(err); !maps.Equal(got, want) {
		t.Fatalf("%q: got faults %v, want %v", list, got, want)
	}
}

func compareTaints(t rapid.TB, list []taint.Taint) {
	node := &core.Node{Spec: core.NodeSpec{Taints: coreTaints(list)}}
	want := upstreamFaults(validation.ValidateNode(node), "metadata.taints")
	updated := upstreamFaults(validation.ValidateNodeUpdate(node, &core.Node{}), "metadata.taints")
	if !maps.Equal(want, updated) {
		t.Fatalf("%q: upstream finds faults %v on creation and %v on update", list, want, updated)
	}
	compareFaults(t, list, taint.Validate(list), below("taints", want))
}

// below puts the name of the list in front of each field.
func below(name string, faults map[fault]bool) map[fault]bool {
	renamed := map[fault]bool{}
	for f := range faults {
		renamed[fault{name + f.field, f.problem}] = true
	}
	return renamed
}

// TestV1ValidateTaint validates every taint that the words make.
func TestV1ValidateTaint(t *testing.T) {
	all := allTaints(keyWords, valueWords, effectWords)
	for i := range all {
		compareTaints(t, all[i:i+1])
	}
	t.Logf("%d taints compared", len(all))
}

// TestV1ValidateTaintLists validates lists, in which taints may be duplicates,
// and the fields of all of them are named (rule V4).
func TestV1ValidateTaintLists(t *testing.T) {
	lists := listsUpTo(3, append(allTaints([]string{"a", "b", "-"}, []string{"", "x"}, effectWords[1:4]), taint.Taint{}, taint.Taint{Key: "a"}))
	for _, list := range lists {
		compareTaints(t, list)
	}
	t.Logf("%d lists compared", len(lists))
}

func TestV1ValidateTaintGenerated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compareTaints(t, taintLists.Draw(t, "taints")) })
}

// compareTolerations compares the faults with the gate on and off. It does not
// look at the real gate: to validation the gate is an option.
func compareTolerations(t rapid.TB, list []toleration.Toleration) {
	for _, gate := range [...]bool{true, false} {
		options := validation.PodValidationOptions{AllowTaintTolerationComparisonOperators: gate}
		errs := validation.ValidateTolerations(coreTolerations(list), field.NewPath("tolerations"), options)
		rules := toleration.Rules{Comparisons: gate}
		compareFaults(t, list, rules.Validate(list), upstreamFaults(errs, ""))
	}
}

// TestV2ValidateToleration validates every toleration that the words make.
func TestV2ValidateToleration(t *testing.T) {
	all := allTolerations(keyWords, operatorWords, valueWords, effectWords, secondsWords[:2])
	for i := range all {
		compareTolerations(t, all[i:i+1])
	}
	t.Logf("%d verdicts compared", 2*len(all))
}

func TestV2ValidateTolerationGenerated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compareTolerations(t, tolerationLists.Draw(t, "tolerations")) })
}

// FuzzValidate validates one taint and one toleration of any words (rules V1,
// V2).
func FuzzValidate(f *testing.F) {
	f.Add("a", "Gt", "5", "NoExecute", int64(300), true)     // valid with the gate on only
	f.Add("", "Exists", "", "", int64(0), false)             // tolerates everything
	f.Add("", "", "x", "NoSchedule", int64(1), true)         // three faults
	f.Add("a", "Exists", "x", "noSchedule", int64(0), false) // two faults
	f.Add("a/b/c", "Lt", "-0", "", int64(-1), true)
	target.Fuzz(f, func(t *testing.T, key, operator, value, effect string, seconds int64, hasSeconds bool) {
		u := toleration.Toleration{Key: key, Operator: toleration.Operator(operator), Value: value, Effect: taint.Effect(effect)}
		if hasSeconds {
			u.TolerationSeconds = &seconds
		}
		compareTolerations(t, []toleration.Toleration{u})
		compareTaints(t, []taint.Taint{{Key: key, Value: value, Effect: taint.Effect(effect)}})
	})
}

// TestV4Order pins that faults come in the order of the list, as upstream's do.
func TestV4Order(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := tolerationLists.Draw(t, "tolerations")
		options := validation.PodValidationOptions{AllowTaintTolerationComparisonOperators: true}
		want := items(validation.ValidateTolerations(coreTolerations(list), field.NewPath("tolerations"), options))
		errs := &taint.FieldErrors{}
		errors.As(toleration.Rules{Comparisons: true}.Validate(list), &errs)
		var got []string
		for _, e := range errs.Faults {
			item, _, _ := strings.Cut(e.Field, ".")
			got = append(got, item)
		}
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Fatalf("%q: faults of %q, want %q", list, got, want)
		}
	})
}

// items returns the items that have faults, in the order of the report.
func items(errs field.ErrorList) (names []string) {
	for _, err := range errs {
		item, _, _ := strings.Cut(err.Field, ".")
		names = append(names, item)
	}
	return slices.Compact(names)
}
