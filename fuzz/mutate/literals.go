package main

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

func (f *finder) literal(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		if value, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			f.replaceNode(n, strconv.FormatInt(value+1, 10))
			if value > 0 {
				f.replaceNode(n, strconv.FormatInt(value-1, 10))
				f.negative(n)
			}
		}
	case token.CHAR:
		if value, _, _, err := strconv.UnquoteChar(n.Value[1:], '\''); err == nil {
			f.replaceNode(n, strconv.QuoteRune(value+1))
			f.replaceNode(n, strconv.QuoteRune(value-1))
		}
	case token.STRING:
		f.stringLiteral(n)
	}
}

// negative changes the sign of a positive number, unless that is what becomes of the
// operator before it, or makes no sense, as of an index, a shift or bits. Beside a bound or a case a
// neighbour says more.
func (f *finder) negative(n *ast.BasicLit) {
	switch parent := f.around[len(f.around)-1].(type) {
	case *ast.BinaryExpr:
		if parent.Op != token.MUL && parent.Op != token.QUO {
			return
		}
	case *ast.AssignStmt:
		if parent.Tok != token.ASSIGN && parent.Tok != token.DEFINE {
			return
		}
	case *ast.UnaryExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.ArrayType, *ast.CaseClause:
		return
	}
	f.replaceNode(n, "-"+n.Value)
}

func (f *finder) stringLiteral(n *ast.BasicLit) {
	value, err := strconv.Unquote(n.Value)
	switch {
	case err != nil || !f.messages && f.isMessage(value):
	case value == "":
		f.replaceNode(n, `"x"`)
	default:
		f.replaceNode(n, `""`)
	}
}

// isMessage reports whether a string literal at the current place is a text for
// humans.
func (f *finder) isMessage(value string) bool {
	if strings.Contains(value, " ") {
		return true
	}
	for _, n := range slices.Backward(f.around) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if slices.Contains([]string{"errors.New", "fmt.Errorf", "panic"}, f.src.of(n.Fun)) {
				return true
			}
		case *ast.KeyValueExpr:
			if isIdent(n.Key, "Detail") {
				return true
			}
		case ast.Stmt, ast.Decl:
			return false
		}
	}
	return false
}
