package index

import (
	"math"
	"slices"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// FitUpdated returns the classes that [Pods.NodeUpdated] reports as NowFit and FitNoMore,
// in ascending order (rule F2), and looks, a number of steps to which its time is
// proportional. It uses c as a buffer: the lists are valid until c is used again, and the
// answers of c itself mean nothing afterwards. It retains neither before nor after.
//
// If few classes can tolerate some hard taint of before, and few some hard taint of after,
// these classes are asked one by one, and the time is proportional to their number.
// Otherwise it is that of NodeUpdated.
func (p *Pods) FitUpdated(c *Change, before, after []taint.Taint) (nowFit, fitNoMore []PodClass, looks int) {
	had, has := p.rarest(before), p.rarest(after)
	if had == nil || has == nil {
		p.NodeUpdated(c, before, after)
		c.gained = slices.AppendSeq(c.gained[:0], c.nowFit.All())
		c.lost = slices.AppendSeq(c.lost[:0], c.fitNoMore.All())
		return c.gained, c.lost, (len(before) + len(after)) * (1 + len(p.classes)/64)
	}
	c.lost = p.fitting(c, c.lost[:0], had, before, after)
	c.gained = p.fitting(c, c.gained[:0], has, after, before)
	clear(c.active[:cap(c.active)]) // retain no strings
	return c.gained, c.lost, len(before) + len(after) + p.postings.count(had) + p.postings.count(has)
}

// fitting appends, in ascending order, the classes that fit taints and do not fit others.
// It looks only at those that can tolerate rare, one of taints.
func (p *Pods) fitting(c *Change, dst []PodClass, rare *taint.Taint, taints, others []taint.Taint) []PodClass {
	c.candidates = p.postings.candidates(c.candidates[:0], rare)
	slices.Sort(c.candidates)
	for i, class := range c.candidates {
		twice := i > 0 && class == c.candidates[i-1]
		if !twice && p.fits(c, class, taints) && !p.fits(c, class, others) {
			dst = append(dst, class)
		}
	}
	return dst
}

// fits asks package match about a class.
func (p *Pods) fits(c *Change, class PodClass, taints []taint.Taint) bool {
	list := p.classes[class-1].tolerations
	if !p.rules.Comparisons {
		c.active = p.rules.Active(c.active[:0], list)
		list = c.active
	}
	_, refused := match.FirstUntolerated(taints, list, taint.Hard)
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
