package gen

import (
	"github.com/dave/jennifer/jen"
)

// tolerated is the result of the function that answers for one taint. It is
// false until a return says otherwise, and returns that do not are bare: they
// count less for the compiler, which inlines short functions only.
const tolerated = "tolerated"

// toleratesBody returns the body of the function that answers for one taint.
// What is tolerated whatever the key comes first: real lists have it for whole
// effects, where it is the cheapest test.
func (e *emitter) toleratesBody(p *plan) []jen.Code {
	body, always := e.tests(p.anyKey)
	if always {
		return body
	}
	groups := p.groups
	switch p.chooseOrder(e.order) {
	case keyFirst:
		return append(body, e.byKey(groups)...)
	case effectFirst:
		if effect, ok := p.onlyEffect(); ok {
			wrong := jen.If(e.effect().Op("!=").Add(e.effectLiteral(effect))).Block(jen.Return())
			body, groups = append(body, wrong), p.withoutEffects()
		}
	}
	return append(body, e.byLength(groups)...)
}

// byLength returns a switch over the lengths of the keys, and in each case the
// keys of that length.
func (e *emitter) byLength(groups []group) []jen.Code {
	if len(groups) == 1 {
		return append(e.unlessKey(groups[0].keys), e.decides(groups[0].terms)...)
	}
	var cases []jen.Code
	for _, length := range lengths(groups) {
		var body []jen.Code
		for _, g := range withLength(groups, length) {
			body = append(body, e.ifKey(g.keys, e.decides(g.terms)))
		}
		cases = append(cases, jen.Case(jen.Lit(length)).Block(body...))
	}
	if cases == nil {
		return []jen.Code{jen.Return()}
	}
	return []jen.Code{e.switchLength(cases), jen.Return()}
}

// ifKey returns a statement that does what then says if the known key is one of
// keys of its length.
func (e *emitter) ifKey(keys []string, then []jen.Code) jen.Code {
	if len(keys) > fewKeys {
		return jen.Switch(knownKey()).Block(caseOf(keys).Block(then...))
	}
	return jen.If(e.isOneOf(keys)).Block(then...)
}

// unlessKey returns statements that return false if the key is none of keys. All
// others have left early then, and what comes next is the same for all of keys.
func (e *emitter) unlessKey(keys []string) []jen.Code {
	if len(keys) == 1 {
		return []jen.Code{jen.If(e.isNot(keys[0])).Block(jen.Return())}
	}
	same := []group{{keys: keys}}
	var cases []jen.Code
	for _, length := range lengths(same) {
		wrong := e.unlessKnownKey(withLength(same, length)[0].keys)
		cases = append(cases, jen.Case(jen.Lit(length)).Block(wrong))
	}
	cases = append(cases, jen.Default().Block(jen.Return()))
	return []jen.Code{e.switchLength(cases)}
}

// unlessKnownKey returns a statement that returns false if the known key is none
// of keys of its length.
func (e *emitter) unlessKnownKey(keys []string) jen.Code {
	if len(keys) > fewKeys {
		return jen.Switch(knownKey()).Block(caseOf(keys), jen.Default().Block(jen.Return()))
	}
	return jen.If(e.isNoneOf(keys)).Block(jen.Return())
}

// byKey returns a switch over the keys.
func (e *emitter) byKey(groups []group) []jen.Code {
	var cases []jen.Code
	for _, g := range groups {
		cases = append(cases, caseOf(g.keys).Block(e.decides(g.terms)...))
	}
	if cases == nil {
		return []jen.Code{jen.Return()}
	}
	return []jen.Code{jen.Switch(e.key()).Block(cases...), jen.Return()}
}

// decides returns statements that return whether terms hold.
func (e *emitter) decides(terms []term) []jen.Code {
	if simple(terms) && !always(terms) {
		return []jen.Code{jen.Return(e.anyOf(terms))}
	}
	body, always := e.tests(terms)
	if !always {
		body = append(body, jen.Return())
	}
	return body
}
