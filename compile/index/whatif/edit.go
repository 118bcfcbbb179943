package whatif

import (
	"slices"

	"github.com/tolero-dev/tolero/taint"
)

// uncordoned is what Uncordon removes.
var uncordoned = taint.Taint{Key: taint.KeyUnschedulable, Effect: taint.NoSchedule}

// apply appends to dst what a step makes of a node's taints, which it does not write to.
func (s *Step) apply(dst, taints []taint.Taint) ([]taint.Taint, error) {
	switch s.Action {
	case ChangeTaints:
		return s.Taints.Apply(dst, taints, s.Overwrite)
	case Cordon:
		return taint.WithCordon(dst, taints, true), nil
	}
	list, _ := taint.Remove(dst, taints, &uncordoned)
	return list, nil
}

// keys returns the keys whose taints a step looks at. A change of taints looks at that of a
// cordon too: a cordon adds its taint beside one with a value, and the next change drops
// what repeats key and effect.
func (s *Step) keys() []string {
	keys := []string{taint.KeyUnschedulable}
	for i := range s.Taints.Add {
		keys = append(keys, s.Taints.Add[i].Key)
	}
	for i := range s.Taints.Remove {
		keys = append(keys, s.Taints.Remove[i].Key)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// editor is a node's list while many steps change it. Each step is applied to the taints
// with the keys that it names, and to no others: the time follows what the steps change,
// and not how long the list has become.
type editor struct {
	taints []taint.Taint // from the last of the list to the first: what is added comes at the end
	gone   []bool
	byKey  map[string][]int // the positions of those that are not gone, ascending
	steps  int
}

func newEditor(taints []taint.Taint) *editor {
	e := &editor{byKey: make(map[string][]int, len(taints))}
	for i := range slices.Backward(taints) {
		e.push(taints[i])
	}
	return e
}

func (e *editor) push(t taint.Taint) {
	e.byKey[t.Key] = append(e.byKey[t.Key], len(e.taints))
	e.taints = append(e.taints, t)
	e.gone = append(e.gone, false)
}

// list returns the list as a node has it.
func (e *editor) list() (taints []taint.Taint) {
	for i := range slices.Backward(e.taints) {
		if !e.gone[i] {
			taints = append(taints, e.taints[i])
		}
	}
	return taints
}

// apply applies a step to the taints with its keys. What comes of that begins with the
// taints that are new, and the others are some of the old ones, in their order.
func (e *editor) apply(s *Step) error {
	var positions []int
	keys := s.keys()
	for _, key := range keys {
		positions = append(positions, e.byKey[key]...)
	}
	slices.SortFunc(positions, func(a, b int) int { return b - a }) // the order of the node
	old := make([]taint.Taint, len(positions))
	for i, position := range positions {
		old[i] = e.taints[position]
	}
	e.steps += 1 + len(keys) + len(old)
	taints, err := s.apply(nil, old)
	if err != nil {
		return err
	}
	added := s.added(len(taints) - len(old))
	e.keep(keys, positions, taints[added:])
	for i := range slices.Backward(taints[:added]) {
		e.push(taints[i])
	}
	return nil
}

// added returns how many taints a step puts first, of a list that has become so much
// longer.
func (s *Step) added(longer int) int {
	if s.forTaints() {
		return len(s.Taints.Add)
	}
	return max(longer, 0) // of a cordon
}

// keep marks those of the old taints as gone that are not left.
func (e *editor) keep(keys []string, positions []int, left []taint.Taint) {
	for _, position := range positions {
		if len(left) > 0 && left[0].Equal(&e.taints[position]) {
			left = left[1:]
			continue
		}
		e.gone[position] = true
	}
	for _, key := range keys {
		e.byKey[key] = slices.DeleteFunc(e.byKey[key], func(i int) bool { return e.gone[i] })
	}
}

// fewSteps is how many steps are applied one by one to the whole list of a node: making an
// editor takes as long as some of these. A variable for tests.
var fewSteps = 4

// applyAll returns what those of the steps that positions name make of a node's taints,
// one after the other. If one fails, it returns the error and the position of that step.
// Few steps are left to [taint.Change.Apply] and its like. The result may be taints, or a
// buffer.
func (e *evaluation) applyAll(positions []int32, taints []taint.Taint) (list []taint.Taint, failed int32, err error) {
	if len(positions) <= fewSteps {
		for i, position := range positions {
			buffer := &e.edited[i%2] // of which the other has the taints
			if *buffer, err = e.plan.Steps[position].apply((*buffer)[:0], taints); err != nil {
				return nil, position, err
			}
			taints = *buffer
			e.steps += len(taints)
		}
		return taints, 0, nil
	}
	ed, whole := newEditor(taints), true
	for _, position := range positions {
		s := &e.plan.Steps[position]
		if s.forTaints() && whole {
			// The first change drops whatever repeats key and effect, under every key.
			list, _ = taint.Change{}.Apply(nil, ed.list(), true)
			ed, whole = newEditor(list), false
		}
		if err := ed.apply(s); err != nil {
			return nil, position, err
		}
	}
	e.steps += ed.steps
	return ed.list(), 0, nil
}
