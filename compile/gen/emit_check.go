package gen

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/tolero-dev/tolero/toleration"
)

// test writes what tests the code for one list: the list itself, the code as a
// gentest.Matcher, and three functions that hand both to package gentest.
func (e *emitter) test(l namedList) {
	e.self = l.names
	e.file.Comment(l.list() + " is the list that " + l.public + " is made from.")
	e.file.Var().Id(l.list()).Op("=").Index().Qual(tolerationPath, "Toleration").Custom(
		jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, e.tolerationLiterals(l.Tolerations)...,
	)
	e.file.Line().Comment(l.matcher() + " is the code, to be compared.")
	e.file.Func().Id(l.matcher()).Params().Qual(gentestPath, "Matcher").Block(jen.Return(e.adapted()))
	for _, kind := range []struct{ name, parameter, call string }{{"Test", "t", "Run"}, {"Fuzz", "f", "Fuzz"}, {"Benchmark", "b", "Benchmark"}} {
		parameter := map[string]string{"t": "T", "f": "F", "b": "B"}[kind.parameter]
		e.file.Line().Func().Id(kind.name + l.title).Params(jen.Id(kind.parameter).Op("*").Qual(testingPath, parameter)).Block(
			jen.Qual(gentestPath, kind.call).Call(jen.Id(kind.parameter), jen.Id(l.list()), jen.Id(l.matcher()).Call()),
		)
	}
}

// adapted returns the code as a gentest.Matcher.
func (e *emitter) adapted() jen.Code {
	answers := make(jen.Dict)
	for _, question := range []string{tolerates, firstUntolerated, decide, evictionDelay} {
		answers[jen.Id(question)] = e.answer(question)
	}
	if e.Standalone {
		return jen.Qual(gentestPath, "Standalone").Values(answers).Dot("Matcher").Call()
	}
	return jen.Qual(gentestPath, "Matcher").Values(answers)
}

func (e *emitter) answer(question string) *jen.Statement {
	if e.Functions {
		return jen.Id(e.function(question))
	}
	return jen.Id(e.self.public).Values().Dot(question)
}

func (e *emitter) tolerationLiterals(list []toleration.Toleration) []jen.Code {
	literals := make([]jen.Code, len(list))
	for i := range list {
		t := &list[i]
		var fields []jen.Code
		text := func(name, value string) {
			if value != "" {
				fields = append(fields, jen.Id(name).Op(":").Lit(value))
			}
		}
		text("Key", t.Key)
		text("Operator", string(t.Operator))
		text("Value", t.Value)
		text("Effect", string(t.Effect))
		if t.TolerationSeconds != nil {
			// A pointer in one expression that every release of Go compiles.
			seconds := jen.Op("&").Index().Int64().Values(jen.Op(strconv.FormatInt(*t.TolerationSeconds, 10))).Index(jen.Lit(0))
			fields = append(fields, jen.Id("TolerationSeconds").Op(":").Add(seconds))
		}
		literals[i] = jen.Values(fields...)
	}
	return literals
}
