package main

import (
	"fmt"
	"go/token"
	"strings"
)

// profile tells which statements ran, by the path of a file in its module's
// import path. It is what go test -coverprofile writes.
type profile map[string][]block

// block is a run of statements without a jump. Blocks do not overlap.
type block struct {
	start, end place // end excluded
	ran        bool
}

// place is a position in a file; line and column start at 1.
type place struct{ line, column int }

func (p place) before(q place) bool {
	return p.line < q.line || p.line == q.line && p.column < q.column
}

func (s *source) place(pos token.Pos) place {
	p := s.fset.Position(pos)
	return place{p.Line, p.Column}
}

func parseProfile(text string) (profile, error) {
	p := profile{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "mode:") {
			continue
		}
		colon := strings.LastIndexByte(line, ':')
		var b block
		var statements, count int
		_, err := fmt.Sscanf(line[colon+1:], "%d.%d,%d.%d %d %d",
			&b.start.line, &b.start.column, &b.end.line, &b.end.column, &statements, &count)
		if colon < 0 || err != nil {
			return nil, fmt.Errorf("coverage profile: unexpected %q", line)
		}
		b.ran = count > 0
		p[line[:colon]] = append(p[line[:colon]], b)
	}
	return p, nil
}

// reaches reports whether the program ran the place of a mutant in a function.
// Some places are in no block, such as the values of a case: the program may
// have run them if it ran anything of the function.
func (p profile) reaches(m *Mutant, modulePath string) bool {
	at := m.src.placeAt(m.start)
	start, end := m.src.place(m.fn.Pos()), m.src.place(m.fn.End())
	called := false
	for _, b := range p[modulePath+"/"+m.src.name] {
		if !at.before(b.start) && at.before(b.end) {
			return b.ran
		}
		called = called || b.ran && start.before(b.start) && b.start.before(end)
	}
	return called
}

// placeAt returns the place of the byte at offset.
func (s *source) placeAt(offset int) place {
	return s.place(s.fset.File(s.file.Pos()).Pos(offset))
}
