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
