package taint

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Change is what one kubectl taint command does to a node: taints to put on it
// and taints to take off.
//
// The zero Change changes no valid list. A copy shares the slices. A Change
// retains the memory of the specs that it was parsed from. [ParseChange] checks
// what kubectl checks; [Change.Apply] does not check a Change that you build yourself.
type Change struct {
	Add []Taint
	// Remove has the keys and effects to take off. An empty effect is every effect
	// of the key; values and times do not matter.
	Remove []Taint
}

// ParseChange reads the taint arguments of a kubectl taint command:
//
//	spec    = taint | removal
//	taint   = key [ "=" [ value ] ] ":" effect
//	removal = key "-" | key [ "=" [ value ] ] ":" effect "-"
//
// Keys, values and effects are those of [Parse], and validated; the value of a
// removal is then ignored (rules K1, K2). Two additions with the same key and
// effect are an error, and so is the addition of what is also removed (rule K2).
// No specs at all give the zero Change.
//
// The error is about one spec and repeats it: the first that is malformed or, if none
// is, the first removal of what is also added. The Change is then empty. The
// result shares the memory of specs. The time is proportional to their length.
func ParseChange(specs ...string) (Change, error) {
	var c Change
	var removals []string // the specs of c.Remove
	added := newSeen(len(specs))
	for _, spec := range specs {
		text, removal := strings.CutSuffix(spec, "-")
		t, err := parseSpec(text)
		switch {
		case err != nil:
		case removal:
			err = c.addRemoval(&t, strings.Contains(text, ":"))
			removals = append(removals, spec)
		default:
			err = c.addTaint(&t, added)
		}
		if err != nil {
			return Change{}, fmt.Errorf("taint change %q: %w", spec, err)
		}
	}
	if err := c.checkConflicts(removals); err != nil {
		return Change{}, err
	}
	return c, nil
}

func (c *Change) addTaint(t *Taint, added seen) error {
	if err := t.faults(); err != nil {
		return err
	}
	if added.repeats(c.Add, t) {
		return errors.New("another addition has the same key and effect")
	}
	c.Add = append(c.Add, *t)
	return nil
}

func (c *Change) addRemoval(t *Taint, hasEffect bool) error {
	var errs FieldErrors
	if hasEffect {
		t.addFaults(&errs)
	} else {
		t.addKeyFault(&errs)
	}
	if err := errs.Err(); err != nil {
		return err
	}
	c.Remove = append(c.Remove, Taint{Key: t.Key, Effect: t.Effect})
	return nil
}

// checkConflicts returns an error if c removes what it adds.
func (c *Change) checkConflicts(removals []string) error {
	first := newRemover(c.Remove)
	conflict := len(removals)
	var added *Taint // the first that this removal takes off
	for i := range c.Add {
		if j, found := first.find(&c.Add[i]); found && j < conflict {
			conflict, added = j, &c.Add[i]
		}
	}
	if added == nil {
		return nil
	}
	return fmt.Errorf("taint change %q: the same command adds %q", removals[conflict], added)
}

// Errors that [Change.Apply] wraps.
var (
	// ErrExists means that the node already has a taint to be added.
	ErrExists = errors.New("already on the node with the same effect")
	// ErrNotFound means that the node does not have a taint to be removed.
	ErrNotFound = errors.New("not found on the node")
)

// Apply appends to dst what taints becomes under c, and returns the extended
// slice: the added taints first, then the old ones that they do not replace, in
// their order (rule K4), without those to be removed. Of several old taints with
// the same key and effect, which no valid list has, only the first is kept, as
// kubectl does.
//
// Without overwrite, adding a taint whose key and effect the node has is an
// error that wraps [ErrExists], even if the value is the same. Removing what is
// not there is an error that wraps [ErrNotFound] (rule K3). The error joins all
// faults of the first kind or, if there are none, of the second, in the order of c.
// Apply then returns dst unchanged.
//
// dst must not overlap taints or c.Add. The result shares TimeAdded with both.
// Apply allocates if both together have more than 16 taints, or c more than 16 removals.
func (c Change) Apply(dst, taints []Taint, overwrite bool) ([]Taint, error) {
	if !overwrite {
		if err := c.checkNew(taints); err != nil {
			return dst, err
		}
	}
	start := len(dst)
	list := Merge(dst, c.Add, taints)
	kept, err := c.remove(list[start:])
	if err != nil {
		return dst, err
	}
	return list[:start+len(kept)], nil
}

func (c *Change) checkNew(taints []Taint) error {
	var errs []error
	known := newKnown(len(c.Add), taints)
	for i := range c.Add {
		if known.has(&c.Add[i]) {
			errs = append(errs, fmt.Errorf("taint %q: %w", c.Add[i], ErrExists))
		}
	}
	return errors.Join(errs...)
}

// remove takes the taints off the list that are to be removed, in place. Each is
// taken off by the first removal that names it; a removal that takes off none is
// an error.
func (c *Change) remove(taints []Taint) (kept []Taint, err error) {
	var few [shortList]bool
	useful := few[:]
	if len(c.Remove) > len(few) {
		useful = make([]bool, len(c.Remove))
	}
	first := newRemover(c.Remove)
	kept = taints[:0]
	for i := range taints {
		if j, found := first.find(&taints[i]); found {
			useful[j] = true
			continue
		}
		kept = append(kept, taints[i])
	}
	var errs []error
	for i, r := range c.Remove {
		if !useful[i] {
			errs = append(errs, fmt.Errorf("taint %q: %w", Taint{Key: r.Key, Effect: r.Effect}, ErrNotFound))
		}
	}
	return kept, errors.Join(errs...)
}

// remover finds the first removal of a list that names a taint. A short list is
// searched, a long one goes into a hash table.
type remover struct {
	removals []Taint
	first    map[identity]int
}

func newRemover(removals []Taint) remover {
	r := remover{removals: removals}
	if len(removals) <= shortList {
		return r
	}
	r.first = make(map[identity]int, len(removals))
	for i, removal := range slices.Backward(removals) {
		r.first[removal.identity()] = i
	}
	return r
}

func (r *remover) find(t *Taint) (index int, found bool) {
	if r.first == nil {
		for i, removal := range r.removals {
			if t.Key == removal.Key && (removal.Effect == "" || t.Effect == removal.Effect) {
				return i, true
			}
		}
		return 0, false
	}
	exact, found := r.first[t.identity()]
	byKey, whole := r.first[identity{t.Key, ""}]
	if whole && (!found || byKey < exact) {
		return byKey, true
	}
	return exact, found
}
