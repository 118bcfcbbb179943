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

func TestRun(t *testing.T) {
	for _, c := range []struct {
		name           string
		stdout         error
		err            error
		status         int
		output, stderr string
	}{
		{"success", nil, nil, Success, "output", ""},
		{"failure", nil, errors.New("no\n"), Failure, "", "p: no\uFFFD\n"},
		{"usage", nil, fmt.Errorf("x: %w", Usagef("bad %d", 1)), Usage, "", "p: x: bad 1\nusage\n"},
		{"help", nil, flag.ErrHelp, Success, "help\n", ""},
		{"gate", nil, Gatef("closed %d", 1), Closed, "output", "p: closed 1\n"},
		{"several", nil, errors.Join(errors.New("a"), errors.New("b")), Failure, "", "p: a\np: b\n"},
		{"the reader has seen enough", syscall.EPIPE, nil, Success, "", ""},
		{"the reader has seen enough, and a gate is closed", syscall.EPIPE, Gatef("closed"), Closed, "", "p: closed\n"},
		{"the disk is full", syscall.ENOSPC, Gatef("closed"), Failure, "", "p: no space left on device\n"},
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
	if text := stderr.String(); strings.Count(text, "\n") != 11 || !strings.HasSuffix(text, "p: error 9\np: and 2 errors more\n") {
		t.Errorf("got %s", text)
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
	if Once("-", "a", "") != nil || Once("-", "a", "-") == nil {
		t.Error("standard input may be read once")
	}
}
