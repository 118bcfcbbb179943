package gen

import (
	"github.com/dave/jennifer/jen"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// constants says which answers for a list do not depend on the node.
type constants struct {
	everything bool            // every taint is tolerated
	nothing    bool            // no taint is tolerated
	effects    taint.EffectSet // the known effects of which every taint is tolerated
	forever    bool            // no taint evicts
}

func newConstants(set toleration.Set, tolerations []toleration.Toleration) constants {
	grants := toleration.NewGrants(tolerations)
	c := constants{everything: set.Everything(taint.AllEffects), nothing: set.Empty(), forever: grants.Forever()}
	for _, e := range [...]taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute} {
		if set.Everything(e.Set()) {
			c.effects |= e.Set()
		}
	}
	return c
}

// refuses reports whether some taint with the effect is not tolerated.
func (c *constants) refuses(e taint.Effect) bool { return !c.effects.Has(e) }

// accepts reports whether no taint keeps a pod from being scheduled, or is better
// avoided.
func (c *constants) accepts() bool {
	return !c.refuses(taint.NoSchedule) && !c.refuses(taint.PreferNoSchedule) && !c.refuses(taint.NoExecute)
}

// ignoredTaint returns the parameters for one taint that makes no difference.
func (e *emitter) ignoredTaint() *jen.Statement {
	if e.Standalone {
		return jen.List(jen.Id("_"), jen.Id("_"), jen.Id("_")).String()
	}
	return jen.Id("_").Op("*").Qual(taintPath, "Taint")
}

// ignoredNode returns the parameters for the taints of a node that make no
// difference.
func (e *emitter) ignoredNode() *jen.Statement {
	if e.Standalone {
		return jen.List(jen.Id("_").Int(), jen.Id("_").Func().Params(jen.Id("i").Int()).Params(jen.List(jen.Id("key"), jen.Id("value"), jen.Id("effect")).String()))
	}
	return jen.Id("_").Index().Qual(taintPath, "Taint")
}

// unlessTolerated returns statements that go on to the next taint if this one is
// tolerated.
func (e *emitter) unlessTolerated() []jen.Code {
	if e.constants.nothing {
		return nil
	}
	return []jen.Code{jen.If(e.tolerated()).Block(jen.Continue())}
}
