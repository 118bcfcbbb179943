package command

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
)

// broken is standard output that nobody reads, or a full disk.
type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

// The exit status is 0, 1 if the program failed, 2 after a wrong command line, and 3 if
// a gate is closed, which leaves the output as it is.
func TestRun(t *testing.T) {
	for _, c := range []struct {
		name           string
		stdout         error
		err            error
		status         int
		output, stderr string
	}{
		{"success", nil, nil, 0, "output", ""},
		{"failure", nil, errors.New("no\n"), 1, "", "p: no\uFFFD\n"},
		{"usage", nil, fmt.Errorf("x: %w", Usagef("bad %d", 1)), 2, "", "p: x: bad 1\nusage\n"},
		{"help", nil, flag.ErrHelp, 0, "help\n", ""},
		{"gate", nil, Gatef("closed %d", 1), 3, "output", "p: closed 1\n"},
		{"several", nil, errors.Join(errors.New("a"), errors.New("b")), 1, "", "p: a\np: b\n"},
		{"the reader has seen enough", syscall.EPIPE, nil, 0, "", ""},
		{"the reader has seen enough, and a gate is closed", syscall.EPIPE, Gatef("closed"), 3, "", "p: closed\n"},
		{"the disk is full", syscall.ENOSPC, Gatef("closed"), 1, "", "p: no space left on device\n"},
	} {
		var stdout, stderr bytes.Buffer
		var to io.Writer = &stdout
		if c.stdout != nil {
			to = broken{c.stdout}
		}
		p := &Program{Name: "p", UsageLine: "usage\n", UsageText: "help\n", Stderr: &stderr}
		status := p.Run(to, func(out *bytes.Buffer) error { out.WriteString("output"); return c.err })
		if status != c.status || stdout.String() != c.output || stderr.String() != c.stderr {
			t.Errorf("%s: status %d, %q, %q", c.name, status, &stdout, &stderr)
		}
	}
}

func TestComplain(t *testing.T) {
	var many []error
	for i := range 12 {
		many = append(many, fmt.Errorf("error %d", i))
	}
	var stderr bytes.Buffer
	(&Program{Name: "p", Stderr: &stderr}).Complain(errors.Join(many...))
	var eleven bytes.Buffer
	(&Program{Name: "p", Stderr: &eleven}).Complain(errors.Join(many[:11]...))
	if text := eleven.String(); !strings.HasSuffix(text, "p: error 9\np: and 1 more\n") {
		t.Errorf("got %s", text)
	}
	var ten bytes.Buffer
	(&Program{Name: "p", Stderr: &ten}).Complain(errors.Join(many[:10]...))
	if text := ten.String(); strings.Count(text, "\n") != 10 || !strings.HasSuffix(text, "p: error 9\n") {
		t.Errorf("got %s", text)
	}
	if text := stderr.String(); strings.Count(text, "\n") != 11 || !strings.HasSuffix(text, "p: error 9\np: and 2 more\n") {
		t.Errorf("got %s", text)
	}
}

// Errors of all kinds are 100 columns wide, the first of them with the program's name; what a
// terminal would obey is replaced.
func TestWriteError(t *testing.T) {
	word := strings.Repeat("é", 48)
	for name, c := range map[string]struct{ text, want string }{
		"as wide as may be": {word + " " + word, "p: " + word + " " + word + "\n"},
		"wider":             {word + "e " + word, "p: " + word + "e\n    " + word + "\n"},
		"one word":          {word + word + word, "p:\n    " + word + word + word + "\n"},
		"an escape":         {"a\x1b\nb", "p: a\uFFFD\uFFFDb\n"},
	} {
		var out bytes.Buffer
		if WriteError(&out, "p", c.text); out.String() != c.want {
			t.Errorf("%s: %q, want %q", name, &out, c.want)
		}
		for _, err := range []error{errors.New(c.text), Usagef("%s", c.text), Gatef("%s", c.text), errors.Join(errors.New(c.text))} {
			out.Reset()
			p := &Program{Name: "p", Stderr: &out}
			if p.Run(io.Discard, func(*bytes.Buffer) error { return err }); out.String() != c.want {
				t.Errorf("%s, %T: %q, want %q", name, err, &out, c.want)
			}
		}
	}
}

func TestLine(t *testing.T) {
	var out bytes.Buffer
	w := &Writer{Out: &out, Width: 12}
	w.Line(2, "one two three-is-long four\x1b")
	const want = "  one two\n      three-is-long\n      four\uFFFD\n"
	if out.String() != want {
		t.Errorf("got %q", &out)
	}
}

func TestWords(t *testing.T) {
	if got := Plural(1, "node") + " " + Plural(0, "node") + " " + Some([]string{"a", "b"}) + " " + Some(make([]string, 7)); got != "1 node 0 nodes a, b , , , ,  and 2 more" {
		t.Errorf("got %q", got)
	}
	if got := Some([]string{"a", "b", "c", "d", "e"}); got != "a, b, c, d, e" {
		t.Errorf("got %q", got)
	}
	if Once("-", "a", "") != nil || Once("-", "a", "-") == nil {
		t.Error("standard input may be read once")
	}
}

// A budget has a name and a number, and owners only after a colon.
func TestParseBudget(t *testing.T) {
	for text, want := range map[string]string{
		"web=1:a b,c d": "{web [a b c d] 1}", "web=0": "{web [] 0}", "web": "", "=1": "", "web=": "", "web=x": "", "web=-1": "", "": "", "1": "",
	} {
		b, err := ParseBudget(text)
		if got := fmt.Sprint(b); (err != nil) != (want == "") || err == nil && got != want {
			t.Errorf("%q: %s, %v; want %s", text, got, err, want)
		}
	}
}

// A line is as wide as it may be, and no wider; without a limit it is never broken.
func TestWidths(t *testing.T) {
	for width, want := range map[int]string{
		0: "one two three\n", 1: "one\n    two\n    three\n", 12: "one two\n    three\n", 13: "one two three\n", 7: "one two\n    three\n", 6: "one\n    two\n    three\n",
	} {
		var out bytes.Buffer
		(&Writer{Out: &out, Width: width}).Line(0, "one two three")
		if out.String() != want {
			t.Errorf("width %d: %q, want %q", width, &out, want)
		}
	}
}

// Help that is asked for is no error of usage, and errors are not written where they occur.
func TestParse(t *testing.T) {
	flags := (&Program{Name: "p"}).Flags()
	if flags.Output() != io.Discard {
		t.Errorf("errors go to %v", flags.Output())
	}
	if err := Parse(flags, []string{"x"}); err != nil || flags.Arg(0) != "x" {
		t.Errorf("got %v, and the argument %q", err, flags.Arg(0))
	}
	if err := Parse(flags, []string{"-h"}); err != flag.ErrHelp {
		t.Errorf("got %v", err)
	}
	if err := Parse(flags, []string{"-x"}); !isUsage(err) {
		t.Errorf("got %v", err)
	}
}

func isUsage(err error) bool {
	var usage *usageError
	return errors.As(err, &usage)
}
