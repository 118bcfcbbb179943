// Package progress shows on a terminal how far a task is.
package progress

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	delay = time.Second            // shorter runs need no bar
	pace  = 100 * time.Millisecond // between two drawings
)

// begun is when the program started: a run of many short tasks is a long one too.
var begun = time.Now()

// Observe is called with the label of each task if it is not nil, for tests of programs. It
// must not be changed while tasks start.
var Observe func(label string)

// Totals that are not numbers of steps.
const (
	Unknown   = 0  // bytes are counted, but nobody knows how many there will be
	Uncounted = -1 // there are no steps to count
)

// Bar shows how far a task is, in a line that is erased when the task is done.
// All methods of a nil *Bar do nothing. Several goroutines may call Add at a time.
type Bar struct {
	out   io.Writer
	label string
	total int64
	begun time.Time
	done  atomic.Int64

	quit    chan struct{}
	stopped sync.WaitGroup
}

// Start starts to show a task of that many steps if w is a terminal, and returns
// nil if it is not. Nothing is shown in the first second of the program.
func Start(w io.Writer, label string, total int64) *Bar {
	if Observe != nil {
		Observe(label)
	}
	if !isTerminal(w) {
		return nil
	}
	return start(w, label, total, begun)
}

func start(w io.Writer, label string, total int64, begun time.Time) *Bar {
	b := &Bar{out: w, label: label, total: total, begun: begun, quit: make(chan struct{})}
	b.stopped.Go(b.show)
	return b
}

// isTerminal reports whether w is a character device.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Add counts n more steps as done.
func (b *Bar) Add(n int64) {
	if b != nil {
		b.done.Add(n)
	}
}

// Stop ends the task and erases the line.
func (b *Bar) Stop() {
	if b != nil {
		close(b.quit)
		b.stopped.Wait()
	}
}

func (b *Bar) show() {
	select {
	case <-b.quit:
		return
	case <-time.After(delay - time.Since(b.begun)):
	}
	tick := time.Tick(pace)
	for {
		fmt.Fprintf(b.out, "\r\x1b[K%s", b.line())
		select {
		case <-b.quit:
			fmt.Fprint(b.out, "\r\x1b[K")
			return
		case <-tick:
		}
	}
}

// line returns what is shown: a share, a number of megabytes, or the label alone.
func (b *Bar) line() string {
	done := b.done.Load()
	switch b.total {
	case Uncounted:
		return b.label + " ..."
	case Unknown:
		return fmt.Sprintf("%s %d MB", b.label, done/1e6)
	}
	return fmt.Sprintf("%s %d %%", b.label, 100*min(done, b.total)/b.total)
}

// Reader returns a reader that counts the bytes that are read from r.
func (b *Bar) Reader(r io.Reader) io.Reader {
	if b == nil {
		return r
	}
	return &reader{r, b}
}

type reader struct {
	io.Reader
	bar *Bar
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.bar.Add(int64(n))
	return n, err
}
