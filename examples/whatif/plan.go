package main

import (
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/taint"
)

// demoPlan is the built-in plan.
//
//go:embed testdata/demo.plan
var demoPlan string

// loadPlan returns the steps of the file and those of the command line.
func (p *program) loadPlan(o *options) (whatif.Plan, error) {
	if o.plan == "" && len(o.steps) == 0 {
		return whatif.Parse(demoPlan)
	}
	var plan whatif.Plan
	var faults []error
	if o.plan != "" {
		text, err := p.ReadAll(o.plan)
		if err != nil {
			return plan, err
		}
		plan, err = whatif.Parse(text)
		faults = named(faults, o.plan, err)
	}
	for _, step := range o.steps {
		more, err := whatif.Parse(step)
		faults = named(faults, "-step", err)
		plan.Steps = append(plan.Steps, more.Steps...)
	}
	if faults == nil && len(plan.Steps) == 0 {
		faults = append(faults, fmt.Errorf("%s: no command in it", o.plan+strings.Join(o.steps, "")))
	}
	return plan, errors.Join(faults...)
}

// named appends the errors that are joined in err, with the name of where they come
// from.
func named(faults []error, name string, err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range joined.Unwrap() {
			faults = append(faults, fmt.Errorf("%s: %w", name, one))
		}
	} else if err != nil {
		faults = append(faults, fmt.Errorf("%s: %w", name, err))
	}
	return faults
}

// explained names the commands in the errors of an evaluation.
func explained(err error, plan whatif.Plan) error {
	var invalid *taint.FieldErrors
	if !errors.As(err, &invalid) {
		return err
	}
	var faults []error
	for _, fault := range invalid.Faults {
		_, rest, _ := strings.Cut(fault.Field, "steps[")
		number, field, _ := strings.Cut(rest, "]")
		i, notStep := strconv.Atoi(number)
		if notStep != nil || i >= len(plan.Steps) {
			faults = append(faults, fault)
			continue
		}
		text := fmt.Sprintf("%s: ", strings.TrimPrefix(field, "."))
		if field == "" {
			text = ""
		}
		faults = append(faults, fmt.Errorf("step %d, %s: %s%s %q: %s", i+1, plan.Steps[i], text, fault.Problem, fault.Value, fault.Detail))
	}
	return errors.Join(faults...)
}
