package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// source is a Go file to be mutated.
type source struct {
	path   string // absolute
	name   string // relative to the module, with slashes
	text   string
	fset   *token.FileSet
	file   *ast.File
	groups groups // the constants that the file can name
}

func (s *source) offset(pos token.Pos) int {
	return s.fset.Position(pos).Offset
}

// of returns the text of a node.
func (s *source) of(n ast.Node) string {
	return s.text[s.offset(n.Pos()):s.offset(n.End())]
}

// Mutant is one change at one place of a source file.
type Mutant struct {
	src        *source
	start, end int    // the bytes that are replaced
	text       string // what is there instead

	fn      *ast.FuncDecl // the function whose body it is in and in which it can be switched on, or nil
	number  int           // what switches it on; counts from 1
	refused bool          // whether the compiler refuses it
	stmt    int           // where the statement begins that it is in or is
	uses    string        // text before that statement, with a use of each variable that has no other

	Decl   string // the declaration that it is in
	Line   int
	Before string // the lines that change, on one line
	After  string
}

// newMutant makes the mutant of src in which text replaces the bytes from
// start to end.
func newMutant(src *source, decl string, start, end int, text string) Mutant {
	from := strings.LastIndexByte(src.text[:start], '\n') + 1
	to := len(src.text)
	if n := strings.IndexByte(src.text[end:], '\n'); n >= 0 {
		to = end + n
	}
	return Mutant{
		src: src, start: start, end: end, text: text,
		Decl:   decl,
		Line:   1 + strings.Count(src.text[:start], "\n"),
		Before: oneLine(src.text[from:to]),
		After:  oneLine(src.text[from:start] + text + src.text[end:to]),
	}
}

// oneLine turns every run of white space into one space.
func oneLine(text string) string {
	return strings.Join(strings.Fields(text), " ")
}

// types returns the types of parameters or results as they are written, one for
// each.
func (s *source) types(fields *ast.FieldList) (types []string) {
	if fields == nil {
		return nil
	}
	for _, field := range fields.List {
		for range max(1, len(field.Names)) {
			types = append(types, s.of(field.Type))
		}
	}
	return types
}

// source returns the whole text of the mutated file.
func (m *Mutant) source() string {
	return m.src.text[:m.stmt] + m.uses + m.src.text[m.stmt:m.start] + m.text + m.src.text[m.end:]
}

// diff returns where m is and what it changes, in three lines.
func (m *Mutant) diff() string {
	return fmt.Sprintf("%s:%d: %s\n\t- %s\n\t+ %s\n", m.src.name, m.Line, m.Decl, m.Before, m.After)
}
