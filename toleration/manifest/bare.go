package manifest

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// bare is an element of a list as a toleration.
type bare struct {
	toleration toleration.Toleration
	known      bool                // some of its fields is one of a toleration
	unknown    []*taint.FieldError // the others
}

// otherField reads a field that objects do not have: a field of a toleration, if o
// may be one.
func (w *walker) otherField(o *object, name string) error {
	if o.bare == nil {
		return w.other(name, "apiVersion", "kind", "metadata", "spec", "status", "template", "items")
	}
	if known, err := w.tolerationField(&o.bare.toleration, name); known {
		o.bare.known = true
		return err
	}
	faults := w.faults
	err := w.unknown("toleration", name)
	o.bare.unknown = append(o.bare.unknown, w.faults[len(faults):]...)
	w.faults = faults
	return err
}

// keepBare keeps a list in which no element names its kind: tolerations, if each
// has a field of one. An empty list is one of tolerations.
func (l *Loader) keepBare(list *object) error {
	pod := &object{Object: list.Object}
	tolerations := &pod.spec.tolerations
	for _, o := range list.kindless {
		if !o.bare.known {
			return l.adopt(list)
		}
		tolerations.add(o.bare.toleration, o.misfits > 0)
		pod.faults = append(pod.faults, inside(o.Item, o.faults)...)
		pod.faults = append(pod.faults, inside(o.Item, o.bare.unknown)...)
	}
	l.keepPod(pod, workload{spec: ownSpec})
	return nil
}

// inside returns faults of an element as faults of a list of tolerations.
func inside(item string, faults []*taint.FieldError) []*taint.FieldError {
	return (&taint.FieldErrors{Faults: faults}).Under("tolerations" + item).Faults
}
