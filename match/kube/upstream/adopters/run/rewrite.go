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

// parameters is how many arguments the functions that are replaced take. Up to Kubernetes
// 1.34 they took neither a logger nor the state of the gate, two less.
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
	old     bool // calls are those of Kubernetes 1.34
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
			if edits, ok := s.call(n, ""); ok {
				s.edits = append(s.edits, edits...)
				found++
			}
		}
		return true
	})
	return found
}

// call returns the edits of a call, if it is one of those that are replaced. With a
// list, a call for one toleration becomes one for all of the list.
func (s *source) call(call *ast.CallExpr, list string) (edits []edit, ok bool) {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil, false
	}
	want, ok := parameters[selector.Sel.Name]
	old := len(call.Args) == want-2
	if !ok || !old && len(call.Args) != want {
		return nil, false
	}
	name, first, of := selector.Sel.Name, "", s.imported(selector.X)
	switch {
	case list == "" && of == helpers:
	case of != "" || name != "ToleratesTaint":
		return nil, false
	case list == "":
		first = "&" + s.at(selector.X.Pos(), selector.X.End()) + ", "
	default:
		name = "TolerationsTolerateTaint"
	}
	return s.replaced(call, "tolerokube."+name+"("+first, list, old), true
}

// replaced returns the edits that make a call another one, with a list after the logger.
// A call of Kubernetes 1.34 gets a logger and a gate that is off.
func (s *source) replaced(call *ast.CallExpr, begin, list string, old bool) []edit {
	from, to := s.offset(call.Pos()), s.offset(call.Lparen)+1
	if !old && list != "" {
		logger := call.Args[0]
		begin, to = begin+s.at(logger.Pos(), logger.End())+", "+list, s.offset(logger.End())
	}
	if !old {
		return []edit{{from, to, begin}}
	}
	s.old = true
	begin += "tolerolog.Logger{}, "
	if list != "" {
		begin += list + ", "
	}
	end := s.offset(call.Rparen)
	return []edit{{from, to, begin}, {end, end, ", false"}}
}

// loop returns the edit of a loop over tolerations that asks each of them in its only
// statement, as in "if t.ToleratesTaint(...) { return true }": the statement once, with
// the question to the list.
func (s *source) loop(loop *ast.RangeStmt) (e edit, ok bool) {
	if len(loop.Body.List) != 1 {
		return e, false
	}
	var edits []edit
	calls, needed := 0, false // needed is set if the statement is more than that
	ast.Inspect(loop.Body.List[0], func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if more, ok := s.call(n, s.at(loop.X.Pos(), loop.X.End())); ok {
				edits = append(edits, more...)
				calls++
				return false
			}
		case *ast.BranchStmt:
			needed = true
		case *ast.Ident:
			needed = needed || isNamed(loop.Key, n.Name) || isNamed(loop.Value, n.Name)
		}
		return true
	})
	if calls != 1 || needed {
		return e, false
	}
	statement := loop.Body.List[0]
	text := apply(s.text, s.offset(statement.Pos()), s.offset(statement.End()), edits)
	return edit{s.offset(loop.Pos()), s.offset(loop.End()), string(text)}, true
}

func isNamed(x ast.Expr, name string) bool {
	variable, ok := x.(*ast.Ident)
	return ok && variable.Name == name && name != "_"
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
	imports := "\n\nimport tolerokube \"github.com/tolero-dev/tolero/match/kube\"\n"
	if s.old {
		imports += "\nimport tolerolog \"k8s.io/klog/v2\"\n"
	}
	edits := append(s.edits, edit{end, end, imports})
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
