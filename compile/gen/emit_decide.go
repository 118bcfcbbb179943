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
	verdict := func(name string) jen.Code { return jen.Qual(matchPath, name) }
	scheduling, eviction := jen.Id("v").Dot("Scheduling"), jen.Id("v").Dot("Eviction")
	leave := []jen.Code{scheduling.Clone().Op("=").Add(verdict("Unschedulable")), eviction.Clone().Op("=").Add(verdict("LeaveNow"))}
	body := []jen.Code{
		jen.Var().Id("v").Qual(matchPath, "Verdict"),
		e.eachTaint(
			jen.If(e.tolerated()).Block(jen.Continue()),
			jen.Switch(e.effect()).Block(
				jen.Case(e.effectLiteral(taint.NoSchedule)).Block(leave[0]),
				jen.Case(e.effectLiteral(taint.NoExecute)).Block(leave...),
				jen.Case(e.effectLiteral(taint.PreferNoSchedule)).Block(
					scheduling.Clone().Op("=").Id("max").Call(scheduling, verdict("Avoid")),
				),
			),
		),
	}
	if s.limited {
		after, evicted := jen.Id("after"), jen.Id("evicted")
		body = append(body, jen.If(
			jen.List(after, evicted).Op(":=").Add(e.call(evictionDelay)).Call(e.nodeArguments()...),
			jen.Add(evicted).Op("&&").Add(after).Op("==").Lit(0),
		).Block(
			eviction.Clone().Op("=").Add(verdict("LeaveNow")),
		).Else().If(evicted).Block(
			jen.List(eviction, jen.Id("v").Dot("After")).Op("=").List(verdict("LeaveAfter"), after),
		))
	}
	body = append(body, jen.Return(jen.Id("v")))
	e.declare(decide).Params(e.node()).Qual(matchPath, "Verdict").Block(body...)
}

// decideStandalone writes the same answer as four results.
func (e *emitter) decideStandalone() {
	e.file.Line().Comment(e.shown(decide) + " returns what the taints of a node mean to a pod with the list: whether it may not be")
	e.file.Comment("scheduled there, whether it is better scheduled elsewhere, and what " + e.shown(evictionDelay) + " returns.")
	unschedulable, avoid := jen.Id("unschedulable"), jen.Id("avoid")
	e.declare(decide).Params(e.node()).Params(
		jen.List(unschedulable, avoid).Bool(), jen.Id("after").Int64(), jen.Id("evicted").Bool(),
	).Block(
		e.eachTaint(
			jen.If(e.tolerated()).Block(jen.Continue()),
			jen.Switch(e.effect()).Block(
				jen.Case(e.effectLiteral(taint.NoSchedule), e.effectLiteral(taint.NoExecute)).Block(jen.Add(unschedulable).Op("=").True()),
				jen.Case(e.effectLiteral(taint.PreferNoSchedule)).Block(jen.Add(avoid).Op("=").True()),
			),
		),
		jen.List(jen.Id("after"), jen.Id("evicted")).Op("=").Add(e.call(evictionDelay)).Call(e.nodeArguments()...),
		jen.Return(unschedulable, jen.Add(avoid).Op("&&").Op("!").Add(unschedulable), jen.Id("after"), jen.Id("evicted")),
	)
}
