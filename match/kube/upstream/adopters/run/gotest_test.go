package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestOutcome counts tests and those inside them, specs of Ginkgo, and not ours.
func TestOutcome(t *testing.T) {
	o := newOutcome()
	err := o.read(strings.NewReader(`{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestA/one"}
{"Action":"fail","Package":"p","Test":"TestA/two"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"q","Test":"TestA"}
{"Action":"skip","Package":"q","Test":"TestB"}
{"Action":"pass","Package":"q","Test":"TestTolero"}
{"Action":"output","Package":"q","Test":"TestTolero","Output":"TOLERO same 7\n"}
{"Action":"output","Package":"q","Test":"TestS","Output":"\u001b[1mRan 11 of 12 Specs in 0.1 seconds\u001b[0m\n"}
{"Action":"output","Package":"q","Test":"TestS","Output":"\u001b[38mFAIL!\u001b[0m -- \u001b[32m9 Passed\u001b[0m | \u001b[91m2 Failed\u001b[0m | 0 Pending\n"}
{"Action":"pass","Package":"q"}
`), false)
	if err != nil {
		t.Fatal(err)
	}
	if run, passed := o.tests(); run != 15 || passed != 11 {
		t.Errorf("%d run, %d passed", run, passed)
	}
	if len(o.output) != 1 || o.output[0] != "same 7" {
		t.Errorf("%q", o.output)
	}
}

// TestUnbuilt shows that a package that does not build is an error, also beside one with a
// test that fails.
func TestUnbuilt(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module example.com/m\n\ngo 1.26\n",
		"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { t.Fatal() }\n",
		"b/b_test.go": "package b\n\nimport \"testing\"\n\nfunc TestB(t *testing.T) { undefined() }\n",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if o, err := goTest(t.Context(), dir, false, "./a"); err != nil || len(o.failed) != 1 {
		t.Errorf("%v, %+v", err, o)
	}
	if _, err := goTest(t.Context(), dir, false, "./..."); err == nil || !strings.Contains(err.Error(), "undefined") {
		t.Errorf("got the error %v", err)
	}
}

// TestTimeIsLimited ends what a command started when the time is over: a child that
// lived would keep the pipe open, and the command would be waited for longer.
func TestTimeIsLimited(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	cmd := limited(ctx, t.TempDir(), "sh", "-c", "sleep 60 & wait")
	cmd.WaitDelay = 30 * time.Second
	start := time.Now()
	_, err := cmd.Output()
	if err == nil || errors.Is(err, exec.ErrWaitDelay) || time.Since(start) > 20*time.Second {
		t.Errorf("%v after %s", err, time.Since(start))
	}
}
