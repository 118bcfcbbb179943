package gen

import (
	"github.com/dave/jennifer/jen"

	"github.com/tolero-dev/tolero/taint"
)

// decide writes the answer of match.Decide (rules F2, E1, E2).
func (e *emitter) decide(s *stayPlan) {
	if e.Standalone {
		e.decideStandalone()
		return
	}
	e.file.Line().Comment(e.shown(decide) + " returns what the taints of a node mean to a pod with the list.")
	parameters, body := e.node(), []jen.Code{jen.Return(verdict("Verdict").Values())}
	if e.accepts() && e.forever {
		parameters = e.ignoredNode()
	} else {
		body = append([]jen.Code{jen.Var().Id("v").Add(verdict("Verdict"))}, e.decideRefused()...)
		if s.limited {
			body = append(body, e.decideLimited()...)
		}
		body = append(body, jen.Return(jen.Id("v")))
	}
	e.declare(decide).Params(parameters).Add(verdict("Verdict")).Block(body...)
}

func verdict(name string) *jen.Statement { return jen.Qual(matchPath, name) }

// half returns a half of the verdict: Scheduling or Eviction.
func half(name string) *jen.Statement { return jen.Id("v").Dot(name) }

// decided says what a half of the verdict is because of taint i.
func decided(name, answer string) jen.Code {
	return jen.List(half(name), half(name+"Taint")).Op("=").List(verdict(answer), jen.Id("i"))
}

// decideRefused returns statements about the taints that are not tolerated.
func (e *emitter) decideRefused() []jen.Code {
	first := map[taint.Effect][]jen.Code{
		taint.NoSchedule:       {decided("Scheduling", "Unschedulable")},
		taint.NoExecute:        {decided("Scheduling", "Unschedulable"), decided("Eviction", "EvictNow")},
		taint.PreferNoSchedule: {decided("Scheduling", "Avoid")},
	}
	unless := func(name, operator, answer string, then jen.Code) jen.Code {
		return jen.If(half(name).Op(operator).Add(verdict(answer))).Block(then)
	}
	refuse := unless("Scheduling", "!=", "Unschedulable", first[taint.NoSchedule][0])
	return e.eachRefused(first, []refusal{
		{[]taint.Effect{taint.NoSchedule}, []jen.Code{refuse}},
		{[]taint.Effect{taint.NoExecute}, []jen.Code{refuse, unless("Eviction", "==", "Stay", first[taint.NoExecute][1])}},
		{[]taint.Effect{taint.PreferNoSchedule}, []jen.Code{unless("Scheduling", "==", "Schedulable", first[taint.PreferNoSchedule][0])}},
	})
}

// decideLimited returns statements about the times of tolerated taints.
func (e *emitter) decideLimited() (body []jen.Code) {
	if e.refuses(taint.NoExecute) {
		body = append(body, jen.If(half("Eviction").Op("!=").Add(verdict("Stay"))).Block(jen.Return(jen.Id("v"))))
	}
	least := jen.Id("least")
	return append(body,
		jen.Add(least).Op(":=").Add(e.time()).Call(jen.Op("-").Lit(1)),
		e.eachTaint(
			jen.If(e.effect().Op("!=").Add(e.effectLiteral(taint.NoExecute))).Block(jen.Continue()),
			jen.List(jen.Id("left"), jen.Id("_")).Op(":=").Add(e.call(stay)).Call(e.key(), e.value()),
			jen.If(e.sooner("least")).Block(jen.List(least, half("EvictionTaint")).Op("=").List(jen.Id("left"), jen.Id("i"))),
		),
		jen.If(jen.Add(least).Op("==").Lit(0)).Block(
			half("Eviction").Op("=").Add(verdict("EvictNow")),
		).Else().If(jen.Add(least).Op(">").Lit(0)).Block(
			jen.List(half("Eviction"), half("After")).Op("=").List(verdict("EvictAfter"), least),
		),
	)
}

// decideStandalone writes the same answer as four results.
func (e *emitter) decideStandalone() {
	e.file.Line().Comment(e.shown(decide) + " returns what the taints of a node mean to a pod with the list: whether it may not be")
	e.file.Comment("scheduled there, whether it is better scheduled elsewhere, and what " + e.shown(evictionDelay) + " returns.")
	unschedulable, avoid := jen.Id("unschedulable"), jen.Id("avoid")
	refuse, prefer := []jen.Code{jen.Add(unschedulable).Op("=").True()}, []jen.Code{jen.Add(avoid).Op("=").True()}
	parameters := e.node()
	var body []jen.Code
	if !e.accepts() {
		first := map[taint.Effect][]jen.Code{taint.NoSchedule: refuse, taint.NoExecute: refuse, taint.PreferNoSchedule: prefer}
		body = e.eachRefused(first, []refusal{
			{[]taint.Effect{taint.NoSchedule, taint.NoExecute}, refuse},
			{[]taint.Effect{taint.PreferNoSchedule}, prefer},
		})
	} else if e.forever {
		parameters = e.ignoredNode()
	}
	if !e.forever {
		body = append(body, jen.List(jen.Id("after"), jen.Id("evicted")).Op("=").Add(e.call(evictionDelay)).Call(e.nodeArguments()...))
	}
	body = append(body, jen.Return(unschedulable, jen.Add(avoid).Op("&&").Op("!").Add(unschedulable), jen.Id("after"), jen.Id("evicted")))
	e.declare(decide).Params(parameters).Params(
		jen.List(unschedulable, avoid).Bool(), jen.Id("after").Int64(), jen.Id("evicted").Bool(),
	).Block(body...)
}

// refusal is what follows from a taint that has one of some effects and is not
// tolerated.
type refusal struct {
	effects []taint.Effect
	then    []jen.Code
}

// eachRefused returns a loop over the taints that are not tolerated, with those of the
// cases that can occur. If there is one effect that can, the loop ends with the first
// such taint, from which follows what first says.
func (e *emitter) eachRefused(first map[taint.Effect][]jen.Code, cases []refusal) []jen.Code {
	var refused []taint.Effect
	var body []jen.Code
	for _, c := range cases {
		var effects []taint.Effect
		for _, effect := range c.effects {
			if e.refuses(effect) {
				effects = append(effects, effect)
			}
		}
		if refused = append(refused, effects...); effects != nil {
			body = append(body, jen.Case(e.effectLiterals(effects)...).Block(c.then...))
		}
	}
	switch len(refused) {
	case 0:
		return nil
	case 1: // then something is tolerated
		asked := e.effect().Op("==").Add(e.effectLiteral(refused[0])).Op("&&").Op("!").Add(e.tolerated())
		return []jen.Code{e.eachTaint(jen.If(asked).Block(append(first[refused[0]], jen.Break())...))}
	}
	return []jen.Code{e.eachTaint(append(e.unlessTolerated(), jen.Switch(e.effect()).Block(body...))...)}
}
