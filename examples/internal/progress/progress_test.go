package progress

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestBar runs with a clock of its own.
func TestBar(t *testing.T) {
	const clear = "\r\x1b[K"
	for _, test := range []struct {
		name  string
		total int64
		steps []int64 // the first before the bar is drawn, then one for each drawing
		want  string
	}{
		{"steps", 200, []int64{50, 100}, clear + "work 25 %" + clear + "work 75 %" + clear},
		{"too many steps", 2, []int64{3}, clear + "work 100 %" + clear},
		{"one step", 1, []int64{1}, clear + "work 100 %" + clear},
		{"an unknown number", Unknown, []int64{12345678}, clear + "work 12 MB" + clear},
		{"none to count", Uncounted, []int64{1}, clear + "work ..." + clear},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				b := start(&out, "work", test.total, time.Now())
				b.Add(test.steps[0])
				time.Sleep(delay + pace/2)
				for _, n := range test.steps[1:] {
					b.Add(n)
					time.Sleep(pace)
				}
				if b.Stop(); out.String() != test.want {
					t.Errorf("got  %q\nwant %q", &out, test.want)
				}
			})
		})
	}
}

func TestShortTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		b := start(&out, "work", 2, time.Now())
		time.Sleep(delay - 1)
		if b.Stop(); out.Len() > 0 {
			t.Errorf("a short task shows %q", &out)
		}
	})
}

// The line is drawn after a second, and then ten times a second.
func TestPace(t *testing.T) {
	for wait, want := range map[time.Duration]int{time.Second - 1: 0, time.Second + 1: 1, 2*time.Second - 1: 10, 2*time.Second + 1: 11} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			b := start(&out, "work", Uncounted, time.Now())
			time.Sleep(wait)
			if b.Stop(); strings.Count(out.String(), "work") != want {
				t.Errorf("after %v: %q, want %d drawings", wait, &out, want)
			}
		})
	}
}

// The second without a bar is that of the whole run, not of each task.
func TestManyShortTasks(t *testing.T) {
	for work, want := range map[time.Duration]int{250 * time.Millisecond: 0, 499 * time.Millisecond: 0, 501 * time.Millisecond: 1, 999 * time.Millisecond: 10, 5050 * time.Millisecond: 41 + 51} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			begun := time.Now()
			for range 2 {
				b := start(&out, "work", Uncounted, begun)
				time.Sleep(work)
				b.Stop()
			}
			if n := strings.Count(out.String(), "work"); n != want {
				t.Errorf("two tasks of %v each: %d drawings, want %d", work, n, want)
			}
		})
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer null.Close()
	for range 2 {
		b := Start(null, "work", 1)
		if b.Stop(); b.begun != begun {
			t.Errorf("the run begins at %v, and again at %v", begun, b.begun)
		}
	}
}

func TestReader(t *testing.T) {
	b := start(io.Discard, "reading", Unknown, time.Now())
	defer b.Stop()
	if text, err := io.ReadAll(b.Reader(strings.NewReader("12345"))); string(text) != "12345" || err != nil || b.done.Load() != 5 {
		t.Errorf("%q, %v, %s", text, err, b.line())
	}
}

// Nothing is shown, and nothing wrapped, where there is no terminal.
func TestNoTerminal(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, w := range []io.Writer{&bytes.Buffer{}, file, (*os.File)(nil)} {
		b := Start(w, "work", 1)
		if b != nil {
			t.Errorf("%T is taken for a terminal", w)
		}
		b.Add(1)
		b.Stop()
		if r := strings.NewReader("x"); b.Reader(r) != r {
			t.Error("a reader without a bar is wrapped")
		}
	}
}

// The null device is a character device, as a terminal is.
func TestTerminal(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer null.Close()
	b := Start(null, "work", 1)
	if b == nil {
		t.Error("a device is not taken for a terminal")
	}
	b.Stop()
}

// Tests of programs hear of each task, in order, though no terminal shows it.
func TestObserve(t *testing.T) {
	var labels []string
	Observe = func(label string) { labels = append(labels, label) }
	defer func() { Observe = nil }()
	for _, label := range []string{"reading", "sorting"} {
		if Start(io.Discard, label, Uncounted) != nil {
			t.Error("a bar without a terminal")
		}
	}
	if got := strings.Join(labels, " "); got != "reading sorting" {
		t.Errorf("heard of %q", got)
	}
}
