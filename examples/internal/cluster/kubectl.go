package cluster

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"time"
)

// call is a kubectl that runs. Reading from it reads what kubectl prints.
type call struct {
	kind    string
	cmd     *exec.Cmd
	out     *bufio.Reader
	stderr  tail
	timeout time.Duration
	slow    *time.Timer   // ends kubectl
	late    atomic.Bool   // slow did
	begun   chan struct{} // closed when there is something to read
}

// start runs kubectl for a kind until ctx ends.
func (o *Options) start(ctx context.Context, kind string, more ...string) (*call, error) {
	c := &call{kind: kind, timeout: o.Timeout, begun: make(chan struct{})}
	c.cmd = exec.CommandContext(ctx, "kubectl", append(o.args(kind), more...)...)
	c.cmd.Stderr, c.cmd.WaitDelay = &c.stderr, time.Second
	stdout, err := c.cmd.StdoutPipe()
	c.cmd.Cancel = func() error { // what kubectl itself has started may keep its output open
		stdout.Close()
		return c.cmd.Process.Kill()
	}
	if err == nil {
		err = c.cmd.Start()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("kubectl is not on the PATH: install it, or give what it prints elsewhere with -f")
	} else if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(stdout, 64<<10)
	c.slow = time.AfterFunc(cmp.Or(c.timeout, forever), func() { c.late.Store(true); _ = c.cmd.Cancel() })
	go func() {
		_, _ = c.out.Peek(1) // Read returns the error
		c.slow.Stop()
		close(c.begun)
	}()
	return c, nil
}

// forever is longer than anybody waits.
const forever = 1 << 62

// Read waits at most the timeout for what kubectl prints next.
func (c *call) Read(p []byte) (int, error) {
	<-c.begun
	c.slow.Reset(cmp.Or(c.timeout, forever))
	defer c.slow.Stop()
	return c.out.Read(p)
}

// empty reports whether there is nothing more to read, and waits for that.
func (c *call) empty() bool {
	<-c.begun
	_, err := c.out.Peek(1)
	return err != nil
}

// end waits for kubectl, and returns why it failed. It ends one of whose output there is more.
func (c *call) end() error {
	whole := c.empty()
	if !whole {
		_ = c.cmd.Cancel()
	}
	err := c.cmd.Wait()
	switch {
	case !whole:
		return nil
	case c.late.Load():
		return fmt.Errorf("no answer for %v; -timeout sets how long to wait", c.timeout)
	case err != nil:
		return errors.New(cmp.Or(c.stderr.message(), err.Error()))
	}
	return nil
}

// tail keeps the end of what kubectl says on standard error.
type tail struct{ text []byte }

const mostSaid = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-mostSaid):]
	return len(p), nil
}

var (
	logLine = regexp.MustCompile(`^[EWI]\d{4} `) // of klog, before the message for people
	secret  = regexp.MustCompile(`(?i)(bearer\s+|(?:token|password|secret)["']?\s*[:=]\s*["']?)[^\s"',;]+|eyJ[\w-]{8,}(?:\.[\w-]*)*`)
)

// message returns what kubectl said for people, in one line and without secrets: credential
// plugins may print anything.
func (t *tail) message() string {
	var said []string
	for line := range strings.Lines(string(t.text)) {
		if line = strings.TrimSpace(line); line != "" && !logLine.MatchString(line) {
			said = append(said, line)
		}
	}
	return secret.ReplaceAllString(strings.Join(said, "; "), "$1(hidden)")
}
