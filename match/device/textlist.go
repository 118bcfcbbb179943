package device

import (
	"strings"

	"github.com/tolero-dev/tolero/fuzz/notation"
)

// ParseTaints reads taints separated by commas, each in the form that [ParseTaint]
// reads, and validates them as a device's list, except for their number: that is for
// [ValidateTaints]. Equal taints are accepted. The empty text gives a nil list. The
// result is nil if there is an error, and may share the memory of text.
func ParseTaints(text string) ([]Taint, error) {
	return parseList(text, ParseTaint)
}

// ParseTolerations reads tolerations separated by commas, each in the form that
// [ParseToleration] reads. The empty text gives a nil list. The result is nil if there
// is an error, and may share the memory of text.
func ParseTolerations(text string) ([]Toleration, error) {
	return parseList(text, ParseToleration)
}

// parseList reads items separated by commas. Valid ones hold none.
func parseList[T any](text string, parse func(string) (T, error)) ([]T, error) {
	if text == "" {
		return nil, nil
	}
	var list []T
	for item := range strings.SplitSeq(text, ",") {
		x, err := parse(item)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

// ParseTaintsLenient reads taints separated by commas and does not validate them: see
// [notation.Taints].
func ParseTaintsLenient(text string) ([]Taint, error) {
	taints, err := notation.Taints(text)
	return FromTaints(nil, taints), err
}

// ParseTolerationsLenient reads tolerations separated by commas and does not validate
// them: see [notation.Tolerations].
func ParseTolerationsLenient(text string) ([]Toleration, error) {
	tolerations, err := notation.Tolerations(text)
	return FromTolerations(nil, tolerations), err
}

// AppendTaintList appends taints to dst, separated by commas, each in the form of
// [Taint.AppendTo], and returns the extended slice.
func AppendTaintList(dst []byte, taints []Taint) []byte {
	for i := range taints {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = taints[i].AppendTo(dst)
	}
	return dst
}

// AppendTolerationList appends tolerations to dst, separated by commas, each in the
// form of [Toleration.AppendTo], and returns the extended slice.
func AppendTolerationList(dst []byte, tolerations []Toleration) []byte {
	for i := range tolerations {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = tolerations[i].AppendTo(dst)
	}
	return dst
}

// FormatTaints returns the text that [AppendTaintList] writes. It is empty for the
// empty list.
func FormatTaints(taints []Taint) string {
	return string(AppendTaintList(nil, taints))
}

// FormatTolerations returns the text that [AppendTolerationList] writes. It is empty
// for the empty list.
func FormatTolerations(tolerations []Toleration) string {
	return string(AppendTolerationList(nil, tolerations))
}

// TaintList is a list of taints with a text form, for flags, environment variables and
// configuration files, as [taint.TextList] is for node taints: its text is that of
// [FormatTaints], and [ParseTaints] reads it and validates. It converts to and from
// []Taint.
//
// The zero TaintList is empty. Copies share the taints. It may be read concurrently;
// UnmarshalText writes to it.
type TaintList []Taint

// String returns the text of [FormatTaints].
func (l TaintList) String() string { return FormatTaints(l) }

// MarshalText returns the text of [FormatTaints]. It never fails.
func (l TaintList) MarshalText() ([]byte, error) { return AppendTaintList([]byte{}, l), nil }

// UnmarshalText replaces the list by the one that [ParseTaints] reads. An error leaves the
// list as it was.
func (l *TaintList) UnmarshalText(text []byte) error {
	return read((*[]Taint)(l), text, ParseTaints)
}

// TolerationList is a list of tolerations with a text form, as [TaintList] is one of
// taints.
type TolerationList []Toleration

// String returns the text of [FormatTolerations].
func (l TolerationList) String() string { return FormatTolerations(l) }

// MarshalText returns the text of [FormatTolerations]. It never fails.
func (l TolerationList) MarshalText() ([]byte, error) {
	return AppendTolerationList([]byte{}, l), nil
}

// UnmarshalText replaces the list by the one that [ParseTolerations] reads. An error
// leaves the list as it was.
func (l *TolerationList) UnmarshalText(text []byte) error {
	return read((*[]Toleration)(l), text, ParseTolerations)
}

func read[T any](into *[]T, text []byte, parse func(string) ([]T, error)) error {
	list, err := parse(string(text))
	if err != nil {
		return err
	}
	*into = list
	return nil
}
