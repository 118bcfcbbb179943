package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// write makes files, with their folders, below dir.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// fake makes an adopter that requires a module with one package, whose tests come in two
// turns: with the project as it is, and rewritten, which does not build without match/kube.
func fake(t *testing.T, test string) (chosen []project, adopters string) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"adopters/fake/go.mod": "module example.com/fake\n\ngo 1.26\n\nrequire example.com/p v1.0.0\n\nreplace example.com/p => ../../p\n",
		"adopters/fake/go.sum": "",
		"p/go.mod":             "module example.com/p\n\ngo 1.26\n",
		"p/ask/ask.go":         "package ask\n",
		"p/ask/ask_test.go":    "package ask\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestAsk(t *testing.T) {\n\tos.MkdirTemp(\"\", \"left\")\n\t" + test + "\n}\n",
	})
	t.Setenv("GOPROXY", "off")
	t.Setenv("TMPDIR", filepath.Join(dir, "tmp")) // where nothing may be left
	write(t, dir, map[string]string{"tmp/other": ""})
	return []project{{
		name: "fake", module: "example.com/p", packages: []string{"ask"},
		files: []file{{"example.com/p/ask", "ask.go", 0, nil}},
	}}, filepath.Join(dir, "adopters")
}

// list returns the names in a folder.
func list(t *testing.T, dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestNothingIsLeft of a run in which a package does not build, a project takes too long, or
// which is interrupted: neither links nor what the go command and the tests wrote.
func TestNothingIsLeft(t *testing.T) {
	cache := ""
	for _, c := range []struct {
		name, test, want string
		end              func(cancel context.CancelFunc)
	}{
		{"unbuilt before", "missing()", "fake: before: go test", nil},
		{"unbuilt after", "", "fake: after: go test", nil},
		{"time is over", "select {}", "context deadline exceeded", nil},
		{"interrupted", "select {}", "fake: before: context canceled", func(cancel context.CancelFunc) {
			for found := []string(nil); found == nil; time.Sleep(time.Millisecond) {
				found, _ = filepath.Glob(filepath.Join(cache, "tolero-adopters", "temp", "left*"))
			}
			cancel()
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache = t.TempDir()
			chosen, adopters := fake(t, c.test)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.end != nil {
				go c.end(cancel)
			} else if c.test == "select {}" {
				var done context.CancelFunc
				ctx, done = context.WithTimeout(ctx, 2*time.Second)
				defer done()
			}
			_, err := run(ctx, chosen, adopters, cache, false)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got the error %v, want %s", err, c.want)
			}
			if left := list(t, cache); left != nil {
				t.Errorf("left %q", left)
			}
			if left := list(t, os.Getenv("TMPDIR")); len(left) != 1 {
				t.Errorf("left %q", left)
			}
		})
	}
}

// TestWorkspace shows that one run at a time has the folder, and that the next run takes it
// over from one that was killed.
func TestWorkspace(t *testing.T) {
	cache := t.TempDir()
	write(t, cache, map[string]string{"tolero-adopters/temp/go-build1/a.o": "", "module/go.mod": ""})
	if err := os.Symlink(filepath.Join(cache, "module"), filepath.Join(cache, "tolero-adopters", "link")); err != nil {
		t.Fatal(err)
	}
	w, err := open(cache)
	if err != nil {
		t.Fatal(err)
	}
	if left := append(list(t, w.dir), list(t, w.temp())...); len(left) != 1 {
		t.Errorf("left %q", left)
	}
	name, err := w.link("/m/sigs.k8s.io/kueue@v1")
	if err != nil || filepath.Base(name) != "sigs.k8s.io-kueue@v1" {
		t.Errorf("%s, %v", name, err)
	}
	if again, err := w.link("/m/sigs.k8s.io/kueue@v1"); again != name || err != nil {
		t.Errorf("%s, %v", again, err)
	}
	if _, err := open(cache); err == nil || !strings.HasPrefix(err.Error(), "another run has ") {
		t.Errorf("got the error %v", err)
	}
	if err := w.close(); err != nil || !slices.Equal(list(t, cache), []string{"module"}) {
		t.Errorf("%v, left %q", err, list(t, cache))
	}
	if left := list(t, filepath.Join(cache, "module")); len(left) != 1 {
		t.Errorf("the folder that a link leads to has %q", left)
	}
}

// TestNotOfARun leaves alone what no run has made, and what a link with the name of the
// folder leads to.
func TestNotOfARun(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"another file":         {"tolero-adopters/notes": "", "tolero-adopters/temp/a": ""},
		"another folder":       {"tolero-adopters/notes/a": "", "tolero-adopters/temp/a": ""},
		"a file named as temp": {"tolero-adopters/temp": ""},
		"a link":               {"elsewhere/temp/a": ""},
		"a file":               {"tolero-adopters": ""},
	} {
		t.Run(name, func(t *testing.T) {
			cache := t.TempDir()
			write(t, cache, files)
			if name == "a link" {
				if err := os.Symlink(filepath.Join(cache, "elsewhere"), filepath.Join(cache, "tolero-adopters")); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := open(cache); err == nil || !strings.Contains(err.Error(), "tolero-adopters") {
				t.Errorf("got the error %v", err)
			}
			for file := range files {
				if _, err := os.Stat(filepath.Join(cache, file)); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
