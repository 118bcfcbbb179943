package main

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestProgress runs with a clock of its own.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		start := func(total int64) *progress {
			out.Reset()
			b := &progress{out: &out, label: "sweeping", total: total, quit: make(chan struct{})}
			b.stopped.Go(b.show)
			return b
		}
		b := start(200)
		b.add(200)
		time.Sleep(900 * time.Millisecond)
		if b.stop(); out.Len() > 0 {
			t.Errorf("a short task shows %q", &out)
		}

		b = start(200)
		b.add(50)
		time.Sleep(1050 * time.Millisecond)
		b.add(100)
		time.Sleep(100 * time.Millisecond)
		b.stop()
		want := "\r\x1b[Ksweeping [##########..............................]  25 %" +
			"\r\x1b[Ksweeping [##############################..........]  75 %\r\x1b[K"
		if out.String() != want {
			t.Errorf("got  %q\nwant %q", &out, want)
		}

		b = start(0)
		b.add(12345)
		time.Sleep(1050 * time.Millisecond)
		if b.stop(); out.String() != "\r\x1b[Ksweeping 12,345\r\x1b[K" {
			t.Errorf("got %q", &out)
		}

		b = start(uncounted)
		time.Sleep(1050 * time.Millisecond)
		if b.stop(); out.String() != "\r\x1b[Ksweeping ...\r\x1b[K" {
			t.Errorf("got %q", &out)
		}
	})
	var none *progress
	none.add(1)
	none.stop()
	if r := strings.NewReader("x"); none.reader(r) != r {
		t.Error("a reader without a bar is wrapped")
	}
	if isTerminal(&bytes.Buffer{}) || quiet().progress("", 1) != nil {
		t.Error("a buffer is taken for a terminal")
	}
}
