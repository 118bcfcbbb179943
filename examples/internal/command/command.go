// Package command is what the commands of tolero share: flags, help, the exit status, errors,
// clusters read from files, and answers as text of a limited width, as JSON and as YAML.
package command

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os/signal"
	"syscall"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/cluster"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// The exit statuses.
const (
	Success = 0
	Found   = 1 // the answer is there, and it has what the user wants to fail on
	Trouble = 2 // there is no answer: the command line or the input is wrong
)

// Command is one of the commands of tolero.
type Command struct {
	Name     string
	Summary  string // what it answers, in a few words
	Usage    string // what follows the name, such as "[POD [NODE]]"
	About    string // more about it, or nothing
	Examples string // of command lines, each with a comment
	Flags    string // what its own flags mean

	Formats   []string // of -o, beside text, json and yaml
	TextLimit int      // the default of -limit in text
	DataLimit int      // and in the other formats; 0 is no limit
	Result    any      // the zero value of what JSON and YAML have as the result; nil if it prints neither

	// Run parses the command line with [Program.Flags] and [Program.Parse], and writes the
	// answer to Out.
	Run func(p *Program, args []string) error
}

// Program is a run of a command: what it reads and writes, and the flags that commands share.
type Program struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Now            func() time.Time
	Cluster        *manifest.Cluster // if it is read already: Load returns it, and says nothing of its faults
	Plugin         bool              // kubectl runs it: without -f it reads the cluster

	// Out goes to Stdout once the command has succeeded.
	Out bytes.Buffer
	Options
	command *Command
	unread  []cluster.Unread // that nobody was told of
}

// Do runs the command and returns the exit status. Nothing is written to Stdout until
// everything else has succeeded.
func (c *Command) Do(p *Program, args []string) int {
	signal.Ignore(syscall.SIGPIPE) // so that writing into a broken pipe is an error
	p.command = c
	err := c.Run(p, args)
	if errors.Is(err, flag.ErrHelp) {
		io.WriteString(p.Stdout, c.Help())
		return Success
	}
	var found *foundError
	isFound := errors.As(err, &found)
	if err == nil || isFound {
		if _, writing := p.Out.WriteTo(p.Stdout); writing != nil && !errors.Is(writing, syscall.EPIPE) {
			err, isFound = writing, false
		} // else, if it is not nil, the reader has seen enough
	}
	if err != nil && !isFound {
		p.complainUnread()
	}
	switch usage := new(usageError); {
	case err == nil || errors.Is(err, syscall.EPIPE):
		return Success
	case isFound:
		p.Complain(found)
		return Found
	case errors.As(err, &usage):
		p.Complain(err)
		fmt.Fprintf(p.Stderr, "%s -h tells more\n", c.title())
		return Trouble
	}
	p.Complain(err)
	return Trouble
}

func (c *Command) title() string {
	if c.Name == "status" {
		return "tolero"
	}
	return "tolero " + c.Name
}

// Complain writes an error to Stderr as [WriteError] does, and each of those that are joined,
// up to a few.
func (p *Program) Complain(err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		p.complainFaults(joined.Unwrap())
		return
	}
	WriteError(p.Stderr, p.command.title(), err.Error())
}

// complainFaults writes each of the errors: up to ten, and all with -v.
func (p *Program) complainFaults(all []error) {
	const most = 10
	shown := all
	if !p.Verbose {
		shown = all[:min(len(all), most)]
	}
	for _, err := range shown {
		p.Complain(err)
	}
	if more := len(all) - len(shown); more > 0 {
		p.Complain(fmt.Errorf("and %d more; -v shows all", more))
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

// usageError is an error in the command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// Usagef returns an error in the command line.
func Usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// foundError says what was found.
type foundError struct{ text string }

func (e *foundError) Error() string { return e.text }

// Foundf returns an error that says what the user wants to fail on: the answer is written,
// the text goes to stderr, and the exit status is Found.
func Foundf(format string, args ...any) error { return &foundError{fmt.Sprintf(format, args...)} }
