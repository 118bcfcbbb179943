package gen

import "github.com/dave/jennifer/jen"

// integerFunction returns the name of the function that reads integers, and has
// the file hold it.
func (e *emitter) integerFunction() string {
	if e.integer == "" {
		e.integer = e.self.integer()
	}
	return e.integer
}

// declareInteger writes the function that reads integers, if something calls it.
// It is part of the generated code, because strconv reads more than the
// canonical form, and allocates an error for what it refuses (rule N2).
//
// It reads digits towards the negative side, which has room for one more.
func (e *emitter) declareInteger() {
	if e.integer == "" {
		return
	}
	e.file.Comment(e.integer + " reads a decimal integer in canonical form that fits in 64 bits.")
	s, digits, negative, n, ok := jen.Id("s"), jen.Id("digits"), jen.Id("negative"), jen.Id("n"), jen.Id("ok")
	refuse := jen.Return(jen.Lit(0), jen.False())
	e.file.Func().Id(e.integer).Params(s.Clone().String()).Params(n.Clone().Int64(), ok.Clone().Bool()).Block(
		jen.Add(digits).Op(":=").Add(s),
		jen.Add(negative).Op(":=").Len(s).Op(">").Lit(0).Op("&&").Add(s).Index(jen.Lit(0)).Op("==").LitRune('-'),
		jen.If(negative).Block(jen.Add(digits).Op("=").Add(s).Index(jen.Lit(1), jen.Empty())),
		jen.If(jen.Len(digits).Op("==").Lit(0).Op("||").Len(digits).Op(">").Lit(19)).Block(refuse),
		jen.If(jen.Add(digits).Index(jen.Lit(0)).Op("==").LitRune('0')).Block(jen.Return(jen.Lit(0), jen.Add(s).Op("==").Lit("0"))),
		jen.For(jen.Id("i").Op(":=").Range().Len(digits)).Block(
			jen.Id("digit").Op(":=").Add(digits).Index(jen.Id("i")).Op("-").LitRune('0'),
			jen.If(jen.Id("digit").Op(">").Lit(9)).Block(refuse),
			jen.Add(n).Op("=").Add(n).Op("*").Lit(10).Op("-").Int64().Call(jen.Id("digit")),
			jen.Comment("Nineteen digits wrap around once at the most, to the other sign."),
			jen.If(jen.Add(n).Op(">").Lit(0)).Block(refuse),
		),
		jen.If(negative).Block(jen.Return(n, jen.True())),
		jen.Return(jen.Op("-").Add(n), jen.Add(n).Op("!=").Op("-").Lit(1).Op("<<").Lit(63)),
	)
}
