package gen

import (
	"fmt"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// stay is the name of the method that says how long a NoExecute taint may be
// borne. It exists only if some time is limited.
const stay = "stay"

// evictionDelay writes the answer of match.EvictionDelay (rules E1 to E3).
func (e *emitter) evictionDelay(s *stayPlan) {
	e.file.Line().Comment(e.shown(evictionDelay) + " returns whether the taints of a node evict a pod with the list, and if so")
	if e.Standalone {
		e.file.Comment("after how many nanoseconds: zero is at once.")
	} else {
		e.file.Comment("after what time: zero is at once.")
	}
	parameters, body := e.node(), e.delayUnlimited()
	if s.limited {
		body = e.delayLimited()
	}
	if e.forever {
		parameters, body = e.ignoredNode(), []jen.Code{jen.Return(jen.Lit(0), jen.False())}
	}
	e.declare(evictionDelay).Params(parameters).Params(jen.Id("after").Add(e.time()), jen.Id("evicted").Bool()).Block(body...)
}

// delayUnlimited is for lists that grant forever what they tolerate.
func (e *emitter) delayUnlimited() []jen.Code {
	evicts := e.effect().Op("==").Add(e.effectLiteral(taint.NoExecute))
	if !e.nothing {
		evicts.Op("&&").Op("!").Add(e.tolerated())
	}
	return []jen.Code{
		e.eachTaint(jen.If(evicts).Block(jen.Return(jen.Lit(0), jen.True()))),
		jen.Return(jen.Lit(0), jen.False()),
	}
}

// delayLimited takes the least of the times over the taints.
func (e *emitter) delayLimited() []jen.Code {
	after, left := jen.Id("after"), jen.Id("left")
	return []jen.Code{
		jen.Add(after).Op("=").Op("-").Lit(1),
		e.eachTaint(
			jen.If(e.effect().Op("!=").Add(e.effectLiteral(taint.NoExecute))).Block(jen.Continue()),
			jen.List(left, jen.Id("tolerated")).Op(":=").Add(e.call(stay)).Call(e.key(), e.value()),
			jen.If(jen.Op("!").Id("tolerated")).Block(jen.Return(jen.Lit(0), jen.True())),
			jen.If(e.sooner("after")).Block(jen.Add(after).Op("=").Add(left)),
		),
		jen.If(jen.Add(after).Op("<").Lit(0)).Block(jen.Return(jen.Lit(0), jen.False())),
		jen.Return(after, jen.True()),
	}
}

// sooner is the condition that left is a limited time, and less than the least
// so far, which is negative if there is none.
func (e *emitter) sooner(least string) jen.Code {
	return jen.Id("left").Op(">=").Lit(0).Op("&&").Parens(jen.Id(least).Op("<").Lit(0).Op("||").Id("left").Op("<").Id(least))
}

// stay writes how long the first toleration that matches a NoExecute taint bears
// it.
func (e *emitter) stay(s *stayPlan) {
	e.file.Line().Comment(e.shown(stay) + " returns whether a NoExecute taint is tolerated, and for how long: negative is forever.")
	var body []jen.Code
	if len(s.groups) > 0 {
		var cases []jen.Code
		for _, g := range s.groups {
			cases = append(cases, caseOf(g.keys).Block(e.grants(g.grants)...))
		}
		body = append(body, jen.Switch(jen.Id("key")).Block(cases...))
	}
	body = append(body, e.grants(s.others)...)
	if s.flat != nil {
		body = e.flat(s.flat)
	}
	e.declare(stay).Params(jen.List(jen.Id("key"), jen.Id("value")).String()).Params(jen.Add(e.time()), jen.Bool()).Block(body...)
}

// grants returns statements that return what the first of the grants says whose
// values have the value, and at the end, that there is none.
func (e *emitter) grants(grants []grant) []jen.Code {
	var body []jen.Code
	for len(grants) > 0 {
		g := &grants[0]
		run := 0 // of single values, whose order does not matter
		for run < len(grants) && grants[run].values.Kind == toleration.OneValue {
			run++
		}
		switch {
		case g.values.Kind == toleration.EveryValue:
			return append(body, e.granted(g))
		case run > 1:
			body = append(body, jen.Switch(jen.Id("value")).Block(e.singleGrants(grants[:run])...))
		default:
			body = append(body, e.ifGranted(g))
			run = 1
		}
		grants = grants[run:]
	}
	return append(body, jen.Return(jen.Lit(0), jen.False()))
}

// singleGrants returns the cases of a switch over values, one for each time.
func (e *emitter) singleGrants(grants []grant) []jen.Code {
	var times []*grant
	values := make(map[time.Duration][]string)
	for i := range grants {
		g := &grants[i]
		if values[g.after] == nil {
			times = append(times, g)
		}
		values[g.after] = append(values[g.after], g.values.Value)
	}
	var cases []jen.Code
	for _, g := range times {
		cases = append(cases, caseOf(values[g.after]).Block(e.granted(g)))
	}
	return cases
}

// flat returns statements that try one grant after the other.
func (e *emitter) flat(grants []grant) []jen.Code {
	var body []jen.Code
	for i := range grants {
		g := &grants[i]
		key, every := g.toleration.Key, g.values.Kind == toleration.EveryValue
		if key == "" && every {
			return append(body, e.granted(g))
		}
		statement := e.granted(g)
		if !every {
			statement = e.ifGranted(g)
		}
		if key != "" {
			statement = jen.If(jen.Id("key").Op("==").Lit(key)).Block(statement)
		}
		body = append(body, statement)
	}
	return append(body, jen.Return(jen.Lit(0), jen.False()))
}

// ifGranted returns a statement that returns what g says if it has the value.
func (e *emitter) ifGranted(g *grant) jen.Code {
	if g.values.Kind == toleration.OneValue {
		return jen.If(jen.Id("value").Op("==").Lit(g.values.Value)).Block(e.granted(g))
	}
	var v values
	v.add(g.values)
	return e.ifNumber(&v, jen.Id("value")).Block(e.granted(g))
}

// granted returns a statement that returns what g says.
func (e *emitter) granted(g *grant) jen.Code {
	return jen.Return(e.duration(g.after), jen.True())
}

func (e *emitter) duration(d time.Duration) jen.Code {
	switch {
	case d <= 0:
		return jen.Lit(int(d)) // forever or now
	case d == match.MaxDelay && e.Standalone:
		return jen.Lit(1).Op("<<").Lit(63).Op("-").Lit(1)
	case d == match.MaxDelay:
		return jen.Qual(matchPath, "MaxDelay")
	case e.Standalone:
		return jen.Op(fmt.Sprint(int64(d / time.Second))).Op("*").Id("1e9")
	}
	return jen.Op(fmt.Sprint(int64(d/time.Second))).Op("*").Qual(timePath, "Second")
}
