package gen

// Variants are the forms of code that benchmarks and tests use as packages, by
// the name of the package that TestMeasured generates.
var Variants = map[string]func(*Options){
	"best":       func(o *Options) {},
	"bykey":      func(o *Options) { o.order = keyFirst },
	"byeffect":   func(o *Options) { o.order = effectFirst },
	"bylength":   func(o *Options) { o.order = lengthFirst },
	"standalone": func(o *Options) { o.Functions, o.Standalone = true, true },
}
