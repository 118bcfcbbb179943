package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// WriteFile writes a file so that nobody ever sees a part of it: it writes a temporary file
// beside it and renames that. What is not a regular file, such as /dev/stdout, it writes to
// directly. An error names the file as the user did.
func WriteFile(name string, content []byte) error {
	err := writeFile(name, content)
	if cause := errors.Unwrap(err); cause != nil { // that of a temporary file or of two
		err = fmt.Errorf("write %s: %w", name, cause)
	}
	return err
}

func writeFile(name string, content []byte) error {
	mode := os.FileMode(0o644)
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target // so that a link remains a link
	}
	if info, err := os.Stat(name); err == nil {
		if !info.Mode().IsRegular() {
			return os.WriteFile(name, content, mode)
		}
		mode = info.Mode().Perm()
	}
	file, err := os.CreateTemp(filepath.Dir(name), ".tolero-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // fails, rightly, once it is renamed
	_, err = file.Write(content)
	if err == nil {
		err = file.Chmod(mode)
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	return err
}
