package main

import (
	"go/ast"
	"go/token"
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

// call makes append append nothing, unless that is what becomes of the
// assignment that it is part of.
func (f *finder) call(n *ast.CallExpr) {
	if !isIdent(n.Fun, "append") || len(n.Args) < 2 {
		return
	}
	list := f.src.of(n.Args[0])
	if assign, ok := f.around[len(f.around)-1].(*ast.AssignStmt); ok && f.src.of(assign.Lhs[0]) == list {
		return
	}
	f.replaceNode(n, list)
}
