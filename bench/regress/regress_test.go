package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

type ran struct {
	status         int
	stdout, stderr string
}

// regress runs the program on a fake repository, without benchstat and with
// short runs unless args say otherwise.
func regress(ctx context.Context, f *fake, args ...string) ran {
	var stdout, stderr bytes.Buffer
	args = append([]string{"-repository", f.dir, "-packages", "./...", "-count", "2", "-benchtime", "10ms", "-benchstat", "", "-apidiff", ""}, args...)
	status := run(ctx, args, &stdout, &stderr)
	return ran{status, stdout.String(), stderr.String()}
}

func needValgrind(t *testing.T) {
	t.Helper()
	if err := canCount(t.Context(), t.TempDir(), os.Args[0]); err != nil {
		t.Skip(err)
	}
}

// fakeValgrind puts a script in the place of valgrind.
func fakeValgrind(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "valgrind"), []byte("#!/bin/sh\n"+script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// The runtime is told not to use RDTSCP, beside what GODEBUG says already.
func TestValgrindEnvironment(t *testing.T) {
	for given, want := range map[string]string{"": "cpu.rdtscp=off", "madvdontneed=1": "madvdontneed=1,cpu.rdtscp=off"} {
		t.Setenv("GODEBUG", given)
		seen := filepath.Join(t.TempDir(), "seen")
		fakeValgrind(t, `echo "$GODEBUG $GOMAXPROCS $GOGC" >`+seen+`; echo "summary: 7" >"${3#*=}"`)
		count, err := cachegrind(t.Context(), t.TempDir(), ".", "binary")
		if text, _ := os.ReadFile(seen); err != nil || count != 7 || string(text) != want+" 1 off\n" {
			t.Errorf("GODEBUG=%s: %v, %v instructions, ran with %s", given, err, count, text)
		}
	}
}

// Where valgrind cannot run a Go program, the report says so and why, and the rest is judged.
func TestValgrindCannotRunGo(t *testing.T) {
	f := newFake(t)
	fakeValgrind(t, "echo 'unrecognised instruction 0F 01 F9' >&2; kill -ILL $$")
	r := regress(t.Context(), f, "-old", "base", "-new", "allocates")
	for _, want := range []string{
		"the allocations of 1 benchmarks, the instructions of 0\ninstructions were not counted: valgrind cannot run a Go program on this machine: valgrind --tool=cachegrind",
		": signal: illegal instruction", "unrecognised instruction 0F 01 F9\n", "allocs/op  1 -> 2",
	} {
		if r.status != 1 || !strings.Contains(r.stdout, want) {
			t.Errorf("status %d, it does not say %q:\n%s%s", r.status, want, r.stdout, r.stderr)
		}
	}
}

func TestInstructions(t *testing.T) {
	f := newFake(t)
	needValgrind(t)
	for _, test := range []struct {
		new    string
		status int
		want   string
	}{
		{"same", 0, "the allocations of 1 benchmarks, the instructions of 1\nsame  sub  Work/one_case  instructions/op"},
		{"slower", 1, "WORSE  sub  Work/one_case  instructions/op"},
	} {
		t.Run(test.new, func(t *testing.T) {
			t.Parallel() // nothing depends on how long anything takes
			r := regress(t.Context(), f, "-rounds", "2", "-old", "base", "-new", test.new)
			if r.status != test.status {
				t.Errorf("status %d, want %d", r.status, test.status)
			}
			if !strings.Contains(r.stdout, test.want) {
				t.Errorf("it does not say %q:\n%s%s", test.want, r.stdout, r.stderr)
			}
		})
	}
}

// What is not committed is compared too, benchstat gets the results of both in
// turns, and they are kept where asked.
func TestWorkingTree(t *testing.T) {
	f := newFake(t)
	f.work("1000", "3")
	results := t.TempDir()
	r := regress(t.Context(), f, "-instructions=false", "-old", "base", "-benchstat", "echo compares", "-results", results)
	if r.status != 1 || !strings.Contains(r.stdout, "allocs/op  1 -> 3") {
		t.Errorf("status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	for _, name := range []string{"old.txt", "new.txt"} {
		text, err := os.ReadFile(filepath.Join(results, name))
		if err != nil || bytes.Count(text, []byte("BenchmarkWork/one_case")) != 2 {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	if want := "compares old=" + filepath.Join(results, "old.txt") + " new=" + filepath.Join(results, "new.txt") + "\n"; !strings.HasPrefix(r.stdout, want) {
		t.Errorf("it does not start with %q:\n%s", want, r.stdout)
	}
}

// What the revisions export is compared, by a tool that is asked about each of them in
// its module and then about both. It judges nothing.
func TestAPI(t *testing.T) {
	f := newFake(t)
	tool := filepath.Join(f.dir, "tools", "tool")
	f.write("tools/tool", "#!/bin/sh\nif [ \"$2\" = -w ]; then pwd >\"$3\"; echo \"$4\" >>\"$3\"; else cat \"$2\" \"$3\"; fi\n")
	if err := os.Chmod(tool, 0o777); err != nil {
		t.Fatal(err)
	}
	r := regress(t.Context(), f, "-instructions=false", "-old", "base", "-new", "same", "-apidiff", "sh "+tool)
	want := regexp.MustCompile(`(?m)^exported API, old \(base\) and new \(same\):\n.*/old\nexample.com/fake\n.*/new\nexample.com/fake\n`)
	if r.status != 0 || !want.MatchString(r.stdout) {
		t.Errorf("status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	r = regress(t.Context(), f, "-instructions=false", "-old", "base", "-new", "same", "-apidiff", "true")
	if r.status != 0 || !strings.Contains(r.stdout, "exported API: same\n") {
		t.Errorf("status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
}

// Whatever happens, nothing stays behind: neither in the directory for temporary
// files nor in the repository.
func TestNothingStaysBehind(t *testing.T) {
	for _, test := range []struct {
		name   string
		during string // what is being done when it is interrupted; empty for never
		args   []string
		want   string
	}{
		{"interrupted while unpacking", "unpacking new", nil, "regress: interrupted"},
		{"interrupted while building", "building sub of new", nil, "regress: interrupted"},
		{"interrupted while running", "run 2", []string{"-benchtime", "1h"}, "regress: interrupted"},
		{"no such revision", "", []string{"-new", "none"}, "git archive none"},
		{"no such package", "", []string{"-packages", "./none"}, "no package of ./none has tests in both revisions"},
		{"no such benchmark", "", []string{"-bench", "none"}, `no benchmark of both revisions matches "none"`},
		{"apidiff fails", "", []string{"-apidiff", "go no-such-command"}, "go no-such-command"},
		{"benchstat fails", "", []string{"-benchstat", "go no-such-command"}, "go no-such-command"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFake(t)
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			stderr := &watcher{until: test.during, then: cancel}
			if strings.Contains(test.during, "run") {
				stderr.until, stderr.then = "run 1", func() { time.AfterFunc(100*time.Millisecond, cancel) }
			}
			args := []string{"-repository", f.dir, "-packages", "./sub", "-old", "base", "-new", "same",
				"-count", "1", "-benchtime", "1ms", "-benchstat", "", "-apidiff", "", "-instructions=false"}
			status := run(ctx, append(args, test.args...), &bytes.Buffer{}, stderr)
			if status != 1 || !strings.Contains(stderr.String(), test.want) {
				t.Errorf("status %d, want 1; stderr does not say %q:\n%s", status, test.want, stderr)
			}
			if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
				t.Errorf("%v, left behind: %v", err, left)
			}
			if changes := f.git("status", "--porcelain") + f.git("worktree", "list", "--porcelain"); strings.Count(changes, "\n\n") != 1 || !strings.HasPrefix(changes, "worktree ") {
				t.Errorf("the repository has changed:\n%s", changes)
			}
		})
	}
}

// watcher is the standard error of a program; it does something once that says
// what it waits for.
type watcher struct {
	bytes.Buffer
	until string
	then  func()
}

func (w *watcher) Write(text []byte) (int, error) {
	if w.until != "" && bytes.HasPrefix(text, []byte(w.until)) {
		w.then()
	}
	return w.Buffer.Write(text)
}

func TestUsage(t *testing.T) {
	for want, args := range map[string][]string{
		`argument "HEAD": there are only flags`:  {"HEAD"},
		"-old is empty, want a revision":         {"-old", ""},
		`revision "--output=x" starts with`:      {"-new", "--output=x"},
		"-count is 0, want 1 or more":            {"-count", "0"},
		"-rounds is 0, want 1 or more":           {"-rounds", "0"},
		"-tolerance is NaN, want a part such as": {"-tolerance", "NaN"},
		"-tolerance is -1, want a part such as":  {"-tolerance", "-1"},
		"-bench: error parsing regexp":           {"-bench", "a/("},
		"not defined: -x":                        {"-x"},
	} {
		var stderr bytes.Buffer
		if status := run(t.Context(), args, &stderr, &stderr); status != 2 || !strings.Contains(stderr.String(), want) {
			t.Errorf("%q: status %d, want 2; stderr does not say %q:\n%s", args, status, want, &stderr)
		}
	}
	if status := run(t.Context(), []string{"-h"}, &bytes.Buffer{}, &bytes.Buffer{}); status != 0 {
		t.Errorf("-h: status %d", status)
	}
}

// A pattern is of one benchmark and no other, whatever its name.
func TestExactly(t *testing.T) {
	if got, want := exactly("A/b+c/n=1"), `^BenchmarkA$/^b\+c$/^n=1$`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
