package taint

import (
	"errors"
	"fmt"
	"strings"
)

// AppendTo appends t to dst in kubectl's form key=value:Effect and returns the
// extended slice. An empty value is left out together with its "=", and an
// empty effect with its ":" where the value is empty too: "key", "key=value:",
// "key:Effect". TimeAdded is not written. AppendTo does not allocate if dst has
// room.
func (t *Taint) AppendTo(dst []byte) []byte {
	dst = append(dst, t.Key...)
	if t.Value != "" {
		dst = append(dst, '=')
		dst = append(dst, t.Value...)
	}
	if t.Value != "" || t.Effect != "" {
		dst = append(dst, ':')
		dst = append(dst, t.Effect...)
	}
	return dst
}

// String returns the text that [Taint.AppendTo] writes.
func (t Taint) String() string {
	return string(t.AppendTo(nil))
}

// Parse reads one taint: key=value:Effect, key=:Effect or key:Effect. The key
// must be a qualified name, the value a label value and the effect one of the
// three (rules K1, K2), so that every valid taint is read back from its
// String. The error repeats the text and names each field at fault; see
// [FieldErrors]. The result shares the memory of text.
func Parse(text string) (Taint, error) {
	t, err := parseSpec(text)
	if err != nil {
		return Taint{}, fmt.Errorf("taint %q: %w", text, err)
	}
	if err := t.appendFaults(nil, "").Err(); err != nil {
		return Taint{}, fmt.Errorf("taint %q: %w", text, err)
	}
	return t, nil
}

// MustParse is like [Parse] but panics if text is not a taint. It is meant for
// tests and for taints written in the source.
func MustParse(text string) Taint {
	t, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return t
}

// parseSpec takes a taint spec apart without judging the parts. A spec that is
// no more than a key has no effect.
func parseSpec(text string) (Taint, error) {
	pair, effect, hasEffect := strings.Cut(text, ":")
	key, value, hasValue := strings.Cut(pair, "=")
	switch {
	case hasValue && !hasEffect:
		return Taint{}, errors.New(`a value needs ":" and an effect behind it`)
	case strings.Contains(effect, ":"):
		return Taint{}, errors.New(`more than one ":"`)
	case strings.Contains(value, "="):
		return Taint{}, errors.New(`more than one "="`)
	}
	return Taint{Key: key, Value: value, Effect: Effect(effect)}, nil
}

// ParseList reads a comma-separated list of taints as kubelet's
// --register-with-taints takes it (rule A7). The empty text gives an empty
// list. No two taints of the list may share key and effect. The result is nil
// if there is an error, and shares the memory of text.
//
// Kubelet silently drops items that end in "-", because it shares its parser
// with kubectl; here they are an error like any other malformed taint.
func ParseList(text string) ([]Taint, error) {
	if text == "" {
		return nil, nil
	}
	taints := make([]Taint, 0, strings.Count(text, ",")+1)
	for item := range strings.SplitSeq(text, ",") {
		t, err := Parse(item)
		if err != nil {
			return nil, err
		}
		if _, found := Find(taints, t.Key, t.Effect); found {
			return nil, fmt.Errorf("taint %q: another one in the list has the same key and effect", item)
		}
		taints = append(taints, t)
	}
	return taints, nil
}

// AppendList appends taints to dst, separated by commas, each in the form that
// kubelet prints: key=value:Effect, with the "=" written even if the value is
// empty. It returns the extended slice; [ParseList] reads valid taints back.
func AppendList(dst []byte, taints []Taint) []byte {
	for i := range taints {
		t := &taints[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, t.Key...)
		dst = append(dst, '=')
		dst = append(dst, t.Value...)
		dst = append(dst, ':')
		dst = append(dst, t.Effect...)
	}
	return dst
}

// FormatList returns the text that [AppendList] writes.
func FormatList(taints []Taint) string {
	return string(AppendList(nil, taints))
}
