package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// errStale means that a file is not up to date.
var errStale = errors.New("not up to date")

// check compares the files with what is there, shows what differs, and returns
// errStale if anything does.
func check(files []file, out io.Writer) error {
	stale := false
	for _, f := range files {
		old, err := os.ReadFile(f.name)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(out, "%s is missing\n", f.name)
			stale = true
			continue
		}
		if err != nil {
			return err
		}
		if difference := diff(string(old), string(f.text)); difference != "" {
			fmt.Fprintf(out, "%s is not up to date (- is there, + should be):\n%s", f.name, difference)
			stale = true
		}
	}
	if stale {
		return errStale
	}
	return nil
}
