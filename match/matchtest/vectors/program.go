package vectors

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"
)

// Program is a program that answers: it reads questions from standard input, one line of
// JSON each, and writes to standard output one line of JSON for each question:
//
//	{"id":"tolerates/exists","ask":"tolerates","input":{...}}    {"id":"tolerates/exists","answer":true}
//	{"id":"scores/one-of-two","ask":"scores","input":{...}}      {"id":"scores/one-of-two","unsupported":true}
//
// It gets the next question when it has answered, and ends with the input. A Program is
// plain data; it may be driven once at a time.
type Program struct {
	// Command is the program and its arguments. It must not be empty.
	Command []string
	// Dir is where it runs, and Env its environment; empty ones are those of the caller.
	Dir string
	Env []string
	// Timeout is the time for one answer, and to end once the input has ended; zero or less
	// is 10 seconds.
	Timeout time.Duration
	// Restarts is how often the program is started again after it crashed, timed out, fell
	// silent or wrote what is no answer: each costs it one question. The questions that are
	// left then are failures too. Zero is 20; a negative number is none.
	Restarts int
}

// The most bytes that a program may write in a line, with its end, and those of its
// standard error that are kept.
const (
	maxLine  = 1 << 20
	maxError = 2 << 10
)

func (p *Program) restarts() int { return max(cmp.Or(p.Restarts, 20), 0) }

func (p *Program) timeout() time.Duration {
	if p.Timeout > 0 {
		return p.Timeout
	}
	return 10 * time.Second
}

// Drive asks the program every question and compares the answers. A program that crashes,
// hangs, is silent or writes anything else has results that say so. Drive ends each process
// that it starts: at once if it broke, else when it has had its time to end by itself. It
// always returns, at the latest after the time for each answer and that to end. The error
// is that the program cannot be started at all. Drive keeps the cases.
func Drive(cases []Case, o Options, p Program) (*Report, error) {
	report := &Report{Program: p.Command}
	var run *process
	defer func() {
		if run != nil {
			_ = run.wait()
			run.end()
		}
	}()
	broken, unasked := 0, "" // processes, and why the rest is not asked
	for i := range cases {
		r := Result{Case: &cases[i], ID: cases[i].ID}
		if broken > p.restarts() && unasked == "" {
			unasked = "not asked: the program failed too often"
		}
		switch {
		case unasked != "":
			r.Outcome, r.Detail = Silent, unasked
		case run == nil:
			started, err := p.start()
			if err != nil {
				return nil, err
			}
			run = started
			fallthrough
		default:
			var slow func([]byte) bool
			if i == 0 {
				slow = p.readsToEnd
			}
			if run.ask(&r, o, slow); r.Detail == readsToEnd {
				unasked = "not asked: the program does not answer line by line"
			}
			if r.Outcome.broken() {
				run.end()
				run, broken = nil, broken+1
			}
		}
		report.Results = append(report.Results, r)
	}
	report.blame()
	return report, nil
}

// patience is the time after which a program that has not answered its first question is
// suspected to wait for the end of its input. It is a variable for tests.
var patience = 2 * time.Second

const readsToEnd = "the program answers only when its input has ended: it has to answer each line once it has read it, and flush"

// readsToEnd reports whether the program answers a question once its input has ended. It
// starts another process, because the first may only be slow to start.
func (p *Program) readsToEnd(question []byte) bool {
	run, err := p.start()
	if err != nil {
		return false
	}
	defer run.end()
	go func() {
		_, _ = run.input.Write(question)
		run.input.Close()
	}()
	select {
	case l := <-run.lines:
		return l.err == nil
	case <-time.After(run.timeout):
		return false
	}
}

// process is a program that runs.
type process struct {
	command *exec.Cmd
	input   io.WriteCloser
	output  *os.File
	lines   chan line
	stop    chan struct{} // closed to let the reader go
	errors  *tail
	timeout time.Duration
}

// line is a line that a program wrote, or why there are no more.
type line struct {
	text []byte
	err  error
}

func (p *Program) start() (*process, error) {
	if len(p.Command) == 0 {
		return nil, errors.New("no program to run")
	}
	c := exec.Command(p.Command[0], p.Command[1:]...)
	c.Dir, c.Env, c.WaitDelay = p.Dir, p.Env, time.Second
	r := &process{command: c, errors: new(tail), lines: make(chan line), stop: make(chan struct{}), timeout: p.timeout()}
	ownGroup(c)
	c.Stderr = r.errors
	input, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	// A pipe of our own: that of package exec is closed when the program ends, perhaps
	// before its last line is read.
	output, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.Stdout, r.input, r.output = writer, input, output
	err = c.Start()
	writer.Close()
	if err != nil {
		output.Close()
		return nil, err
	}
	go r.read()
	return r, nil
}

// read hands over the lines of the program, and that there are no more, until it is
// stopped.
func (r *process) read() {
	reader := bufio.NewReader(r.output)
	for {
		text, err := readLine(reader)
		select {
		case r.lines <- line{text, err}:
		case <-r.stop:
			return
		}
	}
}

var errLongLine = fmt.Errorf("a line of more than %d bytes", maxLine)

// readLine returns the next line without its end. What is too long is an error. Text
// after the last end of a line is a line.
func readLine(reader *bufio.Reader) (text []byte, err error) {
	for {
		part, err := reader.ReadSlice('\n')
		if text = append(text, part...); len(text) > maxLine {
			return nil, errLongLine
		}
		switch {
		case err == nil:
			return bytes.TrimRight(text, "\r\n"), nil
		case errors.Is(err, io.EOF) && len(text) > 0:
			return text, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// reply is a line of a program.
type reply struct {
	ID          *string
	Answer      json.RawMessage
	Unsupported bool
}

// ask asks one question and fills in what becomes of it. If slow is not nil, it is told of a
// question that is not answered soon, and reports whether that shows that the program reads
// to the end of its input.
func (r *process) ask(result *Result, o Options, slow func(question []byte) bool) {
	deadline, suspicion := time.After(r.timeout), time.After(patience)
	question, err := json.Marshal(result.Case.Question())
	if err != nil {
		result.Outcome, result.Detail = Malformed, err.Error()
		return
	}
	// A program that reads nothing keeps the writer waiting until its input is closed.
	question = append(question, '\n')
	go func() { _, _ = r.input.Write(question) }()
	for {
		select {
		case l := <-r.lines:
			r.take(result, o, l)
			return
		case <-suspicion:
			if slow == nil || !slow(question) {
				continue
			}
			select {
			case l := <-r.lines: // it was slow, but not as slow as the one that was asked later
				r.take(result, o, l)
			case <-time.After(patience):
				result.Outcome, result.Detail = Silent, readsToEnd
			}
			return
		case <-deadline:
			result.Outcome, result.Detail = TimedOut, fmt.Sprintf("no answer in %v", r.timeout)
			return
		}
	}
}

// take looks at a line that the program wrote.
func (r *process) take(result *Result, o Options, l line) {
	switch {
	case errors.Is(l.err, errLongLine):
		result.Outcome, result.Detail = Malformed, l.err.Error()
		return
	case l.err != nil:
		r.ends(result)
		return
	}
	var got reply
	if err := json.Unmarshal(l.text, &got); err != nil {
		result.Outcome, result.Detail = Malformed, fmt.Sprintf("no JSON object: %s", excerpt(l.text))
		return
	}
	switch {
	case got.ID == nil || *got.ID != result.ID:
		result.Outcome, result.Detail = Malformed, fmt.Sprintf("not the id of the question: %s", excerpt(l.text))
	case got.Unsupported:
		result.Outcome = Unsupported
	case got.Answer == nil:
		result.Outcome, result.Detail = Malformed, fmt.Sprintf("no answer in it: %s", excerpt(l.text))
	default:
		result.judge(o, got.Answer)
	}
}

// ends says how the program ended whose output did.
func (r *process) ends(result *Result) {
	err := r.wait()
	if err == nil {
		result.Outcome, result.Detail = Silent, "the output ended without an answer"
		return
	}
	result.Outcome, result.Detail = Crashed, err.Error()
	if text := r.errors.String(); text != "" {
		result.Detail += ": " + text
	}
}

// wait ends the input and waits for the end of the program, no longer than for an answer.
func (r *process) wait() error {
	r.input.Close()
	kill := time.AfterFunc(r.timeout, func() { killGroup(r.command) })
	defer kill.Stop()
	return r.command.Wait()
}

// end ends the program, if it still runs, and all that it started, and lets go of what it
// held.
func (r *process) end() {
	close(r.stop)
	if r.command.ProcessState == nil { // nobody has waited for it
		// Before the program is waited for, its number is no other's.
		killGroup(r.command)
		_ = r.wait()
	}
	r.output.Close()
}

// tail keeps the last bytes that are written to it. Package exec writes from one
// goroutine, and it is read when that has ended.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	t.text = slices.Delete(t.text, 0, max(0, len(t.text)-maxError))
	return len(p), nil
}

func (t *tail) String() string { return string(bytes.TrimSpace(t.text)) }
