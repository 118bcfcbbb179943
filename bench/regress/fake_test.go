package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// source is a package whose one benchmark does a number of steps and allocates a
// number of times.
const source = `package fake

const steps, allocations = STEPS, ALLOCATIONS

var kept [allocations + 1]*int

func Work(x uint64) uint64 {
	for range steps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	for i := range allocations {
		kept[i] = new(int)
	}
	return x
}
`

const sourceTest = `package fake

import "testing"

func BenchmarkWork(b *testing.B) {
	b.Run("one case", func(b *testing.B) {
		for b.Loop() {
			Work(1)
		}
	})
}
`

// fake is a repository for the test, with a tag for each revision.
type fake struct {
	t   *testing.T
	dir string
}

// newFake makes the repository. It skips the test unless TOLERO_LONG is in the
// environment, as each revision is built.
func newFake(t *testing.T) *fake {
	t.Helper()
	if os.Getenv("TOLERO_LONG") == "" {
		t.Skip("builds several times: with TOLERO_LONG=1")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	f := &fake{t, t.TempDir()}
	f.git("init", "--quiet")
	f.write("go.mod", "module example.com/fake\n\ngo 1.25\n")
	f.write("sub/fake_test.go", sourceTest)
	f.work("1000", "1")
	f.commit("base")
	f.write("sub/README.md", "Something else.\n")
	f.commit("same")
	f.work("1000", "2")
	f.commit("allocates")
	f.work("1100", "1")
	f.commit("slower")
	return f
}

func (f *fake) git(args ...string) string {
	f.t.Helper()
	args = append([]string{"-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"}, args...)
	cmd := exec.Command("git", args...)
	cmd.Dir = f.dir
	text, err := cmd.CombinedOutput()
	if err != nil {
		f.t.Fatalf("git %v: %v\n%s", args, err, text)
	}
	return string(text)
}

func (f *fake) write(name, text string) {
	f.t.Helper()
	path := filepath.Join(f.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		f.t.Fatal(err)
	}
}

// work writes the package.
func (f *fake) work(steps, allocations string) {
	f.write("sub/fake.go", strings.NewReplacer("STEPS", steps, "ALLOCATIONS", allocations).Replace(source))
}

func (f *fake) commit(tag string) {
	f.git("add", ".")
	f.git("commit", "--quiet", "-m", tag)
	f.git("tag", tag)
}
