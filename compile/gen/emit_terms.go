package gen

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/tolero-dev/tolero/taint"
)

// fewValues is how many values an expression compares one after the other. For
// more there is a switch, which the compiler makes a binary search.
const fewValues = 4

// always reports whether terms hold for every taint.
func always(terms []term) bool {
	return len(terms) == 1 && terms[0].values.every && len(terms[0].effects) == 0
}

// simple reports whether terms can be written as one expression.
func simple(terms []term) bool {
	for i := range terms {
		if v := &terms[i].values; v.numeric() || len(v.single) > fewValues {
			return false
		}
	}
	return true
}

// anyOf returns the expression for terms that are simple and do not always hold.
func (e *emitter) anyOf(terms []term) *jen.Statement {
	var tests []jen.Code
	for i := range terms {
		tests = append(tests, e.term(&terms[i]))
	}
	return join("||", tests)
}

// term returns the expression for a term: the effect, then the value.
func (e *emitter) term(t *term) *jen.Statement {
	effects := equals(e.effect, e.effectLiterals(t.effects))
	if t.values.every {
		return join("||", effects)
	}
	values := equals(e.value, literals(t.values.single))
	if effects == nil {
		return join("||", values)
	}
	return parenthesised(effects).Op("&&").Add(parenthesised(values))
}

// tests returns statements that return true where one of terms holds. always
// says that the last of them returns in any case.
func (e *emitter) tests(terms []term) (statements []jen.Code, always bool) {
	for i := range terms {
		t := &terms[i]
		body := e.valueTests(&t.values)
		switch {
		case t.effects == nil:
			statements = append(statements, body...)
		case simple(terms[i : i+1]):
			statements = append(statements, jen.If(e.term(t)).Block(returnTrue()))
		default:
			statements = append(statements, jen.If(join("||", equals(e.effect, e.effectLiterals(t.effects)))).Block(body...))
		}
		if t.effects == nil && t.values.every {
			return statements, true
		}
	}
	return statements, false
}

// valueTests returns statements that return true where the value is in v.
func (e *emitter) valueTests(v *values) (statements []jen.Code) {
	switch {
	case v.every:
		return []jen.Code{returnTrue()}
	case len(v.single) > fewValues:
		statements = append(statements, jen.Switch(e.value()).Block(caseOf(v.single).Block(returnTrue())))
	case len(v.single) > 0:
		statements = append(statements, jen.If(join("||", equals(e.value, literals(v.single)))).Block(returnTrue()))
	}
	if v.numeric() {
		statements = append(statements, e.ifNumber(v, e.value()).Block(returnTrue()))
	}
	return statements
}

// ifNumber returns the head of an if statement: value is an integer within
// the bounds of v.
func (e *emitter) ifNumber(v *values, value *jen.Statement) *jen.Statement {
	var tests []jen.Code
	if v.above.set {
		tests = append(tests, jen.Id("n").Op(">").Add(number(v.above.n)))
	}
	if v.below.set {
		tests = append(tests, jen.Id("n").Op("<").Add(number(v.below.n)))
	}
	return jen.If(
		jen.List(jen.Id("n"), jen.Id("ok")).Op(":=").Id(e.integerFunction()).Call(value),
		jen.Id("ok").Op("&&").Add(parenthesised(tests)),
	)
}

func returnTrue() jen.Code { return jen.Return(jen.True()) }

// number returns an integer without a conversion around it.
func number(n int64) jen.Code { return jen.Op(strconv.FormatInt(n, 10)) }

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
