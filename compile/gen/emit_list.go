package gen

import "github.com/dave/jennifer/jen"

// list writes all that answers for one list.
func (e *emitter) list(l namedList) {
	e.self = l.names
	p, s := newPlan(l.Tolerations), newStayPlan(l.Tolerations)
	hadInteger := e.integer
	body := e.toleratesBody(&p)
	if e.Functions {
		e.describe(e.shown(tolerates)+" reports whether a taint is tolerated by the list", &l.List)
	} else {
		e.describe(l.public+" answers for the toleration list", &l.List)
		e.file.Comment("//")
		e.file.Comment("It holds nothing: copies are equal, and may be used concurrently.")
		e.file.Type().Id(l.public).Struct()
		e.file.Line().Comment(tolerates + " reports whether some toleration of the list tolerates a taint.")
	}
	e.declare(tolerates).Params(e.oneTaint()).Params(jen.Id(tolerated).Bool()).Block(body...)
	if e.order == bestOrder {
		e.others(&s)
	}
	if hadInteger == "" {
		e.declareInteger()
	}
}

// others writes what answers the other questions.
func (e *emitter) others(s *stayPlan) {
	e.firstUntolerated()
	e.decide(s)
	e.evictionDelay(s)
	if s.limited {
		e.stay(s)
	}
}

// firstUntolerated writes the answer of match.FirstUntolerated. Whether a taint
// is tolerated is tested before the effects: the code for it looks at the effect
// anyway, where it has to. EffectSet.Has is written out, because the compiler
// counts one call less and so inlines the answer for a single key.
func (e *emitter) firstUntolerated() {
	e.file.Line().Comment(e.shown(firstUntolerated) + " returns the index of the first taint of a node that has one of the given effects")
	e.file.Comment("and that is not tolerated, and whether there is one.")
	effects := jen.Id("effects")
	found := jen.Return(jen.Id("i"), jen.True())
	var tests []jen.Code
	if e.Standalone {
		effects.Op("...").String()
		tests = []jen.Code{
			jen.If(e.tolerated()).Block(jen.Continue()),
			jen.For(jen.List(jen.Id("_"), jen.Id("wanted")).Op(":=").Range().Id("effects")).Block(
				jen.If(e.effect().Op("==").Id("wanted")).Block(found),
			),
		}
	} else {
		effects.Qual(taintPath, "EffectSet")
		tests = []jen.Code{jen.If(jen.Op("!").Add(e.tolerated()).Op("&&").Id("effects").Op("&").Add(e.effect()).Dot("Set").Call().Op("!=").Lit(0)).Block(found)}
	}
	e.declare(firstUntolerated).Params(e.node(), effects).Params(jen.Id("index").Int(), jen.Id("ok").Bool()).Block(
		e.eachTaint(tests...),
		jen.Return(jen.Lit(0), jen.False()),
	)
}
