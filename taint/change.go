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
// The zero Change changes nothing. Copying a Change shares its slices; it may
// be read concurrently, and retains the memory of the specs that it was parsed
// from. [ParseChange] checks what kubectl checks; a Change that is put together
// by hand is applied as it stands.
type Change struct {
	Add    []Taint
	Remove []Removal
}

// Removal names taints to take off a node: those with the given key and, if
// Effect is not empty, with that effect only. It is a plain value; the zero
// Removal names taints with an empty key.
type Removal struct {
	Key    string
	Effect Effect
}

// String returns the spec that [ParseChange] reads as r.
func (r Removal) String() string {
	return Taint{Key: r.Key, Effect: r.Effect}.String() + "-"
}

// removes reports whether r takes t off a node.
func (r Removal) removes(t Taint) bool {
	return t.Key == r.Key && (r.Effect == "" || t.Effect == r.Effect)
}

// ParseChange reads the taint arguments of a kubectl taint command:
// key=value:Effect, key=:Effect and key:Effect add a taint; key-, key:Effect-
// and key=value:Effect- remove taints, where the value must be well formed but
// is ignored (rule K1). Keys, values and effects are validated; two additions
// with the same key and effect are an error, and so is the addition of what is
// also removed (rule K2).
//
// The error is about the first spec at fault and repeats it; the Change is then
// empty. The result shares the memory of specs.
func ParseChange(specs ...string) (Change, error) {
	var c Change
	for _, spec := range specs {
		if err := c.parse(spec); err != nil {
			return Change{}, fmt.Errorf("taint change %q: %w", spec, err)
		}
	}
	for i := range c.Add {
		for _, r := range c.Remove {
			if r.removes(c.Add[i]) {
				return Change{}, fmt.Errorf("taint change %q: the same command adds %q", r, c.Add[i])
			}
		}
	}
	return c, nil
}

func (c *Change) parse(spec string) error {
	text, removal := strings.CutSuffix(spec, "-")
	t, err := parseSpec(text)
	if err != nil {
		return err
	}
	if removal {
		return c.parseRemoval(t, strings.Contains(text, ":"))
	}
	if err := t.faults(); err != nil {
		return err
	}
	if Exists(c.Add, &t) {
		return errors.New("another addition has the same key and effect")
	}
	c.Add = append(c.Add, t)
	return nil
}

func (c *Change) parseRemoval(t Taint, hasEffect bool) error {
	var errs FieldErrors
	if hasEffect {
		t.addFaults(&errs)
	} else {
		t.addKeyFault(&errs)
	}
	if err := errs.Err(); err != nil {
		return err
	}
	c.Remove = append(c.Remove, Removal{t.Key, t.Effect})
	return nil
}

// Errors that [Change.Apply] wraps.
var (
	// ErrExists means that a taint to be added is on the node already.
	ErrExists = errors.New("already on the node with the same effect")
	// ErrNotFound means that there is no taint to be removed.
	ErrNotFound = errors.New("not found on the node")
)

// Apply appends to dst what taints becomes under c, and returns the extended
// slice: the added taints first, then the old ones that they do not replace, in
// their order (rule K4), without those to be removed.
//
// Without overwrite, adding a taint whose key and effect the node has is an
// error that wraps [ErrExists], even if the value is the same. Removing what is
// not there is an error that wraps [ErrNotFound] (rule K3). The error holds all
// of them, in the order of c, and dst is then returned as it was. dst must not
// overlap taints or c.Add.
func (c Change) Apply(dst, taints []Taint, overwrite bool) ([]Taint, error) {
	if !overwrite {
		if err := c.checkNew(taints); err != nil {
			return dst, err
		}
	}
	start := len(dst)
	list := append(dst, c.Add...)
	for i := range taints {
		if !Exists(list[start:], &taints[i]) {
			list = append(list, taints[i])
		}
	}
	var errs []error
	for _, r := range c.Remove {
		kept := start + len(slices.DeleteFunc(list[start:], r.removes))
		if kept == len(list) {
			errs = append(errs, fmt.Errorf("taint %q: %w", Taint{Key: r.Key, Effect: r.Effect}, ErrNotFound))
		}
		list = list[:kept]
	}
	if len(errs) > 0 {
		return dst, errors.Join(errs...)
	}
	return list, nil
}

func (c Change) checkNew(taints []Taint) error {
	var errs []error
	for i := range c.Add {
		if Exists(taints, &c.Add[i]) {
			errs = append(errs, fmt.Errorf("taint %q: %w", c.Add[i], ErrExists))
		}
	}
	return errors.Join(errs...)
}
