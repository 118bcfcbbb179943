package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// writeFiles writes the files that are not up to date.
func writeFiles(files []file) error {
	for _, f := range files {
		if old, err := os.ReadFile(f.name); err == nil && bytes.Equal(old, f.text) {
			continue
		}
		if err := os.WriteFile(f.name, f.text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// errStale means that a file is not up to date.
var errStale = errors.New("not up to date")

// check compares the files with what is there, shows what differs, and returns
// errStale if anything does.
func check(files []file, out io.Writer) (err error) {
	for _, f := range files {
		old, reading := os.ReadFile(f.name)
		switch {
		case errors.Is(reading, fs.ErrNotExist):
			fmt.Fprintf(out, "%s is missing\n", f.name)
			err = errStale
		case reading != nil:
			return reading
		case !bytes.Equal(old, f.text):
			fmt.Fprintf(out, "%s is not up to date (- is there, + should be):\n%s", f.name, diff(string(old), string(f.text)))
			err = errStale
		}
	}
	return err
}

// manyCells is how large a table of line pairs may be. Where it would be larger,
// all lines are shown.
const manyCells = 4_000_000

// diff returns the lines that differ between two texts, those of the old one with their
// numbers. It finds a longest common subsequence of the lines.
func diff(old, new string) string {
	a, b := strings.Split(old, "\n"), strings.Split(new, "\n")
	length := make([][]int32, len(a)+1) // length[i][j] is how many lines a[i:] and b[j:] have in common
	for i := len(a); i >= 0 && len(a)*len(b) <= manyCells; i-- {
		length[i] = make([]int32, len(b)+1)
		for j := len(b) - 1; j >= 0 && i < len(a); j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var d strings.Builder
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || length[i] == nil || length[i+1][j] >= length[i][j+1]):
			fmt.Fprintf(&d, "%d: -%s\n", i+1, a[i])
			i++
		default:
			fmt.Fprintf(&d, "%d: +%s\n", i+1, b[j])
			j++
		}
	}
	return d.String()
}
