package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/pprof"
)

// writeFile writes a file so that nobody ever sees a part of it: it writes a
// temporary file beside it and renames that. What is not a regular file, such as
// /dev/stdout, it writes to directly.
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
	file, err := os.CreateTemp(filepath.Dir(name), ".sweep-*")
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

// profile is a CPU profile in the making. All methods of a nil *profile do
// nothing.
type profile struct {
	name    string
	content bytes.Buffer
	running bool
}

// startProfile starts a profile that will be saved under name, or none if that
// is empty.
func startProfile(name string) (*profile, error) {
	if name == "" {
		return nil, nil
	}
	p := &profile{name: name, running: true}
	return p, pprof.StartCPUProfile(&p.content)
}

// save ends the profile and writes it.
func (p *profile) save() error {
	if p == nil {
		return nil
	}
	p.discard()
	return writeFile(p.name, p.content.Bytes())
}

// discard ends the profile, if it is still running.
func (p *profile) discard() {
	if p != nil && p.running {
		p.running = false
		pprof.StopCPUProfile()
	}
}
