package outage

import (
	"io"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
)

// The bar ends before the output is written: nothing draws over it.
func TestBarEnds(t *testing.T) {
	terminal, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // a character device
	if err != nil {
		t.Skip(err)
	}
	defer terminal.Close()
	before := runtime.NumGoroutine()
	p := &command.Program{Stdout: io.Discard, Stderr: terminal}
	if status := Command.Do(p, []string{"-for", "1s"}); status != 0 {
		t.Fatalf("status %d", status)
	}
	for range 1000 { // a goroutine that is done may take a moment to go
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}
