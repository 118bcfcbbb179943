// Package golden compares output with files under testdata. It is for tests.
//
//	go test ./examples/... -update
//
// writes the files instead.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// Check fails the test if text is not what the file of that name under testdata
// holds. With the flag -update it writes the file first.
func Check(t *testing.T, name, text string) {
	t.Helper()
	CheckFile(t, filepath.Join("testdata", name), text)
}

// CheckFile is Check for a file anywhere.
func CheckFile(t *testing.T, name, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("%s differs (-want +got); if that is right, run go test -update:\n%s", name, diff)
	}
}

// Unwrapped returns what a program wrote to stderr with each error on one line: further lines
// of an error begin with four spaces.
func Unwrapped(stderr string) string { return further.ReplaceAllString(stderr, " $1") }

var further = regexp.MustCompile(`\n    (\S)`)
