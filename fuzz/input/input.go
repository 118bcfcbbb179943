// Package input turns the bytes that a fuzzer makes into taints, tolerations and
// choices, so that every input means something and small changes of the bytes are
// small changes of the meaning.
//
// Keys and values come from small alphabets, in which two draws are often equal,
// and now and then from the bytes themselves.
package input

import (
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Bytes is what is left of an input. Once it is used up, every choice is the
// first. The zero Bytes is used up. One goroutine at a time may use it. It retains
// the slice, and what it returns shares no memory with it.
type Bytes struct {
	rest []byte
}

// New returns the Bytes of an input, which it retains.
func New(data []byte) *Bytes { return &Bytes{data} }

// Done reports whether the input is used up.
func (b *Bytes) Done() bool { return len(b.rest) == 0 }

// Choice returns a number from 0 to n-1. It takes one byte, so n is at most 256.
func (b *Bytes) Choice(n int) int {
	if b.Done() {
		return 0
	}
	first := b.rest[0]
	b.rest = b.rest[1:]
	return int(first) % n
}

var (
	keys   = []string{"a", "b", "key", "a/b", taint.KeyNotReady, taint.KeyUnreachable, taint.KeyDeletionCandidate, ""}
	values = []string{"", "x", "y", "true", "0", "1", "7", "-1", "10", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "01", "+1"}

	effects   = []taint.Effect{taint.NoSchedule, taint.NoExecute, taint.PreferNoSchedule, "", "Other"}
	operators = []toleration.Operator{toleration.OpExists, toleration.OpEqual, "", toleration.OpGt, toleration.OpLt, "Other"}
	seconds   = []int64{0, 300, -1, 1, 9223372036, 9223372037}
)

// text returns a word of an alphabet, or the next few bytes.
func (b *Bytes) text(words []string) string {
	if i := b.Choice(len(words) + 1); i < len(words) {
		return words[i]
	}
	n := min(b.Choice(6), len(b.rest))
	text := string(b.rest[:n])
	b.rest = b.rest[n:]
	return text
}

// Taint returns a taint, valid or not.
func (b *Bytes) Taint() taint.Taint {
	return taint.Taint{Key: b.text(keys), Value: b.text(values), Effect: effects[b.Choice(len(effects))]}
}

// Taints returns up to five taints, valid or not.
func (b *Bytes) Taints() []taint.Taint {
	list := make([]taint.Taint, b.Choice(6))
	for i := range list {
		list[i] = b.Taint()
	}
	return list
}

// Tolerations returns up to seven tolerations, valid or not.
func (b *Bytes) Tolerations() []toleration.Toleration {
	list := make([]toleration.Toleration, b.Choice(8))
	for i := range list {
		list[i] = b.toleration()
	}
	return list
}

func (b *Bytes) toleration() toleration.Toleration {
	t := toleration.Toleration{Key: b.text(keys), Operator: operators[b.Choice(len(operators))], Effect: effects[b.Choice(len(effects))]}
	if t.Operator != toleration.OpExists {
		t.Value = b.text(values)
	}
	if i := b.Choice(2 * len(seconds)); i < len(seconds) {
		t.TolerationSeconds = &seconds[i]
	}
	return t
}

// Taints returns the taints of a text, or else those of its bytes, at least one.
func Taints(text string) []taint.Taint {
	if list, err := notation.Taints(text); err == nil && len(list) > 0 {
		return list
	}
	b := New([]byte(text))
	return append(b.Taints(), b.Taint())
}

// Tolerations returns the tolerations of a text, or else those of its bytes.
func Tolerations(text string) []toleration.Toleration {
	if list, err := notation.Tolerations(text); err == nil {
		return list
	}
	return New([]byte(text)).Tolerations()
}
