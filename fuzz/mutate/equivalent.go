package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// equivalent is an explained mutant: one that no test can kill.
type equivalent struct {
	file, decl    string
	before, after string
}

func (m *Mutant) equivalent() equivalent {
	return equivalent{m.src.name, m.Decl, m.Before, m.After}
}

// missing reports whether the file of e, relative to directory root, is gone.
func (e equivalent) missing(root string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(e.file)))
	return os.IsNotExist(err)
}

// equivalents gives the reason for each explained mutant.
type equivalents map[equivalent]string

// readEquivalents reads a file of explained mutants; no file is an empty one.
// It has a block of four lines for each, as the report prints them and a reason
// below; lines that begin with "#" and empty ones between blocks are comments:
//
//	taint/effect.go: Effect.Known
//	- return e.Set() != OtherEffects
//	+ return e.Set() < OtherEffects
//	= OtherEffects is the greatest of the sets
func (m *module) readEquivalents(name string) (equivalents, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(m.root, name)
	}
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return equivalents{}, nil
	}
	if err != nil {
		return nil, err
	}
	explained, err := parseEquivalents(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for e := range explained {
		if e.missing(m.root) {
			return nil, fmt.Errorf("%s: there is no file %s", name, e.file)
		}
	}
	return explained, nil
}

func parseEquivalents(text string) (equivalents, error) {
	explained := equivalents{}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		if line := strings.TrimSpace(lines[i]); line == "" || line[0] == '#' {
			i++
			continue
		}
		if i+4 > len(lines) {
			return nil, fmt.Errorf("line %d: want four lines", i+1)
		}
		e, reason, err := parseEquivalent(lines[i : i+4])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if explained[e] != "" {
			return nil, fmt.Errorf("line %d: explained twice", i+1)
		}
		explained[e] = reason
		i += 4
	}
	return explained, nil
}

func parseEquivalent(lines []string) (e equivalent, reason string, err error) {
	var ok [4]bool
	e.file, e.decl, ok[0] = strings.Cut(strings.TrimSpace(lines[0]), ": ")
	e.before, ok[1] = after(lines[1], "-")
	e.after, ok[2] = after(lines[2], "+")
	reason, ok[3] = after(lines[3], "=")
	if ok != [4]bool{true, true, true, true} || reason == "" {
		return e, "", fmt.Errorf(`want "file: declaration", "- before", "+ after" and "= reason"`)
	}
	return e, reason, nil
}

func after(line, sign string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(strings.TrimSpace(line), sign)
	return strings.TrimSpace(rest), ok
}
