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
	if e.accepts() && e.forever {
		e.declare(decide).Params(e.ignoredNode()).Qual(matchPath, "Verdict").Block(jen.Return(jen.Qual(matchPath, "Verdict").Values()))
		return
	}
	verdict := func(name string) jen.Code { return jen.Qual(matchPath, name) }
	scheduling, eviction := jen.Id("v").Dot("Scheduling"), jen.Id("v").Dot("Eviction")
	// decided says what a half of the verdict is because of taint i.
	decided := func(half, answer string) jen.Code {
		return jen.List(jen.Id("v").Dot(half), jen.Id("v").Dot(half+"Taint")).Op("=").List(verdict(answer), jen.Id("i"))
	}
	refuse := jen.If(scheduling.Clone().Op("!=").Add(verdict("Unschedulable"))).Block(decided("Scheduling", "Unschedulable"))
	var cases []jen.Code
	if e.refuses(taint.NoSchedule) {
		cases = append(cases, jen.Case(e.effectLiteral(taint.NoSchedule)).Block(refuse))
	}
	if e.refuses(taint.NoExecute) {
		cases = append(cases, jen.Case(e.effectLiteral(taint.NoExecute)).Block(
			refuse,
			jen.If(eviction.Clone().Op("==").Add(verdict("Stay"))).Block(decided("Eviction", "EvictNow")),
		))
	}
	if e.refuses(taint.PreferNoSchedule) {
		cases = append(cases, jen.Case(e.effectLiteral(taint.PreferNoSchedule)).Block(
			jen.If(scheduling.Clone().Op("==").Add(verdict("Schedulable"))).Block(decided("Scheduling", "Avoid")),
		))
	}
	body := []jen.Code{jen.Var().Id("v").Qual(matchPath, "Verdict")}
	if cases != nil {
		body = append(body, e.eachTaint(append(e.unlessTolerated(), jen.Switch(e.effect()).Block(cases...))...))
	}
	if s.limited {
		if e.refuses(taint.NoExecute) {
			body = append(body, jen.If(eviction.Clone().Op("!=").Add(verdict("Stay"))).Block(jen.Return(jen.Id("v"))))
		}
		body = append(body,
			jen.Id("least").Op(":=").Add(e.time()).Call(jen.Op("-").Lit(1)),
			e.eachTaint(
				jen.If(e.effect().Op("!=").Add(e.effectLiteral(taint.NoExecute))).Block(jen.Continue()),
				jen.List(jen.Id("left"), jen.Id("_")).Op(":=").Add(e.call(stay)).Call(e.key(), e.value()),
				jen.If(e.sooner("least")).Block(
					jen.List(jen.Id("least"), jen.Id("v").Dot("EvictionTaint")).Op("=").List(jen.Id("left"), jen.Id("i")),
				),
			),
			jen.If(jen.Id("least").Op("==").Lit(0)).Block(
				eviction.Clone().Op("=").Add(verdict("EvictNow")),
			).Else().If(jen.Id("least").Op(">").Lit(0)).Block(
				jen.List(eviction, jen.Id("v").Dot("After")).Op("=").List(verdict("EvictAfter"), jen.Id("least")),
			),
		)
	}
	body = append(body, jen.Return(jen.Id("v")))
	e.declare(decide).Params(e.node()).Qual(matchPath, "Verdict").Block(body...)
}

// decideStandalone writes the same answer as four results.
func (e *emitter) decideStandalone() {
	e.file.Line().Comment(e.shown(decide) + " returns what the taints of a node mean to a pod with the list: whether it may not be")
	e.file.Comment("scheduled there, whether it is better scheduled elsewhere, and what " + e.shown(evictionDelay) + " returns.")
	unschedulable, avoid := jen.Id("unschedulable"), jen.Id("avoid")
	parameters := e.node()
	var body []jen.Code
	if !e.accepts() {
		var cases, hard []jen.Code
		for _, effect := range []taint.Effect{taint.NoSchedule, taint.NoExecute} {
			if e.refuses(effect) {
				hard = append(hard, e.effectLiteral(effect))
			}
		}
		if hard != nil {
			cases = append(cases, jen.Case(hard...).Block(jen.Add(unschedulable).Op("=").True()))
		}
		if e.refuses(taint.PreferNoSchedule) {
			cases = append(cases, jen.Case(e.effectLiteral(taint.PreferNoSchedule)).Block(jen.Add(avoid).Op("=").True()))
		}
		body = append(body, e.eachTaint(append(e.unlessTolerated(), jen.Switch(e.effect()).Block(cases...))...))
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
