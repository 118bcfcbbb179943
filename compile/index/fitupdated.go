package index

import (
	"math"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// FitUpdated is [Pods.NodeUpdated] without MustLeave, which is empty. If few classes
// tolerate some hard taint that the node had, and some that it has, these are asked one by
// one, and the time beside that is some nanoseconds for each 64 classes.
func (p *Pods) FitUpdated(c *Change, before, after []taint.Taint) {
	had, has := p.rarest(before), p.rarest(after)
	if had == nil || has == nil {
		p.NodeUpdated(c, before, after)
		c.mustLeave.Clear()
		return
	}
	c.nowFit.Clear()
	c.fitNoMore.Clear()
	c.mustLeave.Clear()
	c.candidates = p.postings.candidates(c.candidates[:0], had)
	for _, class := range c.candidates {
		if p.fits(c, class, before) && !p.fits(c, class, after) {
			c.fitNoMore.Add(class)
		}
	}
	c.candidates = p.postings.candidates(c.candidates[:0], has)
	for _, class := range c.candidates {
		if !p.fits(c, class, before) && p.fits(c, class, after) {
			c.nowFit.Add(class)
		}
	}
	clear(c.active[:cap(c.active)]) // retain no strings
}

// fits asks package match about a class.
func (p *Pods) fits(c *Change, class PodClass, taints []taint.Taint) bool {
	c.active = p.rules.Active(c.active[:0], p.classes[class-1].tolerations)
	_, refused := match.FirstUntolerated(taints, c.active, taint.Hard)
	return !refused
}

// rarest returns the hard taint that the fewest classes can tolerate, or nil if those
// are not few: asking package match about one takes as long as some dozens of words of a
// bitmap.
func (p *Pods) rarest(taints []taint.Taint) (rarest *taint.Taint) {
	least := math.MaxInt
	for i := range taints {
		if t := &taints[i]; taint.Hard.Has(t.Effect) {
			if n := p.postings.count(t); n < least {
				rarest, least = t, n
			}
		}
	}
	if least > len(p.classes)/fewClasses {
		return nil
	}
	return rarest
}

// fewClasses says when classes are asked one by one: if at most one in so many can
// tolerate a taint. A variable for tests.
var fewClasses = 512

// candidates appends the classes of a key that can tolerate a taint: those with Gt or Lt whatever
// the value is.
func (k *keyPostings) candidates(dst []PodClass, t *taint.Taint, number int) []PodClass {
	dst = k.exists[number].Append(dst)
	if v := k.byValue[t.Value]; v != nil {
		dst = v[number].Append(dst)
	}
	for _, list := range [][]bounded{k.above[number], k.below[number]} {
		for _, b := range list {
			dst = append(dst, b.class)
		}
	}
	return dst
}

func (k *keyPostings) count(t *taint.Taint, number int) int {
	n := k.exists[number].Len() + len(k.above[number]) + len(k.below[number])
	if v := k.byValue[t.Value]; v != nil {
		n += v[number].Len()
	}
	return n
}

// candidates appends the classes that can tolerate a hard taint. Some may come twice, and
// some may not tolerate it.
func (p *postings) candidates(dst []PodClass, t *taint.Taint) []PodClass {
	number := hardNumber(t.Effect.Set())
	if k := p.byKey[t.Key]; k != nil {
		dst = k.candidates(dst, t, number)
	}
	return p.anyKey.candidates(dst, t, number)
}

// count returns how many candidates there are.
func (p *postings) count(t *taint.Taint) int {
	number := hardNumber(t.Effect.Set())
	n := p.anyKey.count(t, number)
	if k := p.byKey[t.Key]; k != nil {
		n += k.count(t, number)
	}
	return n
}
