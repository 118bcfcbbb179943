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
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tolero-dev/tolero/match"
)

// broken is standard output that nobody reads, or a full disk.
type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

// program is a program whose command does what run says, and what it writes to stderr.
func program(run func(p *Program, args []string) error) (*Program, *bytes.Buffer, func(args ...string) int) {
	var stderr bytes.Buffer
	c := &Command{Name: "p", Summary: "test", Examples: "  tolero p", Run: run, TextLimit: 3, DataLimit: 7}
	p := &Program{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &stderr, command: c}
	return p, &stderr, func(args ...string) int { return c.Do(p, args) }
}

// The exit status is 0, 1 if the answer has what the command is to fail on, and 2 if there is
// none.
func TestDo(t *testing.T) {
	for _, c := range []struct {
		name           string
		stdout         error
		err            error
		status         int
		output, stderr string
	}{
		{"success", nil, nil, 0, "output", ""},
		{"failure", nil, errors.New("no\n"), 2, "", "tolero p: no\uFFFD\n"},
		{"usage", nil, fmt.Errorf("x: %w", Usagef("bad %d", 1)), 2, "", "tolero p: x: bad 1\ntolero p -h tells more\n"},
		{"help", nil, flag.ErrHelp, 0, "Test.\n", ""},
		{"found", nil, Foundf("closed %d", 1), 1, "output", "tolero p: closed 1\n"},
		{"several", nil, errors.Join(errors.New("a"), errors.New("b")), 2, "", "tolero p: a\ntolero p: b\n"},
		{"the reader has seen enough", syscall.EPIPE, nil, 0, "", ""},
		{"the reader has seen enough, and something is found", syscall.EPIPE, Foundf("closed"), 1, "", "tolero p: closed\n"},
		{"the disk is full", syscall.ENOSPC, Foundf("closed"), 2, "", "tolero p: no space left on device\n"},
	} {
		var stdout bytes.Buffer
		p, stderr, do := program(func(p *Program, _ []string) error { p.Out.WriteString("output"); return c.err })
		if p.Stdout = &stdout; c.stdout != nil {
			p.Stdout = broken{c.stdout}
		}
		if status := do(); status != c.status || !strings.HasPrefix(stdout.String(), c.output) || c.output == "" && stdout.Len() > 0 || stderr.String() != c.stderr {
			t.Errorf("%s: status %d, %q, %q", c.name, status, &stdout, stderr)
		}
	}
}

// Of many errors the first ten are told, and all with -v.
func TestComplain(t *testing.T) {
	var many []error
	for i := range 12 {
		many = append(many, fmt.Errorf("error %d", i))
	}
	for n, last := range map[int]string{10: "error 9", 11: "and 1 more; -v shows all", 12: "and 2 more; -v shows all"} {
		p, stderr, _ := program(nil)
		p.Complain(errors.Join(many[:n]...))
		if text := stderr.String(); strings.Count(text, "\n") != min(n, 11) || !strings.HasSuffix(text, "\ntolero p: "+last+"\n") {
			t.Errorf("%d: %s", n, text)
		}
		stderr.Reset()
		p.Verbose = true
		if p.Complain(errors.Join(many[:n]...)); strings.Count(stderr.String(), "\n") != n {
			t.Errorf("%d with -v: %s", n, stderr)
		}
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
	for args, once := range map[string]bool{"-f - -f a": true, "-f - -f -": false, "-f - -plan -": false, "-plan -": true} {
		_, stderr, do := program(func(p *Program, args []string) error {
			flags := p.Flags()
			flags.String("plan", "", "")
			return p.Parse(flags, args, 0)
		})
		if status := do(strings.Fields(args)...); (status == 0) != once || !once && stderr.String() != "tolero p: standard input can be read only once\ntolero p -h tells more\n" {
			t.Errorf("%s: %d, %s", args, status, stderr)
		}
	}
}

// A budget has a name and a number, and owners only after a colon.
func TestParseBudget(t *testing.T) {
	for text, want := range map[string]string{
		"web=1:a b,c d": "{web [a b c d] [] 1}", "web=0": "{web [] [] 0}", "web": "", "=1": "", "web=": "", "web=x": "", "web=-1": "", "": "", "1": "",
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

// Flags and arguments may come in any order. Help that is asked for is no error of usage, and
// the limit depends on the format.
func TestParse(t *testing.T) {
	for line, want := range map[string]string{
		"":                 "[] text 3",
		"a -o json b":      "[a b] json 7",
		"-limit 0 a":       "[a] text 0",
		"-o yaml -limit 9": "[] yaml 9",
		"-- -o":            "[-o] text 3",
		"a b c":            `unexpected argument "c"; files are given with -f`,
		"-o xml":           `unknown output format "xml"; there are text, json and yaml`,
		"-x":               "flag provided but not defined: -x",
		"-limit -1":        "-width and -limit must not be negative",
		"-width -1":        "-width and -limit must not be negative",
		"-timeout -1s":     "-timeout must not be negative",
		"-f - -f a -f -":   "standard input can be read only once",
		"-h":               "flag: help requested",
	} {
		p, _, _ := program(nil)
		err := p.Parse(p.Flags(), strings.Fields(line), 2)
		got := fmt.Sprint(p.Args, p.Format, p.Limit)
		if err != nil {
			got = err.Error()
		}
		if got = strings.Replace(got, "]text", "] text", 1); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
		if usage := new(usageError); errors.As(err, &usage) != (err != nil && err != flag.ErrHelp) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// JSON and YAML say the same, in an envelope with a version, field by field in order.
func TestShow(t *testing.T) {
	answer := struct {
		B string           `json:"b"`
		A map[string]int64 `json:"a"`
	}{"<x>: no\n", map[string]int64{"n": 1 << 40}}
	for format, want := range map[string]string{
		"text": "text\n",
		"json": "{\n \"version\": 1,\n \"command\": \"p\",\n \"result\": {\n  \"b\": \"<x>: no\\n\",\n  \"a\": {\n   \"n\": 1099511627776\n  }\n }\n}\n",
		"yaml": "version: 1\ncommand: p\nresult:\n  b: |\n    <x>: no\n  a:\n    \"n\": 1099511627776\n",
	} {
		p, _, _ := program(nil)
		p.Format = format
		if err := p.Show(func(w *Writer) { w.Line(0, "text") }, func() any { return answer }); err != nil || p.Out.String() != want {
			t.Errorf("%s: %v, %s", format, err, &p.Out)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234", -123: "-123"} {
		if got := Thousands(n); got != want {
			t.Errorf("Thousands(%d) = %q, want %q", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{0: "0s", 5 * time.Minute: "5m", 90 * time.Second: "1m30s", 2 * time.Hour: "2h", time.Hour + time.Minute: "1h1m", match.MaxDelay: "2562047h47m16.854775807s"} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%d) = %q, want %q", d, got, want)
		}
	}
}

// A word that nobody can read is cut in the middle, and what may be copied is not.
func TestLongWords(t *testing.T) {
	for _, c := range []struct {
		copied bool
		length int
		want   string
	}{
		{false, 200, "a " + strings.Repeat("x", 200)},
		{false, 201, "a " + strings.Repeat("x", 100) + "…" + strings.Repeat("x", 100)},
		{true, 400, "a " + strings.Repeat("x", 400)},
		{true, 10_000_000, "a " + strings.Repeat("x", 200) + "…" + strings.Repeat("x", 200)},
	} {
		var out bytes.Buffer
		w, text := &Writer{Out: &out}, "a "+strings.Repeat("x", c.length)
		if c.copied {
			w.Copy(0, text)
		} else {
			w.Line(0, text)
		}
		if out.String() != c.want+"\n" {
			t.Errorf("%d bytes: %s", c.length, &out)
		}
	}
	var out bytes.Buffer
	if (&Writer{Out: &out}).Line(0, strings.Repeat("é", 250)); strings.Count(out.String(), "é") > 200 || !utf8.Valid(out.Bytes()) || strings.ContainsRune(out.String(), unicode.ReplacementChar) {
		t.Errorf("%q", &out)
	}
}
