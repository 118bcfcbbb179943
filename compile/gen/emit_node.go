package gen

import (
	"strconv"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// list writes all that answers for one list.
func (e *emitter) list(l namedList) {
	e.self = l.names
	e.meaning, _ = toleration.NewMeaning(l.Tolerations)
	p, s := newPlan(l.Tolerations), newStayPlan(e.meaning)
	hadInteger := e.integer
	if e.Functions {
		e.describe(e.shown(tolerates)+" reports whether a taint is tolerated by the list", &l.List)
	} else {
		e.describe(l.public+" answers for the toleration list", &l.List)
		e.file.Comment("//")
		e.file.Comment("It holds nothing: copies are equal, and may be used concurrently.")
		e.file.Type().Id(l.public).Struct()
		e.file.Line().Comment(tolerates + " reports whether some toleration of the list tolerates a taint.")
	}
	e.tolerates(&p)
	e.firstUntolerated()
	e.decide(s.limited())
	e.evictionDelay(s.limited())
	if s.limited() {
		e.stay(&s)
	}
	if hadInteger == "" {
		e.declareInteger()
	}
}

// Some answers do not depend on the node, and are constant.

// atAll is the meaning of a list that tolerates every taint, evicting ones for no time.
func atAll() *toleration.Meaning {
	m, _ := toleration.NewMeaning([]toleration.Toleration{
		{Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: new(int64)}, {Operator: toleration.OpExists}})
	return m
}

// everything reports whether every taint is tolerated.
func (e *emitter) everything() bool { return e.meaning.Covers(atAll()) }

// forever reports whether no taint evicts.
func (e *emitter) forever() bool {
	_, ok := e.meaning.Allows(&toleration.Toleration{Operator: toleration.OpExists, Effect: taint.NoExecute})
	return ok
}

// refused returns those of the effects of which some taint is not tolerated.
func (e *emitter) refused(effects ...taint.Effect) (refused []taint.Effect) {
	for _, effect := range effects {
		if !e.meaning.Covers(atAll().Restrict(effect.Set())) {
			refused = append(refused, effect)
		}
	}
	return refused
}

// firstUntolerated writes the answer of match.FirstUntolerated. Whether a taint
// is tolerated is tested before the effects: the code for it looks at the effect
// anyway, where it has to. EffectSet.Has is written out, because the compiler
// counts one call less and so inlines the answer for a single key.
func (e *emitter) firstUntolerated() {
	e.file.Line().Comment(e.shown(firstUntolerated) + " returns the index of the first taint of a node that has one of the given effects")
	e.file.Comment("and that is not tolerated, and whether there is one.")
	effects, found := jen.Id("effects"), jen.Return(jen.Id("i"), jen.True())
	var tests []jen.Code
	if e.Standalone {
		effects.Op("...").String()
		tests = []jen.Code{e.unlessTolerated(), jen.For(jen.List(jen.Id("_"), jen.Id("wanted")).Op(":=").Range().Id("effects")).Block(
			jen.If(e.effect().Op("==").Id("wanted")).Block(found),
		)}
	} else {
		effects.Qual(taintPath, "EffectSet")
		tests = []jen.Code{jen.If(jen.Op("!").Add(e.ask(tolerates)).Op("&&").Id("effects").Op("&").Add(e.effect()).Dot("Set").Call().Op("!=").Lit(0)).Block(found)}
	}
	body := []jen.Code{e.eachTaint(tests...), nothing()}
	if e.everything() {
		body = body[1:]
	}
	e.declare(firstUntolerated).Params(e.node(), effects).Params(jen.Id("index").Int(), jen.Id("ok").Bool()).Block(body...)
}

// unlessTolerated returns a statement that goes on to the next taint if this one is
// tolerated.
func (e *emitter) unlessTolerated() jen.Code { return jen.If(e.ask(tolerates)).Block(jen.Continue()) }

// nothing returns that no taint was found, or that none evicts.
func nothing() jen.Code { return jen.Return(jen.Lit(0), jen.False()) }

// refusal is what follows from a taint that has one of some effects and is not
// tolerated.
type refusal struct {
	effects []taint.Effect
	then    []jen.Code
}

// eachRefused returns a loop over the taints that are not tolerated, with those of the
// cases that can occur, and no loop if there are none.
func (e *emitter) eachRefused(all ...refusal) []jen.Code {
	var cases []jen.Code
	for _, r := range all {
		if effects := e.refused(r.effects...); effects != nil {
			cases = append(cases, jen.Case(e.effectLiterals(effects)...).Block(r.then...))
		}
	}
	if cases == nil {
		return nil
	}
	return []jen.Code{e.eachTaint(e.unlessTolerated(), jen.Switch(e.effect()).Block(cases...))}
}

// decide writes the answer of match.Decide (rules F2, E1, E2).
func (e *emitter) decide(limited bool) {
	if e.Standalone {
		e.decideStandalone()
		return
	}
	e.file.Line().Comment(e.shown(decide) + " returns what the taints of a node mean to a pod with the list.")
	unless := func(half, operator, answer, then string) jen.Code {
		return jen.If(jen.Id("v").Dot(half).Op(operator).Qual(matchPath, answer)).Block(
			jen.List(jen.Id("v").Dot(half), jen.Id("v").Dot(half+"Taint")).Op("=").List(jen.Qual(matchPath, then), jen.Id("i")),
		)
	}
	refuse := unless("Scheduling", "!=", "Unschedulable", "Unschedulable")
	body := append([]jen.Code{jen.Var().Id("v").Qual(matchPath, "Verdict")}, e.eachRefused(
		refusal{[]taint.Effect{taint.NoSchedule}, []jen.Code{refuse}},
		refusal{[]taint.Effect{taint.NoExecute}, []jen.Code{refuse, unless("Eviction", "==", "Stay", "EvictNow")}},
		refusal{[]taint.Effect{taint.PreferNoSchedule}, []jen.Code{unless("Scheduling", "==", "Schedulable", "Avoid")}},
	)...)
	if limited {
		body = append(body, e.decideLimited()...)
	}
	body = append(body, jen.Return(jen.Id("v")))
	e.declare(decide).Params(e.node()).Qual(matchPath, "Verdict").Block(body...)
}

// decideLimited returns statements about the times of tolerated taints.
func (e *emitter) decideLimited() (body []jen.Code) {
	least, eviction := jen.Id("least"), jen.Id("v").Dot("Eviction")
	if e.refused(taint.NoExecute) != nil {
		body = append(body, jen.If(jen.Add(eviction).Op("!=").Qual(matchPath, "Stay")).Block(jen.Return(jen.Id("v"))))
	}
	return append(body,
		jen.Add(least).Op(":=").Add(e.time()).Call(jen.Op("-").Lit(1)),
		e.eachTime("_", "least", jen.List(least, jen.Id("v").Dot("EvictionTaint")).Op("=").List(jen.Id("left"), jen.Id("i"))),
		jen.If(jen.Add(least).Op("==").Lit(0)).Block(
			jen.Add(eviction).Op("=").Qual(matchPath, "EvictNow"),
		).Else().If(jen.Add(least).Op(">").Lit(0)).Block(
			jen.List(eviction, jen.Id("v").Dot("After")).Op("=").List(jen.Qual(matchPath, "EvictAfter"), least),
		),
	)
}

// eachTime returns a loop over the NoExecute taints, which does what then says for one with
// a limited time that is less than the least so far, which is negative if there is none.
func (e *emitter) eachTime(tolerated, least string, then jen.Code) jen.Code {
	body := []jen.Code{
		jen.If(e.effect().Op("!=").Add(e.effectLiteral(taint.NoExecute))).Block(jen.Continue()),
		jen.List(jen.Id("left"), jen.Id(tolerated)).Op(":=").Add(e.ask(stay)),
	}
	if tolerated != "_" {
		body = append(body, jen.If(jen.Op("!").Id(tolerated)).Block(jen.Return(jen.Lit(0), jen.True())))
	}
	return e.eachTaint(append(body, jen.If(
		jen.Id("left").Op(">=").Lit(0).Op("&&").Parens(jen.Id(least).Op("<").Lit(0).Op("||").Id("left").Op("<").Id(least)),
	).Block(then))...)
}

// decideStandalone writes the same answer as four results.
func (e *emitter) decideStandalone() {
	e.file.Line().Comment(e.shown(decide) + " returns what the taints of a node mean to a pod with the list: whether it may not be")
	e.file.Comment("scheduled there, whether it is better scheduled elsewhere, and what " + e.shown(evictionDelay) + " returns.")
	unschedulable, avoid := jen.Id("unschedulable"), jen.Id("avoid")
	after, evicted := jen.Id("after"), jen.Id("evicted")
	body := e.eachRefused(
		refusal{[]taint.Effect{taint.NoSchedule, taint.NoExecute}, []jen.Code{jen.Add(unschedulable).Op("=").True()}},
		refusal{[]taint.Effect{taint.PreferNoSchedule}, []jen.Code{jen.Add(avoid).Op("=").True()}},
	)
	body = append(body,
		jen.List(after, evicted).Op("=").Add(e.call(evictionDelay)).Call(jen.Id("n"), jen.Id("at")),
		jen.Return(unschedulable, jen.Add(avoid).Op("&&").Op("!").Add(unschedulable), after, evicted),
	)
	e.declare(decide).Params(e.node()).Params(
		jen.List(unschedulable, avoid).Bool(), jen.Add(after).Int64(), jen.Add(evicted).Bool(),
	).Block(body...)
}

// evictionDelay writes the answer of match.EvictionDelay (rules E1 to E3).
func (e *emitter) evictionDelay(limited bool) {
	e.file.Line().Comment(e.shown(evictionDelay) + " returns whether the taints of a node evict a pod with the list, and if so")
	if e.Standalone {
		e.file.Comment("after how many nanoseconds: zero is at once.")
	} else {
		e.file.Comment("after what time: zero is at once.")
	}
	after := jen.Id("after")
	var body []jen.Code
	switch {
	case limited:
		body = []jen.Code{
			jen.Add(after).Op("=").Op("-").Lit(1),
			e.eachTime("tolerated", "after", jen.Add(after).Op("=").Id("left")),
			jen.If(jen.Add(after).Op("<").Lit(0)).Block(nothing()),
			jen.Return(after, jen.True()),
		}
	case e.forever():
		body = []jen.Code{nothing()}
	default:
		evicts := e.effect().Op("==").Add(e.effectLiteral(taint.NoExecute)).Op("&&").Op("!").Add(e.ask(tolerates))
		body = []jen.Code{e.eachTaint(jen.If(evicts).Block(jen.Return(jen.Lit(0), jen.True()))), nothing()}
	}
	e.declare(evictionDelay).Params(e.node()).Params(jen.Add(after).Add(e.time()), jen.Id("evicted").Bool()).Block(body...)
}

// stay is the name of the method that says how long a NoExecute taint may be
// borne. It exists only if some time is limited.
const stay = "stay"

// stay writes how long a NoExecute taint is tolerated: by the tests of its key, or else by
// those of any key.
func (e *emitter) stay(s *plan) {
	e.file.Line().Comment(e.shown(stay) + " returns whether a NoExecute taint is tolerated, and for how long: negative is forever.")
	granted := func(t *term) jen.Code { return jen.Return(e.duration(t.after), jen.True()) }
	var body, cases []jen.Code
	for _, g := range s.groups {
		cases = append(cases, caseOf(g.keys).Block(e.tests(g.terms, granted)...))
	}
	if cases != nil {
		body = append(body, jen.Switch(e.key()).Block(cases...))
	}
	body = append(body, e.tests(s.anyKey, granted, nothing())...)
	e.declare(stay).Params(e.oneTaint()).Params(jen.Add(e.time()), jen.Bool()).Block(body...)
}

func (e *emitter) duration(d time.Duration) jen.Code {
	seconds := jen.Op(strconv.FormatInt(int64(d/time.Second), 10)).Op("*")
	switch {
	case d <= 0:
		return jen.Lit(int(d)) // forever or now
	case d == match.MaxDelay && e.Standalone:
		return jen.Lit(1).Op("<<").Lit(63).Op("-").Lit(1)
	case d == match.MaxDelay:
		return jen.Qual(matchPath, "MaxDelay")
	case e.Standalone:
		return seconds.Id("1e9")
	}
	return seconds.Qual(timePath, "Second")
}
