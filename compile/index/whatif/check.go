package whatif

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/taint"
)

// check adds to errs what is wrong with a plan whatever the nodes are.
func (e *evaluation) check() {
	for i := range e.plan.Steps {
		s, field := &e.plan.Steps[i], fmt.Sprintf("steps[%d]", i)
		switch {
		case s.Verb > SetTolerations:
			e.errs.Add(field+".verb", "unsupported value", s.Verb.String(), "there are taint, cordon, uncordon and tolerations")
			continue
		case s.forPods():
			e.checkOwner(s, field)
		case s.Nodes.empty():
			e.errs.Add(field+".nodes", "required value", "", "select nodes by name, by taint or by a function, or all")
		}
		if s.Verb == ChangeTaints {
			e.checkTaints(s, field+".taints")
		} else {
			e.refuse(s, field+".taints", len(s.Taints.Add)+len(s.Taints.Remove) > 0)
			e.refuse(s, field+".overwrite", s.Overwrite)
		}
		if !s.forPods() {
			e.refuse(s, field+".owner", s.Owner != "")
			e.refuse(s, field+".tolerations", len(s.Tolerations) > 0)
		}
	}
}

// checkTaints checks what kubectl does (rules K1, K2).
func (e *evaluation) checkTaints(s *Step, field string) {
	if len(s.Taints.Add)+len(s.Taints.Remove) == 0 {
		e.errs.Add(field, "required value", "", "name a taint to add or to remove")
	}
	e.under(field+".add", "taints", taint.Validate(s.Taints.Add))
	removed := make(map[taint.Taint]bool, len(s.Taints.Remove))
	for i, r := range s.Taints.Remove {
		field := fmt.Sprintf("%s.remove[%d]", field, i)
		if err := taint.CheckKey(r.Key); err != nil {
			e.errs.Add(field+".key", "invalid value", r.Key, err.Error())
		}
		if r.Effect != "" && !r.Effect.Known() {
			e.errs.Add(field+".effect", "unsupported value", string(r.Effect), "effects are NoSchedule, PreferNoSchedule and NoExecute")
		}
		removed[taint.Taint{Key: r.Key, Effect: r.Effect}] = true
	}
	for i, t := range s.Taints.Add {
		if removed[taint.Taint{Key: t.Key, Effect: t.Effect}] || removed[taint.Taint{Key: t.Key}] {
			e.errs.Add(fmt.Sprintf("%s.add[%d]", field, i), "invalid value", t.String(), "the same step removes it")
		}
	}
}

func (e *evaluation) checkOwner(s *Step, field string) {
	if s.Owner == "" {
		e.errs.Add(field+".owner", "required value", "", "name the owner of the pods that get the tolerations")
	} else if e.pods.groups[byOwner][s.Owner] == nil {
		e.errs.Add(field+".owner", "invalid value", s.Owner, "no pod has this owner")
	}
	e.under(field+".tolerations", "tolerations", e.rules.Validate(s.Tolerations))
}

// refuse adds a fault if a field is given that the step does not use: it was meant for something.
func (e *evaluation) refuse(s *Step, field string, given bool) {
	if given {
		e.errs.Add(field, "forbidden", "", fmt.Sprintf("a step %q does not use it", s.Verb))
	}
}

// under adds the faults of a validation of a list, with the path of that list in place of
// the name that the validation gives it.
func (e *evaluation) under(path, list string, err error) {
	var invalid *taint.FieldErrors
	errors.As(err, &invalid)
	if invalid == nil {
		return
	}
	for _, fault := range invalid.Faults {
		e.errs.Add(path+strings.TrimPrefix(fault.Field, list), fault.Problem, fault.Value, fault.Detail)
	}
}
