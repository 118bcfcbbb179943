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
// while another run has it, and if what has the name, or is in it, is not of a run.
func open(cache string) (*workspace, error) {
	w := &workspace{dir: filepath.Join(cache, "tolero-adopters")}
	for {
		if err := os.MkdirAll(w.dir, 0o700); err != nil {
			return nil, err
		}
		if found, err := os.Lstat(w.dir); err == nil && !found.IsDir() {
			return nil, fmt.Errorf("%s is a link, and not the folder of a run", w.dir)
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
	if err := errors.Join(w.empty(), os.Mkdir(w.temp(), 0o700)); err != nil {
		return nil, errors.Join(err, w.lock.Close())
	}
	return w, nil
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
	return errors.Join(w.empty(), os.Remove(w.dir), w.lock.Close())
}

// link makes a symbolic link to a folder of the module cache, and returns its name.
func (w *workspace) link(to string) (name string, err error) {
	name = filepath.Join(w.dir, strings.ReplaceAll(filepath.Base(filepath.Dir(to))+"/"+filepath.Base(to), "/", "-"))
	if old, err := os.Readlink(name); err == nil && old == to {
		return name, nil
	}
	return name, os.Symlink(to, name)
}

// empty removes the links and the temporary files, and nothing if there is anything else. A
// process that was ended a moment ago may still add to these, so it tries again.
func (w *workspace) empty() (err error) {
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if name := filepath.Join(w.dir, e.Name()); e.Type() != os.ModeSymlink && (name != w.temp() || !e.IsDir()) {
			return fmt.Errorf("%s is not of a run: move it away", name)
		}
	}
	for range 50 {
		if err = w.remove(entries); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

func (w *workspace) remove(entries []os.DirEntry) (err error) {
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(w.dir, e.Name())))
	}
	return err
}
