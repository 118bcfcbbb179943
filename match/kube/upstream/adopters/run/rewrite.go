package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// helpers is the package whose functions match/kube offers under the same names.
const helpers = "k8s.io/component-helpers/scheduling/corev1"

// parameters is how many arguments the functions that are replaced take.
var parameters = map[string]int{"ToleratesTaint": 3, "TolerationsTolerateTaint": 4, "FindMatchingUntoleratedTaint": 5}

// edit replaces the bytes from and to of a source.
type edit struct {
	from, to int
	text     string
}

// source is a Go file that is rewritten.
type source struct {
	text    []byte
	files   *token.FileSet
	file    *ast.File
	imports map[string]string // by the name in the file: the path
	edits   []edit
}

// rewrite returns the file with its calls of Kubernetes' helpers replaced by calls of
// match/kube. The original functions with such calls, and those named by also, are kept
// under their name and "Before", and call each other by those names. It fails unless the
// number of calls is the expected one, so that somebody looks at a new release.
func rewrite(text []byte, calls int, also []string) ([]byte, error) {
	s := &source{text: text, files: token.NewFileSet(), imports: map[string]string{}}
	var err error
	if s.file, err = parser.ParseFile(s.files, "x.go", text, parser.SkipObjectResolution); err != nil {
		return nil, err
	}
	for _, spec := range s.file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		s.imports[name] = path
	}
	names := slices.Clone(also)
	found := 0
	for _, decl := range s.file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
			if n := s.replaceCalls(f); n > 0 {
				found += n
				names = append(names, f.Name.Name)
			}
		}
	}
	if found != calls {
		return nil, fmt.Errorf("%d calls to rewrite, want %d", found, calls)
	}
	return s.assemble(names)
}

// replaceCalls notes the edits of the calls in f, and returns how many there are.
func (s *source) replaceCalls(f *ast.FuncDecl) (found int) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if e, ok := s.loop(n); ok {
				s.edits = append(s.edits, e)
				found++
				return false
			}
		case *ast.CallExpr:
			if e, ok := s.call(n, ""); ok {
				s.edits = append(s.edits, e)
				found++
			}
		}
		return true
	})
	return found
}

// call returns the edit of a call, if it is one of those that are replaced. With a
// list, a call for one toleration becomes one for all of the list.
func (s *source) call(call *ast.CallExpr, list string) (e edit, ok bool) {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || parameters[selector.Sel.Name] != len(call.Args) {
		return e, false
	}
	e = edit{s.offset(call.Pos()), s.offset(call.Lparen) + 1, "tolerokube." + selector.Sel.Name + "("}
	method := selector.Sel.Name == "ToleratesTaint" && s.imported(selector.X) == ""
	switch {
	case list == "" && s.imported(selector.X) == helpers:
		return e, true
	case list == "" && method:
		e.text += "&" + s.at(selector.X.Pos(), selector.X.End()) + ", "
		return e, true
	case list != "" && method:
		logger := call.Args[0]
		e.to = s.offset(logger.End())
		e.text = "tolerokube.TolerationsTolerateTaint(" + s.at(logger.Pos(), logger.End()) + ", " + list
		return e, true
	}
	return e, false
}

// loop returns the edit of a loop over tolerations that asks each of them in its only
// statement, as in "if t.ToleratesTaint(...) { return true }": the statement once, with
// the question to the list.
func (s *source) loop(loop *ast.RangeStmt) (e edit, ok bool) {
	if len(loop.Body.List) != 1 {
		return e, false
	}
	var edits []edit
	ast.Inspect(loop.Body.List[0], func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if e, ok := s.call(call, s.at(loop.X.Pos(), loop.X.End())); ok {
				edits = append(edits, e)
			}
		}
		return true
	})
	if len(edits) != 1 {
		return e, false
	}
	statement := loop.Body.List[0]
	text := apply(s.text, s.offset(statement.Pos()), s.offset(statement.End()), edits)
	return edit{s.offset(loop.Pos()), s.offset(loop.End()), string(text)}, true
}

// assemble returns the edited file, with the original functions of names at its end.
func (s *source) assemble(names []string) ([]byte, error) {
	var copies bytes.Buffer
	for _, decl := range s.file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && slices.Contains(names, f.Name.Name) {
			copies.WriteString("\n")
			copies.Write(s.before(f, names))
			copies.WriteString("\n")
		}
	}
	for _, name := range names {
		if !bytes.Contains(copies.Bytes(), []byte(name+"Before(")) {
			return nil, fmt.Errorf("no function %s", name)
		}
	}
	end := s.offset(s.file.Name.End())
	edits := append(s.edits, edit{end, end, "\n\nimport tolerokube \"github.com/tolero-dev/tolero/match/kube\"\n"})
	return append(apply(s.text, 0, len(s.text), edits), copies.Bytes()...), nil
}

// before returns the original function under its name and "Before", with its calls of the
// others renamed too.
func (s *source) before(f *ast.FuncDecl, names []string) []byte {
	var edits []edit
	rename := func(name *ast.Ident) {
		edits = append(edits, edit{s.offset(name.End()), s.offset(name.End()), "Before"})
	}
	rename(f.Name)
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			switch fun := call.Fun.(type) {
			case *ast.Ident:
				if slices.Contains(names, fun.Name) {
					rename(fun)
				}
			case *ast.SelectorExpr:
				if s.imported(fun.X) == "" && slices.Contains(names, fun.Sel.Name) {
					rename(fun.Sel)
				}
			}
		}
		return true
	})
	return apply(s.text, s.offset(f.Pos()), s.offset(f.End()), edits)
}

// imported returns the path of the package that the expression names, if it does.
func (s *source) imported(x ast.Expr) string {
	name, ok := x.(*ast.Ident)
	if !ok {
		return ""
	}
	return s.imports[name.Name]
}

func (s *source) offset(p token.Pos) int { return s.files.Position(p).Offset }

func (s *source) at(from, to token.Pos) string { return string(s.text[s.offset(from):s.offset(to)]) }

// apply returns the text between from and to with the edits, which do not overlap.
func apply(text []byte, from, to int, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	for _, e := range edits {
		out = append(out, text[from:e.from]...)
		out = append(out, e.text...)
		from = e.to
	}
	return append(out, text[from:to]...)
}
