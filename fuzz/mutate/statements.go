package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// returnStmt negates every bool that is returned.
func (f *finder) returnStmt(n *ast.ReturnStmt) {
	if len(n.Results) == 0 {
		f.replaceNode(n, "")
		return
	}
	types := f.resultTypes()
	if len(types) != len(n.Results) { // a call that returns several values
		return
	}
	for i, result := range n.Results {
		if types[i] == "bool" {
			f.negate(result)
		}
	}
}

// resultTypes returns the types of the results of the function that the current
// place is in, as they are written, one for each result.
func (f *finder) resultTypes() []string {
	for _, n := range slices.Backward(f.around) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return f.src.types(n.Type.Results)
		case *ast.FuncLit:
			return f.src.types(n.Type.Results)
		}
	}
	return nil
}

// assign swaps the operator of an assignment, and assigns to nothing instead.
// The right-hand side stays, so that what it names is still used and the mutant
// compiles.
func (f *finder) assign(n *ast.AssignStmt) {
	if n.Tok == token.DEFINE {
		return
	}
	if other, ok := swaps[n.Tok]; ok && !isString(n.Rhs[0]) {
		f.replaceToken(n.TokPos, n.Tok, other)
	}
	blank := strings.TrimSuffix(strings.Repeat("_, ", len(n.Lhs)), ", ")
	f.replace(n.Pos(), n.Rhs[0].Pos(), blank+" = ")
}

func (f *finder) incDec(n *ast.IncDecStmt) {
	f.replaceNode(n, "")
	if n.Tok == token.INC {
		f.replaceToken(n.TokPos, token.INC, token.DEC)
	} else {
		f.replaceToken(n.TokPos, token.DEC, token.INC)
	}
}

// branch removes a jump, and swaps break and continue.
func (f *finder) branch(n *ast.BranchStmt) {
	f.replaceNode(n, "")
	switch n.Tok {
	case token.BREAK:
		f.replaceToken(n.TokPos, token.BREAK, token.CONTINUE)
	case token.CONTINUE:
		f.replaceToken(n.TokPos, token.CONTINUE, token.BREAK)
	}
}

// switchStmt drops each value of each clause, and each clause whole. In a
// switch without a tag the values are conditions, which are negated too.
func (f *finder) switchStmt(n *ast.SwitchStmt) {
	for _, clause := range n.Body.List {
		clause := clause.(*ast.CaseClause)
		f.replaceNode(clause, "")
		for i, value := range clause.List {
			switch {
			case len(clause.List) == 1:
			case i == 0:
				f.replace(value.Pos(), clause.List[1].Pos(), "")
			default:
				f.replace(clause.List[i-1].End(), value.End(), "")
			}
			if n.Tag == nil {
				f.negate(value)
			}
		}
	}
}

// call makes append append nothing, unless that is what becomes of the assignment that it
// is part of. A copy becomes what is copied, and what is to be edited only looked at.
func (f *finder) call(n *ast.CallExpr) {
	if isIdent(n.Fun, "append") && len(n.Args) > 1 {
		list := f.src.of(n.Args[0])
		assign, ok := f.around[len(f.around)-1].(*ast.AssignStmt)
		if !ok || f.src.of(assign.Lhs[0]) != list {
			f.replaceNode(n, list)
		}
		if n.Ellipsis.IsValid() && emptyList.MatchString(list) {
			f.replaceNode(n, f.src.of(n.Args[1]))
		}
	}
	var callee *ast.Ident
	whole := "" // what the call may copy
	switch fun := n.Fun.(type) {
	case *ast.Ident:
		callee = fun
	case *ast.SelectorExpr:
		callee, whole = fun.Sel, f.src.of(fun.X)
	default:
		return
	}
	if len(n.Args) > 0 {
		whole = f.src.of(n.Args[0])
	}
	switch {
	case callee.Name == "Edit":
		f.replaceNode(callee, "At")
	case len(n.Args) < 2 && whole != "" && copying.MatchString(callee.Name):
		f.replaceNode(n, whole)
	}
}

var (
	copying   = regexp.MustCompile(`^(?i:clone|clip|copy|fork|freeze|snapshot)$`)
	emptyList = regexp.MustCompile(`\(nil\)$|\{\}$|\[:0:0\]$`)
)

// composite gives up each field of a struct. Its variables stay used.
func (f *finder) composite(n *ast.CompositeLit) {
	switch n.Type.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
		for _, value := range n.Elts {
			if pair, ok := value.(*ast.KeyValueExpr); ok {
				value = pair.Value
			}
			switch value.(type) {
			case *ast.BasicLit, *ast.CompositeLit, *ast.FuncLit: // have mutants by themselves
			default:
				f.replaceNode(value, "mutantZero("+f.src.of(value)+")")
			}
		}
	}
}

// neighbours swaps each two statements of a list, a line each, that may depend on each
// other.
func (f *finder) neighbours(list []ast.Stmt) {
	for i, b := range list[min(1, len(list)):] {
		first, second := f.src.of(list[i]), f.src.of(b)
		if !strings.Contains(first+second, "\n") && f.depend(list[i], b) {
			between := f.src.text[f.src.offset(list[i].End()):f.src.offset(b.Pos())]
			f.replace(list[i].Pos(), b.End(), second+between+first)
		}
	}
}

// depend reports whether a may notice that b goes before it, or the other way round. A
// statement cannot go before the definition of its variables.
func (f *finder) depend(a, b ast.Stmt) bool {
	if define, ok := a.(*ast.AssignStmt); ok && define.Tok == token.DEFINE && f.affects(a, b) {
		return false
	}
	return f.affects(a, b) || f.affects(b, a)
}

// affects reports whether a assigns what is in b, or is a call with a name of b.
func (f *finder) affects(a, b ast.Stmt) bool {
	var targets []ast.Expr
	switch a := a.(type) {
	case *ast.AssignStmt:
		targets = a.Lhs
	case *ast.IncDecStmt:
		targets = []ast.Expr{a.X}
	case *ast.ExprStmt:
		targets = f.operands(a)
	}
	there := f.operands(b)
	return slices.ContainsFunc(targets, func(target ast.Expr) bool {
		if index, ok := target.(*ast.IndexExpr); ok {
			target = index.X
		}
		return slices.ContainsFunc(there, func(e ast.Expr) bool { return f.src.of(e) == f.src.of(target) })
	})
}

// operands returns the variables and fields in a statement that only assigns or calls.
func (f *finder) operands(stmt ast.Stmt) (all []ast.Expr) {
	switch stmt.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.ExprStmt:
	default:
		return nil
	}
	packages, names := imported(f.src.file), map[ast.Expr]bool{}
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			names[n.Fun] = true
		case *ast.SelectorExpr:
			names[n.Sel] = true
			all = append(all, n)
		case *ast.Ident:
			if !names[n] && n.Name != "_" && packages[n.Name] == "" {
				all = append(all, n)
			}
		}
		return true
	})
	return all
}
