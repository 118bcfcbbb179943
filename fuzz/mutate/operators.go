package main

import (
	"go/ast"
	"go/token"
)

// comparisons gives for each comparison its negation and then its neighbours.
var comparisons = map[token.Token][]token.Token{
	token.EQL: {token.NEQ, token.LEQ, token.GEQ},
	token.NEQ: {token.EQL, token.LSS, token.GTR},
	token.LSS: {token.GEQ, token.LEQ},
	token.LEQ: {token.GTR, token.LSS},
	token.GTR: {token.LEQ, token.GEQ},
	token.GEQ: {token.LSS, token.GTR},
}

// swaps gives for each other operator the one that is put in its place.
var swaps = map[token.Token]token.Token{
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD,
	token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.AND_NOT: token.AND,
	token.SHL: token.SHR, token.SHR: token.SHL,

	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN, token.REM_ASSIGN: token.MUL_ASSIGN,
	token.AND_ASSIGN: token.OR_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN,
	token.XOR_ASSIGN: token.AND_ASSIGN, token.AND_NOT_ASSIGN: token.AND_ASSIGN,
	token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN,
}

func (f *finder) binary(n *ast.BinaryExpr) {
	if others, ok := comparisons[n.Op]; ok {
		for i, other := range others {
			if i == 0 || !ordersNothing(n, other) {
				f.replaceToken(n.OpPos, n.Op, other)
			}
		}
		return
	}
	if n.Op == token.ADD && (isString(n.X) || isString(n.Y)) {
		return // strings have no other operator
	}
	f.replaceToken(n.OpPos, n.Op, swaps[n.Op])
	if n.Op == token.LAND || n.Op == token.LOR {
		f.replaceNode(n, f.src.of(n.X))
		f.replaceNode(n, f.src.of(n.Y))
		f.negate(n.X)
		f.negate(n.Y)
	}
}

// ordersNothing reports whether n means the same with the operator other, or
// does not compile: nil is not ordered, nothing is less than "", and a length
// or what is left of bits under a mask is not less than 0.
func ordersNothing(n *ast.BinaryExpr, other token.Token) bool {
	if isIdent(n.X, "nil") || isIdent(n.Y, "nil") {
		return true
	}
	least := isText(n.Y, `""`) || isText(n.Y, "0") && (isLength(n.X) || isMasked(n.X))
	return least && (n.Op == token.EQL && other == token.LEQ || n.Op == token.NEQ && other == token.GTR)
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func isText(e ast.Expr, text string) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Value == text
}

func isLength(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && (isIdent(call.Fun, "len") || isIdent(call.Fun, "cap"))
}

func isMasked(e ast.Expr) bool {
	binary, ok := e.(*ast.BinaryExpr)
	return ok && (binary.Op == token.AND || binary.Op == token.AND_NOT)
}

// isString reports whether e is a string as far as can be seen from e alone.
func isString(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.BinaryExpr:
		return isString(e.X) || isString(e.Y)
	case *ast.CallExpr:
		return isIdent(e.Fun, "string")
	}
	return false
}

func (f *finder) unary(n *ast.UnaryExpr) {
	switch n.Op {
	case token.NOT, token.SUB, token.XOR:
		f.replace(n.OpPos, n.X.Pos(), "")
	}
}

// negate adds the mutant in which the condition e is negated, unless e is of a
// kind that has this mutant by itself.
func (f *finder) negate(e ast.Expr) {
	switch e := e.(type) {
	case nil:
	case *ast.UnaryExpr:
		if e.Op != token.NOT {
			f.replaceNode(e, "!("+f.src.of(e)+")")
		}
	case *ast.BinaryExpr:
		if _, ok := comparisons[e.Op]; !ok {
			f.replaceNode(e, "!("+f.src.of(e)+")")
		}
	case *ast.Ident:
		if e.Name != "true" && e.Name != "false" {
			f.replaceNode(e, "!"+e.Name)
		}
	default:
		f.replaceNode(e, "!"+f.src.of(e))
	}
}
