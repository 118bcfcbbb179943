package manifest

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// entries is a list of taints or tolerations as it is read. It includes the
// entries that do not decode, so that the others keep their indexes in messages.
type entries[T any] struct {
	all    []T
	broken []int // the indexes of those that do not decode, in order
}

// decoded returns the entries that decode.
func (e *entries[T]) decoded() []T {
	if e.broken == nil {
		return e.all
	}
	var list []T
	for i, entry := range e.all {
		if !e.isBroken(i) {
			list = append(list, entry)
		}
	}
	return list
}

func (e *entries[T]) isBroken(i int) bool {
	_, found := slices.BinarySearch(e.broken, i)
	return found
}

// check returns the faults of the list at path, in the order of the entries:
// those found when it was read, and those that validation found. An entry that
// does not decode is not validated: that its fields are missing is known.
func (e *entries[T]) check(read []*taint.FieldError, validation error, path string) []*taint.FieldError {
	if invalid := new(taint.FieldErrors); errors.As(validation, &invalid) {
		if dot := strings.LastIndexByte(path, '.'); dot >= 0 {
			invalid = invalid.Under(path[:dot])
		}
		for _, fault := range invalid.Faults {
			if !e.isBroken(entryIndex(fault.Field, path)) {
				read = append(read, explained(fault))
			}
		}
	}
	slices.SortStableFunc(read, func(a, b *taint.FieldError) int {
		return cmp.Compare(entryIndex(a.Field, path), entryIndex(b.Field, path))
	})
	return read
}

// entryIndex returns the index of the entry of the list at path that a field
// belongs to, and -1 for a field elsewhere.
func entryIndex(field, path string) int {
	number, _, _ := strings.Cut(strings.TrimPrefix(field, path+"["), "]")
	if i, err := strconv.Atoi(number); err == nil { // no other field begins with a number
		return i
	}
	return -1
}

// readEntries reads a list; field reads the field with the given name into an
// entry, and reports whether there is such a field.
func readEntries[T any](w *walker, what string, field func(entry *T, name string) (known bool, err error)) (entries[T], error) {
	var e entries[T]
	err := w.list(func(int) error {
		var entry T
		w.consequence = "; the " + what + " is left out"
		misfits := w.misfits
		err := w.object(func(name string) error {
			known, err := field(&entry, name)
			if known {
				return err
			}
			return w.unknown(what, name)
		})
		e.add(entry, w.misfits > misfits)
		return err
	})
	w.consequence = ""
	return e, err
}

// unknown notes a field that entries do not have, and skips it.
func (w *walker) unknown(what, name string) error {
	w.fault("forbidden", "", "a "+what+" has no such field; it is ignored"+meantField(name))
	return w.skip()
}

func (e *entries[T]) add(entry T, broken bool) {
	if broken {
		e.broken = append(e.broken, len(e.all))
	}
	e.all = append(e.all, entry)
}

func (w *walker) taints() (entries[taint.Taint], error) {
	return readEntries(w, "taint", w.taintField)
}

// taintField reads the field of a taint with the given name, if there is such a field.
func (w *walker) taintField(t *taint.Taint, name string) (known bool, err error) {
	switch name {
	case "key":
		return true, w.text(&t.Key)
	case "value":
		return true, w.text(&t.Value)
	case "effect":
		return true, w.text((*string)(&t.Effect))
	case "timeAdded":
		t.TimeAdded, err = w.time()
		return true, err
	}
	return false, nil
}

func (w *walker) tolerations() (entries[toleration.Toleration], error) {
	return readEntries(w, "toleration", w.tolerationField)
}

// tolerationField reads the field of a toleration with the given name, if there
// is such a field.
func (w *walker) tolerationField(t *toleration.Toleration, name string) (known bool, err error) {
	switch name {
	case "key":
		return true, w.text(&t.Key)
	case "operator":
		return true, w.text((*string)(&t.Operator))
	case "value":
		return true, w.text(&t.Value)
	case "effect":
		return true, w.text((*string)(&t.Effect))
	case "tolerationSeconds":
		seconds, err := w.integer(64)
		t.TolerationSeconds = seconds
		return true, err
	}
	return false, nil
}

// time reads a timestamp and returns nil if there is none.
func (w *walker) time() (*taint.Time, error) {
	token, err := w.dec.Token()
	if err != nil {
		return nil, err
	}
	text, ok := token.(string)
	if !ok {
		return nil, w.mismatch("a time", token)
	}
	parsed, err := time.Parse(time.RFC3339, text)
	if err != nil {
		w.refuse(text, "want a time such as 2006-01-02T15:04:05Z")
		return nil, nil
	}
	return &taint.Time{Time: parsed.UTC()}, nil
}
