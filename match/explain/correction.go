package explain

import (
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// correction is a change for the taints of one key.
type correction struct {
	measure
	edits []changed
	added []*taint.Taint // those that get a toleration of their own
}

// changed is what becomes of a toleration.
type changed struct {
	index int
	form  toleration.Toleration
	measure
}

// correct returns the smallest correction for the one or two targets of k, with at most
// one edit for each. It takes the toleration with the index open, unless that is nowhere,
// for one without seconds.
func (c *corrector) correct(k *keyed, open int) correction {
	best := c.completed(k, nil, open)
	if best.fields == 0 {
		return best
	}
	try := func(edits ...changed) {
		if x := c.completed(k, edits, open); x.less(&best.measure) {
			best = x
		}
	}
	single := make([][]changed, len(k.targets)) // the smallest edit of each toleration
	for _, i := range k.pool {
		forms := c.forms(k, i)
		for _, e := range forms {
			try(e)
		}
		for n := range k.targets {
			if e := c.least(&k.targets[n], forms, open); e != nil {
				single[n] = append(single[n], *e)
			}
		}
	}
	// Two edits are of two different tolerations, so that two of each list are enough.
	for n := range single {
		slices.SortStableFunc(single[n], func(e, f changed) int { return e.compare(&f.measure) })
		single[n] = single[n][:min(2, len(single[n]))]
	}
	for _, e := range single[0] {
		for _, f := range single[len(single)-1] {
			if e.index != f.index {
				try(e, f)
			}
		}
	}
	return best
}

// least returns the smallest of the forms that alone gets x out of the way, or nil.
func (c *corrector) least(x *target, forms []changed, open int) *changed {
	var least *changed
	for i := range forms {
		e := &forms[i]
		if (least == nil || e.less(&least.measure)) && c.reached(x, forms[i:i+1], open) {
			least = e
		}
	}
	return least
}

// completed returns the correction with the edits, and with an addition for each target
// that they leave in the way.
func (c *corrector) completed(k *keyed, edits []changed, open int) correction {
	c.tried++
	x := correction{edits: edits}
	for i := range edits {
		x.measure.add(&edits[i].measure)
	}
	for n := range k.targets {
		if !c.reached(&k.targets[n], edits, open) {
			x.added = append(x.added, k.targets[n].Taint)
			x.fields += additionSize
		}
	}
	return x
}
