package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// workspace is the folder of a run. All that a run writes is in it, except for what the go
// command keeps in its caches: rewritten files, links to modules, and what the go command
// and the tests write to the folder for temporary files. It has the same name each time,
// because what was compiled under one name is compiled anew under another. Nothing of it
// is left when the run ends; what a run left that was killed goes when the next one begins.
type workspace struct {
	dir  string
	lock *os.File // the folder
}

// open makes the folder in a cache, or takes the one over that a killed run left. It fails
// while another run has it.
func open(cache string) (*workspace, error) {
	w := &workspace{dir: filepath.Join(cache, "tolero-adopters")}
	for {
		if err := os.MkdirAll(w.dir, 0o700); err != nil {
			return nil, err
		}
		var err error
		if w.lock, err = os.Open(w.dir); err != nil {
			return nil, err
		}
		if err := syscall.Flock(int(w.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			return nil, errors.Join(fmt.Errorf("another run has %s: %w", w.dir, err), w.lock.Close())
		}
		if w.locked() {
			break
		}
		_ = w.lock.Close() // of another run, which has removed it meanwhile
	}
	return w, errors.Join(empty(w.dir), os.Mkdir(w.temp(), 0o700))
}

// locked reports whether the folder that is locked is still the one with the name.
func (w *workspace) locked() bool {
	named, err := os.Stat(w.dir)
	mine, err2 := w.lock.Stat()
	return err == nil && err2 == nil && os.SameFile(named, mine)
}

// temp is the folder for temporary files.
func (w *workspace) temp() string { return filepath.Join(w.dir, "temp") }

// close removes the folder.
func (w *workspace) close() error {
	return errors.Join(empty(w.dir), os.Remove(w.dir), w.lock.Close())
}

// link makes a symbolic link to a folder of the module cache, and returns its name.
func (w *workspace) link(to string) (name string, err error) {
	name = filepath.Join(w.dir, strings.ReplaceAll(filepath.Base(filepath.Dir(to))+"/"+filepath.Base(to), "/", "-"))
	if old, err := os.Readlink(name); err == nil && old == to {
		return name, nil
	}
	return name, os.Symlink(to, name)
}

// empty removes what is in a folder. A process that was ended a moment ago may still add
// to it, so it tries again.
func empty(dir string) (err error) {
	for range 50 {
		if err = removeIn(dir); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

func removeIn(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}
