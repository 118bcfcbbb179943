package plan

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// demoPlan is the built-in plan.
//
//go:embed testdata/demo.plan
var demoPlan string

// loadPlan returns the steps of the file and those of the command line.
func loadPlan(p *command.Program, o *options, nodes []manifest.Node) (whatif.Plan, error) {
	if o.plan == "" && len(o.Args) == 0 {
		return whatif.Parse(demoPlan)
	}
	var plan whatif.Plan
	var faults []error
	if o.plan != "" {
		text, err := p.ReadAll(o.plan)
		if err != nil {
			return plan, err
		}
		plan, err = read(text, nodes)
		faults = named(faults, o.plan, err)
	}
	if len(o.Args) > 1 && !slices.ContainsFunc(o.Args, func(step string) bool { return len(strings.Fields(step)) != 1 }) {
		return plan, command.Usagef("each step is one word: put it in quotes, as in '%s'", strings.Join(o.Args, " "))
	}
	for _, step := range o.Args {
		more, err := read(step, nodes)
		faults = named(faults, fmt.Sprintf("step %q", step), err)
		plan.Steps = append(plan.Steps, more.Steps...)
	}
	if faults == nil && len(plan.Steps) == 0 {
		faults = append(faults, errors.New("there is no command in the plan"))
	}
	return plan, errors.Join(faults...)
}

// read returns the steps of a text.
func read(text string, nodes []manifest.Node) (whatif.Plan, error) {
	text, err := withSelectors(text, nodes)
	if err != nil {
		return whatif.Plan{}, err
	}
	return whatif.Parse(text)
}

// setsTolerations reports whether a step is for the pods of an owner, and not for nodes.
func setsTolerations(s *whatif.Step) bool { return s.Verb == whatif.SetTolerations }

// onSomeNodes reports whether a step names nodes: one that sets tolerations may not.
func onSomeNodes(s *whatif.Step) bool {
	n := &s.Nodes
	return n.All || n.Names != nil || n.Tainted != nil
}

// named appends the errors that are joined in err, with the name of where they come
// from.
func named(faults []error, name string, err error) []error {
	for _, one := range joined(err) {
		faults = append(faults, fmt.Errorf("%s: %w", name, one))
	}
	return faults
}

// joined returns the errors that are joined in err, which may be nil or one.
func joined(err error) []error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		return many.Unwrap()
	}
	return slices.DeleteFunc([]error{err}, func(err error) bool { return err == nil })
}

// explained names the commands in the errors of an evaluation.
func explained(err error, plan whatif.Plan) error {
	var faults []error
	for _, fault := range joined(err) {
		text := withCommand(fault.Error(), plan)
		if errors.Is(fault, taint.ErrExists) {
			text += "; --overwrite replaces it"
		}
		faults = append(faults, errors.New(text))
	}
	return errors.Join(faults...)
}

// withCommand writes the number and the command of a step, as users count, for the "steps[0]"
// at the beginning of an error.
func withCommand(text string, plan whatif.Plan) string {
	for i := range plan.Steps {
		if rest, ok := strings.CutPrefix(text, fmt.Sprintf("steps[%d]", i)); ok {
			return fmt.Sprintf("step %d, %s: %s", i+1, plan.Steps[i], strings.TrimLeft(rest, ".: "))
		}
	}
	return text
}
