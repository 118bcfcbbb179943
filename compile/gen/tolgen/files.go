package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
)

// writeAll writes the files, each in one step: it puts all of the new texts
// beside the old ones first, so that a full disk or a missing folder is noticed
// before any file has changed. Files that are up to date are left alone.
func writeAll(files []file) error {
	var staged []stagedFile
	defer func() {
		for _, s := range staged {
			os.Remove(s.temporary) // fails, rightly, for those that are in place
		}
	}()
	for _, f := range files {
		if old, err := os.ReadFile(f.name); err == nil && bytes.Equal(old, f.text) {
			continue
		}
		s, err := stage(f)
		if err != nil {
			return err
		}
		staged = append(staged, s)
	}
	for _, s := range staged {
		if err := os.Rename(s.temporary, s.name); err != nil {
			return err
		}
	}
	return nil
}

// stagedFile is a text that is on disk but not in its place.
type stagedFile struct{ temporary, name string }

// stage writes the text beside the file, with the permissions of the file.
func stage(f file) (s stagedFile, err error) {
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(f.name); err == nil {
		mode = info.Mode().Perm()
	}
	out, err := os.CreateTemp(filepath.Dir(f.name), ".tolgen-*")
	if err != nil {
		return s, err
	}
	s = stagedFile{out.Name(), f.name}
	defer func() {
		if closing := out.Close(); err == nil {
			err = closing
		}
		if err != nil {
			os.Remove(s.temporary)
		}
	}()
	if _, err := out.Write(f.text); err != nil {
		return s, err
	}
	return s, out.Chmod(mode)
}
