package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	progressDelay = time.Second            // shorter tasks need no bar
	progressPace  = 100 * time.Millisecond // between two drawings
)

// uncounted is the total of a task that has no steps to count.
const uncounted = -1

// progress shows how far a task is, in a line on a terminal that is erased when
// the task is done. All methods of a nil *progress do nothing. Several goroutines
// may call add at a time.
type progress struct {
	out   io.Writer
	label string
	total int64 // 0: unknown; or uncounted
	done  atomic.Int64

	quit    chan struct{}
	stopped sync.WaitGroup
}

// progress starts to show a task, if standard error is a terminal.
func (p *program) progress(label string, total int64) *progress {
	if !isTerminal(p.stderr) {
		return nil
	}
	bar := &progress{out: p.stderr, label: label, total: total, quit: make(chan struct{})}
	bar.stopped.Go(bar.show)
	return bar
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

// add counts n more steps as done.
func (b *progress) add(n int64) {
	if b != nil {
		b.done.Add(n)
	}
}

// stop ends the task and erases the line.
func (b *progress) stop() {
	if b != nil {
		close(b.quit)
		b.stopped.Wait()
	}
}

func (b *progress) show() {
	select {
	case <-b.quit:
		return
	case <-time.After(progressDelay):
	}
	ticker := time.NewTicker(progressPace)
	defer ticker.Stop()
	for {
		fmt.Fprintf(b.out, "\r\x1b[K%s", b.line())
		select {
		case <-b.quit:
			fmt.Fprint(b.out, "\r\x1b[K")
			return
		case <-ticker.C:
		}
	}
}

// line returns what is shown: a bar, or a number if the total is unknown.
func (b *progress) line() string {
	done := b.done.Load()
	switch {
	case b.total == uncounted:
		return b.label + " ..."
	case b.total <= 0:
		return b.label + " " + thousands(done)
	}
	const width = 40
	done = min(done, b.total)
	filled := int(float64(done) / float64(b.total) * width)
	return fmt.Sprintf("%s [%s%s] %3d %%", b.label,
		strings.Repeat("#", filled), strings.Repeat(".", width-filled), int(float64(done)/float64(b.total)*100))
}

// reader returns a reader that counts what is read.
func (b *progress) reader(r io.Reader) io.Reader {
	if b == nil {
		return r
	}
	return &progressReader{r, b}
}

type progressReader struct {
	io.Reader
	bar *progress
}

func (r *progressReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.bar.add(int64(n))
	return n, err
}
