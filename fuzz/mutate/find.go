package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
)

// finder gathers the mutants of one file, in the order of the syntax tree.
type finder struct {
	src      *source
	messages bool // whether texts for humans are mutated
	mutants  []Mutant

	// The place that is looked at: the nodes around it, outermost first, its
	// node and the name of the declaration.
	around []ast.Node
	node   ast.Node
	decl   string
	seen   map[edit]bool
}

// edit identifies a mutant within its file.
type edit struct {
	start, end int
	text       string
}

// find returns every mutant of src.
func find(src *source, messages bool) []Mutant {
	f := &finder{src: src, messages: messages, seen: map[edit]bool{}}
	ast.PreorderStack(src.file, nil, func(n ast.Node, around []ast.Node) bool {
		f.around, f.node = around, n
		f.decl = declaration(append(around, n))
		return f.visit(n)
	})
	number(f.mutants)
	return f.mutants
}

// number tells mutants of one declaration that look the same apart: the second
// gets " (2)" after the name of the declaration, and so on.
func number(mutants []Mutant) {
	seen := map[equivalent]int{}
	for i := range mutants {
		e := mutants[i].equivalent()
		if seen[e]++; seen[e] > 1 {
			mutants[i].Decl += fmt.Sprintf(" (%d)", seen[e])
		}
	}
}

// replace adds the mutant in which text replaces the source from one position
// to another. Two rules may make the same mutant; it is kept once.
func (f *finder) replace(from, to token.Pos, text string) {
	e := edit{f.src.offset(from), f.src.offset(to), text}
	if f.seen[e] || f.src.text[e.start:e.end] == text {
		return
	}
	f.seen[e] = true
	m := newMutant(f.src, f.decl, e.start, e.end, text)
	if len(f.around) > 1 {
		if fn, ok := f.around[1].(*ast.FuncDecl); ok && canSwitch(fn) && from >= fn.Body.Pos() {
			m.fn, m.stmt = fn, f.src.offset(f.statement())
		}
	}
	f.mutants = append(f.mutants, m)
}

// statement returns where the innermost statement of a list begins that the current place
// is in or is.
func (f *finder) statement() token.Pos {
	path := append(slices.Clone(f.around), f.node)
	for i := len(path) - 1; ; i-- {
		switch parent := path[i-1].(type) {
		case *ast.BlockStmt:
			return path[i].Pos()
		case *ast.CaseClause:
			if path[i].Pos() > parent.Colon {
				return path[i].Pos()
			}
		case *ast.FuncDecl:
			return parent.Body.Lbrace + 1
		}
	}
}

func (f *finder) replaceNode(n ast.Node, text string) {
	f.replace(n.Pos(), n.End(), text)
}

// replaceToken replaces an operator or keyword at pos.
func (f *finder) replaceToken(pos token.Pos, old, new token.Token) {
	f.replace(pos, pos+token.Pos(len(old.String())), new.String())
}

// visit adds the mutants of n itself and reports whether to look inside it.
func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.UnaryExpr:
		f.unary(n)
	case *ast.BasicLit:
		f.literal(n)
	case *ast.Ident:
		f.name(n)
	case *ast.SelectorExpr:
		f.selector(n)
	case *ast.CallExpr:
		f.call(n)
	case *ast.SliceExpr:
		if n.Slice3 {
			f.replace(n.High.End(), n.Max.End(), "")
		}
	case *ast.CompositeLit:
		f.composite(n)
	case *ast.BlockStmt:
		f.neighbours(n.List)
	case *ast.CaseClause:
		f.neighbours(n.Body)
	case *ast.IfStmt:
		f.negate(n.Cond)
	case *ast.ForStmt:
		f.negate(n.Cond)
	case *ast.SwitchStmt:
		f.switchStmt(n)
	case *ast.ReturnStmt:
		f.returnStmt(n)
	case *ast.AssignStmt:
		f.assign(n)
	case *ast.IncDecStmt:
		f.incDec(n)
	case *ast.BranchStmt:
		f.branch(n)
	case *ast.ExprStmt, *ast.DeferStmt:
		f.replaceNode(n, "")
	}
	return true
}

// declaration returns the name of the declaration that the last of the nodes is
// in or is: "Name", "Type.Method" or "const Name".
func declaration(nodes []ast.Node) string {
	keyword := ""
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil {
				return receiver(n.Recv.List[0].Type) + "." + n.Name.Name
			}
			return n.Name.Name
		case *ast.GenDecl:
			keyword = n.Tok.String()
		case *ast.ValueSpec:
			return keyword + " " + n.Names[0].Name
		case *ast.TypeSpec:
			return keyword + " " + n.Name.Name
		}
	}
	return keyword
}

// receiver returns the name of a receiver's type, without star and parameters.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}
