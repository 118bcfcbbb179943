package device

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// AppendTo appends t to dst in the form of node taints, key=value:Effect, and
// returns the extended slice: see [taint.Taint.AppendTo]. TimeAdded is not written.
func (t *Taint) AppendTo(dst []byte) []byte {
	return (*taint.Taint)(t).AppendTo(dst)
}

// String returns the text that [Taint.AppendTo] writes.
func (t Taint) String() string {
	return taint.Taint(t).String()
}

// AppendTo appends t to dst in the form of node tolerations, key=value:Effect@seconds,
// and returns the extended slice: see [toleration.Toleration.AppendTo].
func (t *Toleration) AppendTo(dst []byte) []byte {
	return (*toleration.Toleration)(t).AppendTo(dst)
}

// String returns the text that [Toleration.AppendTo] writes.
func (t Toleration) String() string {
	return toleration.Toleration(t).String()
}

// ParseTaint reads and validates one taint, in the form of node taints and with the
// effects of device taints:
//
//	taint  = key [ "=" [ value ] ] ":" effect
//	effect = "None" | "NoSchedule" | "NoExecute"
//
// Every valid taint is read back from its String, without TimeAdded. The error
// repeats the text and names each field at fault. The result may share the memory of
// text. [ParseTaintLenient] does not validate.
func ParseTaint(text string) (Taint, error) {
	t, err := ParseTaintLenient(text)
	if err == nil {
		var c checker
		c.checkTaint("taint", &t, true)
		err = bare("taint", text, &c)
	}
	if err != nil {
		return Taint{}, err
	}
	return t, nil
}

// ParseToleration reads and validates one toleration, in the form of node
// tolerations and with the effects and operators of device tolerations:
//
//	toleration = ( "*" | key ) [ ( "=" | "==" ) [ value ] ] [ ":" effect ] [ "@" seconds ]
//	effect     = "None" | "NoSchedule" | "NoExecute"
//
// "*" is the empty key. Without operator it is Exists; "=" is the operator that is
// left empty, which is accepted here and means the same as "==", Equal. Every valid
// toleration is read back from its String. For the error and the result see
// [ParseTaint]. [ParseTolerationLenient] does not validate.
func ParseToleration(text string) (Toleration, error) {
	t, err := ParseTolerationLenient(text)
	if err == nil {
		var c checker
		stored := t
		stored.SetDefaults()
		c.checkToleration("toleration", &stored)
		err = bare("toleration", text, &c)
	}
	if err != nil {
		return Toleration{}, err
	}
	return t, nil
}

// bare returns the faults of what was read from a text, and one if the text has
// quotes, which no valid word needs.
func bare(what, text string, c *checker) error {
	err := c.Err()
	if err == nil && strings.Contains(text, `"`) {
		err = errors.New("no word may be quoted")
	}
	if err != nil {
		return fmt.Errorf("%s %q: %w", what, text, err)
	}
	return nil
}

// MustParseTaint is like [ParseTaint] but panics if text is not a valid taint. It is
// meant for tests and for taints written in the source.
func MustParseTaint(text string) Taint { return must(ParseTaint(text)) }

// MustParseToleration is like [ParseToleration] but panics if text is not a valid
// toleration. It is meant for tests and for tolerations written in the source.
func MustParseToleration(text string) Toleration { return must(ParseToleration(text)) }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// ParseTaintLenient reads one taint in the form that [Taint.String] writes, and does
// not validate it: see [notation.Taint].
func ParseTaintLenient(text string) (Taint, error) {
	t, err := notation.Taint(text)
	return Taint(t), err
}

// ParseTolerationLenient reads one toleration in the form that [Toleration.String]
// writes, and does not validate it: see [notation.Toleration].
func ParseTolerationLenient(text string) (Toleration, error) {
	t, err := notation.Toleration(text)
	return Toleration(t), err
}
