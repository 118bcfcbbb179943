package gen

import (
	"github.com/dave/jennifer/jen"
)

// toleratesBody returns the body of the function that answers for one taint.
// What is tolerated whatever the key comes first: real lists have it for whole
// effects, where it is the cheapest test.
func (e *emitter) toleratesBody(p *plan) []jen.Code {
	if test, ok := e.onlyTest(p); ok {
		return []jen.Code{jen.Return(test)}
	}
	body, always := e.tests(p.anyKey)
	if always {
		return body
	}
	switch p.chooseOrder(e.order) {
	case effectFirst:
		body = append(body, e.byEffect(p)...)
	case lengthFirst:
		body = append(body, e.byLength(p)...)
	default:
		body = append(body, e.byKey(p.groups, true)...)
	}
	return append(body, jen.Return(jen.False()))
}

// onlyTest returns all that there is to test if it is about a single key.
func (e *emitter) onlyTest(p *plan) (test *jen.Statement, ok bool) {
	if len(p.anyKey) > 0 || len(p.groups) != 1 || len(p.groups[0].keys) != 1 || !simple(p.groups[0].terms) {
		return nil, false
	}
	terms := p.groups[0].terms
	test = e.key().Op("==").Lit(p.groups[0].keys[0])
	if always(terms) {
		return test, true
	}
	rest := e.anyOf(terms)
	if len(terms) > 1 || len(terms[0].effects) > 1 && terms[0].values.every || len(terms[0].effects) == 0 && len(terms[0].values.single) > 1 {
		rest = jen.Parens(rest)
	}
	return test.Op("&&").Add(rest), true
}

// byKey returns a switch over the keys. final says that nothing comes after it,
// so that the case of a key decides.
func (e *emitter) byKey(groups []group, final bool) []jen.Code {
	if len(groups) == 0 {
		return nil
	}
	var cases []jen.Code
	for _, g := range groups {
		body, always := e.tests(g.terms)
		if final && !always && simple(g.terms) {
			body = []jen.Code{jen.Return(e.anyOf(g.terms))}
		}
		cases = append(cases, caseOf(g.keys).Block(body...))
	}
	return []jen.Code{jen.Switch(e.key()).Block(cases...)}
}

// byEffect returns a switch over the effects, and behind it what is tolerated
// with any effect. A single effect needs no switch.
func (e *emitter) byEffect(p *plan) []jen.Code {
	anyEffect, effects := p.withEffect(""), p.effects()
	if len(effects) == 1 && len(anyEffect) == 0 {
		wrong := jen.If(e.effect().Op("!=").Add(e.effectLiteral(effects[0]))).Block(jen.Return(jen.False()))
		return append([]jen.Code{wrong}, e.byKey(p.withEffect(effects[0]), true)...)
	}
	var cases, body []jen.Code
	for _, effect := range effects {
		cases = append(cases, jen.Case(e.effectLiteral(effect)).Block(e.byKey(p.withEffect(effect), len(anyEffect) == 0)...))
	}
	if cases != nil {
		body = append(body, jen.Switch(e.effect()).Block(cases...))
	}
	return append(body, e.byKey(anyEffect, true)...)
}

// byLength returns a switch over the lengths of the keys.
func (e *emitter) byLength(p *plan) []jen.Code {
	var cases []jen.Code
	for _, length := range p.lengths() {
		cases = append(cases, jen.Case(jen.Lit(length)).Block(e.byKey(p.withLength(length), true)...))
	}
	if cases == nil {
		return nil
	}
	return []jen.Code{jen.Switch(jen.Len(e.key())).Block(cases...)}
}
