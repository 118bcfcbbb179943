package gen

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/tolero-dev/tolero/taint"
)

// fewValues is how many values an expression compares one after the other. For
// more there is a switch, which the compiler makes a binary search.
const fewValues = 4

// simple reports whether terms can be written as one expression.
func simple(terms []term) bool {
	return len(terms) > 0 && !slices.ContainsFunc(terms, func(t term) bool { return t.numeric() || len(t.single) > fewValues || t.always() })
}

// numeric reports whether some integers are tolerated by a bound.
func (t *term) numeric() bool { return t.above != "" || t.below != "" }

// always reports whether the term holds for every taint.
func (t *term) always() bool { return t.every && t.effects == nil }

// anyOf returns the tests for terms that are simple: in each the effect, then the value.
func (e *emitter) anyOf(terms []term) (tests []jen.Code) {
	for i := range terms {
		effects, values := equals(e.effect, e.effectLiterals(terms[i].effects)), equals(e.value, literals(terms[i].single))
		switch {
		case terms[i].every:
			tests = append(tests, effects...)
		case effects == nil:
			tests = append(tests, values...)
		default:
			tests = append(tests, parenthesised(effects).Op("&&").Add(parenthesised(values)))
		}
	}
	return tests
}

// tests returns statements that return what granted says for the first of the terms that
// holds, and else what refused says.
func (e *emitter) tests(terms []term, granted func(*term) jen.Code, refused ...jen.Code) (statements []jen.Code) {
	for i := range terms {
		t := &terms[i]
		body := e.valueTests(t, granted(t))
		switch {
		case t.always():
			return append(statements, body...)
		case t.effects == nil:
			statements = append(statements, body...)
		case simple(terms[i : i+1]):
			statements = append(statements, jen.If(join("||", e.anyOf(terms[i:i+1]))).Block(granted(t)))
		default:
			statements = append(statements, jen.If(join("||", equals(e.effect, e.effectLiterals(t.effects)))).Block(body...))
		}
	}
	return append(statements, refused...)
}

// valueTests returns statements that return where the value is one of t.
func (e *emitter) valueTests(t *term, granted jen.Code) (statements []jen.Code) {
	switch {
	case t.every:
		return []jen.Code{granted}
	case len(t.single) > fewValues:
		statements = append(statements, jen.Switch(e.value()).Block(caseOf(t.single).Block(granted)))
	case len(t.single) > 0:
		statements = append(statements, jen.If(join("||", equals(e.value, literals(t.single)))).Block(granted))
	}
	var bounds []jen.Code
	if t.above != "" {
		bounds = append(bounds, jen.Id("n").Op(">").Op(t.above))
	}
	if t.below != "" {
		bounds = append(bounds, jen.Id("n").Op("<").Op(t.below))
	}
	if bounds != nil {
		statements = append(statements, jen.If(
			jen.List(jen.Id("n"), jen.Id("ok")).Op(":=").Id(e.integerFunction()).Call(e.value()),
			jen.Id("ok").Op("&&").Add(parenthesised(bounds)),
		).Block(granted))
	}
	return statements
}

func literals(texts []string) []jen.Code {
	codes := make([]jen.Code, len(texts))
	for i, text := range texts {
		codes[i] = jen.Lit(text)
	}
	return codes
}

// longCase is how many bytes of literals stand on one line of a case.
const longCase = 80

// caseOf returns the head of a case for the texts, on several lines if it is
// long.
func caseOf(texts []string) *jen.Statement {
	items, size := literals(texts), 0
	for _, text := range texts {
		size += len(text) + len(`"", `)
	}
	for i := 1; i < len(items) && size > longCase; i++ {
		items[i] = jen.Line().Add(items[i])
	}
	return jen.Case(items...)
}

// effectLiteral returns an effect as it is written in code.
func (e *emitter) effectLiteral(effect taint.Effect) jen.Code {
	if effect.Known() && !e.Standalone {
		return jen.Qual(taintPath, string(effect)) // the constants are named after their values
	}
	return jen.Lit(string(effect))
}

func (e *emitter) effectLiterals(effects []taint.Effect) []jen.Code {
	var codes []jen.Code
	for _, effect := range effects {
		codes = append(codes, e.effectLiteral(effect))
	}
	return codes
}

// equals returns comparisons of what left returns with each of the literals.
func equals(left func() *jen.Statement, literals []jen.Code) []jen.Code {
	var tests []jen.Code
	for _, literal := range literals {
		tests = append(tests, left().Op("==").Add(literal))
	}
	return tests
}

func join(operator string, tests []jen.Code) *jen.Statement {
	joined := jen.Add(tests[0])
	for _, test := range tests[1:] {
		joined.Op(operator).Add(test)
	}
	return joined
}

// parenthesised joins tests of which one has to hold, so that they can be part
// of another test.
func parenthesised(tests []jen.Code) *jen.Statement {
	if len(tests) == 1 {
		return jen.Add(tests[0])
	}
	return jen.Parens(join("||", tests))
}
