package canonical

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func init() {
	kinds["validateNode"] = func(in *Input) Result { return faults(taint.Validate(in.taints())) }
	kinds["validatePod"] = validatePod
	kinds["validatePodUpdate"] = validatePodUpdate
	kinds["validateDevice"] = func(in *Input) Result { return faulty(device.ValidateTaints(in.DeviceTaints)) }
	kinds["validateRequest"] = func(in *Input) Result { return faulty(device.ValidateTolerations(in.DeviceTolerations)) }
	kinds["kubectlTaint"] = kubectlTaint
}

// Fault is a fault in one field.
type Fault struct {
	Field   string `json:"field"`
	Problem string `json:"problem"`
}

// problems is the kinds of faults in the words of the Kubernetes API.
var problems = map[string]string{
	"invalid value":     "FieldValueInvalid",
	"required value":    "FieldValueRequired",
	"unsupported value": "FieldValueNotSupported",
	"duplicate value":   "FieldValueDuplicate",
	"forbidden":         "FieldValueForbidden",
}

// faults is the faults of an error, each once, sorted by field and problem.
func faults(err error) Result {
	list, r := []Fault{}, Result{Reason: "valid"}
	if errs := new(taint.FieldErrors); errors.As(err, &errs) {
		r.Reason = err.Error()
		for _, e := range errs.Faults {
			list = append(list, Fault{e.Field, problems[e.Problem]})
		}
	}
	r.Answer = sorted(list)
	return r
}

// faulty is the fields of an error's faults: those of devices' objects have more kinds
// than this library tells apart.
func faulty(err error) Result {
	r := faults(err)
	fields := []string{}
	for _, f := range r.Answer.([]Fault) {
		fields = append(fields, f.Field)
	}
	r.Answer = slices.Compact(fields)
	return r
}

func sorted(list []Fault) []Fault {
	slices.SortFunc(list, func(a, b Fault) int {
		return cmp.Or(strings.Compare(a.Field, b.Field), strings.Compare(a.Problem, b.Problem))
	})
	return slices.Compact(list)
}

func validatePodUpdate(in *Input) Result {
	var old []toleration.Toleration
	if in.OldPod != nil {
		old = in.OldPod.Spec.Tolerations
	}
	return underOperator(in.pod().Spec.Tolerations, faults(in.rules().ValidateUpdate(in.pod().Spec.Tolerations, old)))
}

func validatePod(in *Input) Result {
	list := in.pod().Spec.Tolerations
	return underOperator(list, faults(in.rules().Validate(list)))
}

// underOperator adds the answer of Kubernetes where it is another one: it reports the
// value of Equal and Exists under the field operator (rule V2).
func underOperator(tolerations []toleration.Toleration, r Result) Result {
	ours := r.Answer.([]Fault)
	theirs := slices.Clone(ours)
	for i, t := range tolerations {
		if t.Operator == toleration.OpGt || t.Operator == toleration.OpLt {
			continue
		}
		for j := range theirs {
			if item := fmt.Sprintf("tolerations[%d].", i); theirs[j].Field == item+"value" {
				theirs[j].Field = item + "operator"
			}
		}
	}
	if theirs = sorted(theirs); !slices.Equal(ours, theirs) {
		r.Alternatives = []Alternative{{[]string{"kubernetes"}, theirs, "the value of Equal and Exists is reported under the operator"}}
	}
	return r
}

// kubectlTaint is what kubectl taint makes of a node.
func kubectlTaint(in *Input) Result {
	change, err := taint.ParseChange(in.Args...)
	var after []taint.Taint
	if err == nil {
		after, err = change.Apply(nil, in.taints(), in.Overwrite)
	}
	if err != nil {
		return Result{Answer: TaintsOrRefusal{Refused: true}, Reason: err.Error()}
	}
	return Result{Answer: TaintsOrRefusal{Taints: after}, Reason: fmt.Sprintf("becomes [%s]", taint.FormatList(after))}
}
