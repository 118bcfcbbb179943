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
		s := &e.plan.Steps[i]
		field := fmt.Sprintf("steps[%d]", i)
		if s.Action != SetTolerations && s.Nodes.empty() {
			e.errs.Add(field+".nodes", taint.Required, "", "select nodes by name, by taint or by a function, or all")
		}
		switch s.Action {
		case ChangeTaints:
			e.checkTaints(s, field+".taints")
		case Cordon, Uncordon:
		case SetTolerations:
			e.checkOwner(s, field)
		default:
			e.errs.Add(field+".action", taint.Unsupported, s.Action.String(), "there are taint, cordon, uncordon and tolerations")
		}
		e.checkUnused(s, field)
	}
}

// checkTaints checks what kubectl does (rules K1, K2).
func (e *evaluation) checkTaints(s *Step, field string) {
	if len(s.Taints.Add)+len(s.Taints.Remove) == 0 {
		e.errs.Add(field, taint.Required, "", "name a taint to add or to remove")
	}
	e.under(field+".add", "taints", taint.Validate(s.Taints.Add))
	removed := make(map[taint.Removal]bool, len(s.Taints.Remove))
	for i, r := range s.Taints.Remove {
		field := fmt.Sprintf("%s.remove[%d]", field, i)
		if err := taint.CheckKey(r.Key); err != nil {
			e.errs.Add(field+".key", taint.Invalid, r.Key, err.Error())
		}
		if r.Effect != "" && !r.Effect.Known() {
			e.errs.Add(field+".effect", taint.Unsupported, string(r.Effect), "effects are NoSchedule, PreferNoSchedule and NoExecute")
		}
		removed[r] = true
	}
	for i, t := range s.Taints.Add {
		if removed[taint.Removal{Key: t.Key, Effect: t.Effect}] || removed[taint.Removal{Key: t.Key}] {
			e.errs.Add(fmt.Sprintf("%s.add[%d]", field, i), taint.Invalid, t.String(), "the same step removes it")
		}
	}
}

func (e *evaluation) checkOwner(s *Step, field string) {
	if _, found := e.pods.owners.byName[s.Owner]; s.Owner == "" {
		e.errs.Add(field+".owner", taint.Required, "", "name the owner of the pods that get the tolerations")
	} else if !found {
		e.errs.Add(field+".owner", taint.Invalid, s.Owner, "no pod has this owner")
	}
	e.under(field+".tolerations", "tolerations", e.rules.Validate(s.Tolerations))
}

// checkUnused refuses what the action of a step does not look at: it was meant for
// something.
func (e *evaluation) checkUnused(s *Step, field string) {
	unused := func(used, given bool, name string) {
		if given && !used {
			e.errs.Add(field+"."+name, taint.Forbidden, "", fmt.Sprintf("a step %q does not use it", s.Action))
		}
	}
	unused(s.Action == ChangeTaints, len(s.Taints.Add)+len(s.Taints.Remove) > 0, "taints")
	unused(s.Action == ChangeTaints, s.Overwrite, "overwrite")
	unused(s.Action == SetTolerations, s.Owner != "", "owner")
	unused(s.Action == SetTolerations, len(s.Tolerations) > 0, "tolerations")
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
