package gen

import (
	"github.com/dave/jennifer/jen"
)

// A taint of generated code is t, a *taint.Taint, or in code that stands alone
// the strings key, value and effect. What is different between the two is here,
// and so is what is different between methods and functions.

func (e *emitter) key() *jen.Statement    { return e.part("Key", "key") }
func (e *emitter) value() *jen.Statement  { return e.part("Value", "value") }
func (e *emitter) effect() *jen.Statement { return e.part("Effect", "effect") }

func (e *emitter) part(field, variable string) *jen.Statement {
	if e.Standalone {
		return jen.Id(variable)
	}
	return jen.Id("t").Dot(field)
}

// oneTaint returns the parameters for one taint.
func (e *emitter) oneTaint() *jen.Statement {
	if e.Standalone {
		return jen.List(jen.Id("key"), jen.Id("value"), jen.Id("effect")).String()
	}
	return jen.Id("t").Op("*").Qual(taintPath, "Taint")
}

// node returns the parameters for the taints of a node.
func (e *emitter) node() *jen.Statement {
	if !e.Standalone {
		return jen.Id("taints").Index().Qual(taintPath, "Taint")
	}
	return jen.List(jen.Id("n").Int(), jen.Id("at").Func().Params(jen.Id("i").Int()).Params(jen.List(jen.Id("key"), jen.Id("value"), jen.Id("effect")).String()))
}

// eachTaint returns a loop over the taints of a node, in their order.
func (e *emitter) eachTaint(body ...jen.Code) jen.Code {
	over, t := "taints", jen.Id("t").Op(":=").Op("&").Id("taints").Index(jen.Id("i"))
	if e.Standalone {
		over, t = "n", jen.List(jen.Id("key"), jen.Id("value"), jen.Id("effect")).Op(":=").Id("at").Call(jen.Id("i"))
	}
	return jen.For(jen.Id("i").Op(":=").Range().Id(over)).Block(append([]jen.Code{t}, body...)...)
}

// ask returns the answer to a question about one taint.
func (e *emitter) ask(question string) *jen.Statement {
	if e.Standalone {
		return e.call(question).Call(jen.Id("key"), jen.Id("value"), jen.Id("effect"))
	}
	return e.call(question).Call(jen.Id("t"))
}

// time returns the type of a time that is left.
func (e *emitter) time() *jen.Statement {
	if e.Standalone {
		return jen.Int64()
	}
	return jen.Qual(timePath, "Duration")
}

// receiver is the name of the receiver of methods.
const receiver = "m"

// declare begins the declaration of the function or method for a question.
func (e *emitter) declare(question string) *jen.Statement {
	if e.Functions {
		return e.file.Func().Id(e.function(question))
	}
	return e.file.Func().Params(jen.Id(receiver).Id(e.self.public)).Id(question)
}

// call returns the function or method for a question, to be called.
func (e *emitter) call(question string) *jen.Statement {
	if e.Functions {
		return jen.Id(e.function(question))
	}
	return jen.Id(receiver).Dot(question)
}

// function returns the name of the function for a question.
func (e *emitter) function(question string) string {
	if question == stay {
		return e.self.stay()
	}
	return e.self.public + question
}

// shown returns the name by which comments call what answers a question.
func (e *emitter) shown(question string) string {
	if e.Functions {
		return e.function(question)
	}
	return question
}
