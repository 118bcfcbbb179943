// Package command is what the example programs have in common: the exit status, errors
// of a limited width, clusters read from files, and text of a limited width.
package command

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"
	"unicode"
)

// The exit statuses.
const (
	Success = 0
	Failure = 1
	Usage   = 2 // a wrong command line
	Closed  = 3 // the answer is there, and a gate that the user asked for is closed
)

// Program is a program with its texts and what it reads and writes.
type Program struct {
	Name      string
	UsageLine string // for stderr, after an error in the command line
	UsageText string // for stdout, if help is asked for
	Stdin     io.Reader
	Stderr    io.Writer
}

// Run has do write the output, and returns the exit status. It writes nothing to stdout
// until everything else has succeeded.
func (p *Program) Run(stdout io.Writer, do func(out *bytes.Buffer) error) int {
	signal.Ignore(syscall.SIGPIPE) // so that writing into a broken pipe is an error
	var out bytes.Buffer
	err := do(&out)
	if errors.Is(err, flag.ErrHelp) {
		io.WriteString(stdout, p.UsageText)
		return Success
	}
	var gate *gateError
	closed := errors.As(err, &gate)
	if err == nil || closed {
		if _, writing := out.WriteTo(stdout); writing != nil && !errors.Is(writing, syscall.EPIPE) {
			err, closed = writing, false
		} // else, if it is not nil, the reader has seen enough
	}
	switch usage := new(usageError); {
	case closed:
		p.Complain(gate)
		return Closed
	case err == nil:
		return Success
	case errors.As(err, &usage):
		p.Complain(err)
		io.WriteString(p.Stderr, p.UsageLine)
		return Usage
	}
	p.Complain(err)
	return Failure
}

// Complain writes an error to stderr as [WriteError] does, and each of those that are joined,
// up to a few.
func (p *Program) Complain(err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		WriteErrors(p.Stderr, p.Name, joined.Unwrap(), "")
		return
	}
	WriteError(p.Stderr, p.Name, err.Error())
}

// WriteErrors writes each of the errors as [WriteError] does, up to ten. A last line counts
// the others, followed by hint, which says how to see them.
func WriteErrors(to io.Writer, name string, all []error, hint string) {
	const most = 10
	for _, err := range all[:min(len(all), most)] {
		WriteError(to, name, err.Error())
	}
	if more := len(all) - most; more > 0 {
		WriteError(to, name, fmt.Sprintf("and %d more%s", more, hint))
	}
}

// WriteError writes the text of an error after the name of the program. A line is no wider
// than 100 columns, except for one long word; further lines are indented.
func WriteError(to io.Writer, name, text string) {
	var out bytes.Buffer
	w := &Writer{Out: &out, Width: 100}
	w.Line(0, name+": "+text)
	_, _ = out.WriteTo(to) // there is nobody to tell
}

// Flags returns an empty flag set. Its errors are returned, and reported once.
func (p *Program) Flags() *flag.FlagSet {
	flags := flag.NewFlagSet(p.Name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags
}

// Parse parses the command line. It returns [flag.ErrHelp] if help is asked for, and else
// an error of usage.
func Parse(flags *flag.FlagSet, args []string) error {
	err := flags.Parse(args)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		return &usageError{err}
	}
	return err
}

// usageError is an error in the command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// Usagef returns an error in the command line.
func Usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// gateError closes a gate.
type gateError struct{ text string }

func (e *gateError) Error() string { return e.text }

// Gatef returns an error that closes a gate: the output is written, the text goes to
// stderr, and the exit status is Closed.
func Gatef(format string, args ...any) error { return &gateError{fmt.Sprintf(format, args...)} }

// Printable returns text without control characters, which a terminal would obey.
// Names come from files that anybody may have written.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// Plural returns a number with the word for what is counted.
func Plural[N int | int64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Some returns the first few of many names.
func Some(names []string) string {
	const few = 5
	if len(names) > few {
		return strings.Join(names[:few], ", ") + fmt.Sprintf(" and %d more", len(names)-few)
	}
	return strings.Join(names, ", ")
}
