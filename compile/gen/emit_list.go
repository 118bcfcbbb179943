package gen

import (
	"github.com/dave/jennifer/jen"

	"github.com/tolero-dev/tolero/toleration"
)

// list writes all that answers for one list.
func (e *emitter) list(l namedList) {
	e.self = l.names
	set := toleration.NewSet(l.Tolerations)
	p, s := newPlan(set), newStayPlan(l.Tolerations)
	e.constants = newConstants(set, l.Tolerations)
	s.limited = s.limited && !e.forever
	hadInteger := e.integer
	parameters, body := e.oneTaint(), e.toleratesBody(&p)
	if e.everything || e.nothing {
		parameters, body = e.ignoredTaint(), []jen.Code{jen.Return(jen.Lit(e.everything))}
	}
	if e.Functions {
		e.describe(e.shown(tolerates)+" reports whether a taint is tolerated by the list", &l.List)
	} else {
		e.describe(l.public+" answers for the toleration list", &l.List)
		e.file.Comment("//")
		e.file.Comment("It holds nothing: copies are equal, and may be used concurrently.")
		e.file.Type().Id(l.public).Struct()
		e.file.Line().Comment(tolerates + " reports whether some toleration of the list tolerates a taint.")
	}
	e.declare(tolerates).Params(parameters).Params(jen.Id(tolerated).Bool()).Block(body...)
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
	result := func() *jen.Statement { return jen.Params(jen.Id("index").Int(), jen.Id("ok").Bool()) }
	if e.everything {
		effects := jen.Id("_").Qual(taintPath, "EffectSet")
		if e.Standalone {
			effects = jen.Id("_").Op("...").String()
		}
		e.declare(firstUntolerated).Params(e.ignoredNode(), effects).Add(result()).Block(jen.Return(jen.Lit(0), jen.False()))
		return
	}
	effects := jen.Id("effects")
	found := jen.Return(jen.Id("i"), jen.True())
	var tests []jen.Code
	if e.Standalone {
		effects.Op("...").String()
		tests = append(e.unlessTolerated(), jen.For(jen.List(jen.Id("_"), jen.Id("wanted")).Op(":=").Range().Id("effects")).Block(
			jen.If(e.effect().Op("==").Id("wanted")).Block(found),
		))
	} else {
		effects.Qual(taintPath, "EffectSet")
		asked := jen.Id("effects").Op("&").Add(e.effect()).Dot("Set").Call().Op("!=").Lit(0)
		if !e.nothing {
			asked = jen.Op("!").Add(e.tolerated()).Op("&&").Add(asked)
		}
		tests = []jen.Code{jen.If(asked).Block(found)}
	}
	e.declare(firstUntolerated).Params(e.node(), effects).Add(result()).Block(
		e.eachTaint(tests...),
		jen.Return(jen.Lit(0), jen.False()),
	)
}
