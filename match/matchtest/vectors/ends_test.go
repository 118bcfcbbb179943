//go:build unix

package vectors_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match/matchtest/vectors"
)

// TestEveryProcessEnds: when Drive returns, no process that it started is left, be it that
// the program broke and was started again, or that it does not end with its input.
func TestEveryProcessEnds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		mistake string
		started int // for 22 questions: one process for each five if the fifth breaks it
	}{{"none", 1}, {"silence", 5}, {"stays", 5}, {"lingers", 1}} {
		t.Run(test.mistake, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			timeout := time.Minute
			if test.mistake == "lingers" {
				timeout = 3 * time.Second
			}
			start := time.Now()
			_, err := vectors.Drive(some(t), vectors.Options{}, vectors.Program{
				Command: []string{os.Args[0]}, Env: append(environment(t, test.mistake), numbersVariable+"="+dir), Timeout: timeout})
			if err != nil {
				t.Fatal(err)
			}
			// One that broke has no time to end by itself.
			if d := time.Since(start); d > time.Minute {
				t.Errorf("it took %v", d)
			}
			files, err := os.ReadDir(dir)
			if err != nil || len(files) != test.started {
				t.Fatalf("%v; %d processes, want %d", err, len(files), test.started)
			}
			for _, file := range files {
				number, err := strconv.Atoi(file.Name())
				if err != nil {
					t.Fatal(err)
				}
				if err := syscall.Kill(number, 0); !errors.Is(err, syscall.ESRCH) {
					t.Errorf("process %d is left: %v", number, err)
				}
			}
		})
	}
}

// TestNothingIsLeft: when Drive has returned, it holds no file and no goroutine, whatever
// became of the program. Files that are forgotten are closed by the garbage collector, which
// is off meanwhile.
func TestNothingIsLeft(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	cases := some(t)
	files := func() int {
		open, err := os.ReadDir("/dev/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(open)
	}
	drive := func() {
		for _, mistake := range []string{"none", "silence", "stays"} {
			_ = drive(t, mistake, vectors.Options{}, 0)
		}
		if _, err := vectors.Drive(cases, vectors.Options{}, vectors.Program{Command: []string{"/no/such/program"}}); err == nil {
			t.Error("no error")
		}
	}
	drive() // package os opens what it keeps
	goroutines, open := runtime.NumGoroutine(), files()
	for range 2 {
		drive()
	}
	if n := files(); n != open {
		t.Errorf("%d files are open, were %d", n, open)
	}
	// A goroutine that was told to end does so soon.
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > goroutines && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("%d goroutines, were %d", n, goroutines)
	}
}

// TestTimeToEnd: a program that did not break may write its report after its last answer.
func TestTimeToEnd(t *testing.T) {
	dir := t.TempDir()
	_, err := vectors.Drive(some(t)[:2], vectors.Options{}, vectors.Program{
		Command: []string{os.Args[0], filepath.Join(dir, "report")}, Env: environment(t, "report"), Timeout: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "report")); err != nil {
		t.Error(err)
	}
}
