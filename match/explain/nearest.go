package explain

import (
	"github.com/tolero-dev/tolero/match/internal/spelling"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// catalog finds, for a taint, the toleration of a list that tolerates it, and the
// one that nearly does.
type catalog struct {
	named     section // the tolerations with a key
	anyKey    section // and those without
	spellings spelling.Keys
}

// section finds tolerations of a part of the list: those that the cluster counts,
// and all of them.
type section struct{ counting, all part }

// part finds tolerations of a part of the list.
type part struct {
	tolerating finders
	anyEffect  finder         // whatever the effects
	ofEffect   map[place]int  // the first by key and effect
	ofKey      map[string]int // the first by key
}

// place is what tolerations have in common that differ in their values alone.
type place struct {
	key    string
	effect taint.Effect
}

func newCatalog(r toleration.Rules, list []toleration.Toleration) *catalog {
	var named, anyKey []int
	for i := range list {
		if list[i].Key == "" {
			anyKey = append(anyKey, i)
		} else {
			named = append(named, i)
		}
	}
	c := &catalog{named: newSection(r, list, named), anyKey: newSection(r, list, anyKey)}
	for i := range list {
		c.spellings.Add(list[i].Key)
	}
	return c
}

func newSection(r toleration.Rules, list []toleration.Toleration, indexes []int) section {
	all := newPart(list, indexes)
	if r.Comparisons {
		return section{all, all}
	}
	var counting []int
	for _, i := range indexes {
		if counts(r, &list[i]) {
			counting = append(counting, i)
		}
	}
	if len(counting) == len(indexes) {
		return section{all, all}
	}
	return section{newPart(list, counting), all}
}

func newPart(list []toleration.Toleration, indexes []int) part {
	p := part{newFinders(list, indexes), newFinder(list, indexes), make(map[place]int), make(map[string]int)}
	for _, i := range indexes {
		t := &list[i]
		at := place{t.Key, t.Effect}
		if _, found := p.ofEffect[at]; !found {
			p.ofEffect[at] = i
		}
		if _, found := p.ofKey[t.Key]; !found {
			p.ofKey[t.Key] = i
		}
	}
	return p
}

// tolerating returns the index of the first toleration that counts and tolerates
// x, or nowhere.
func (c *catalog) tolerating(x *taint.Taint) int {
	return min(c.named.counting.tolerating.first(x), c.anyKey.counting.tolerating.first(x))
}

// nearest returns the index of the toleration that comes nearest to tolerating x,
// which none tolerates, or nowhere; see [Reason] for what is near.
func (c *catalog) nearest(x *taint.Taint) int {
	if i := c.named.nearest(x, x.Key); i != nowhere {
		return i
	}
	if key, found := c.spellings.Nearest(x.Key); found {
		y := *x
		y.Key = key
		return c.named.nearest(&y, key)
	}
	return c.anyKey.nearest(x, "")
}

// nearest returns the index of the toleration with the given key, empty or that of
// x, that comes nearest to tolerating x, or nowhere.
func (s *section) nearest(x *taint.Taint, key string) int {
	for _, find := range [...]func(*part) int{
		func(p *part) int { return p.tolerating.first(x) },                                                     // what differs is the key or the gate
		func(p *part) int { return p.anyEffect.first(x) },                                                      // the effect too
		func(p *part) int { return min(at(p.ofEffect, place{key, x.Effect}), at(p.ofEffect, place{key, ""})) }, // the value
		func(p *part) int { return at(p.ofKey, key) },                                                          // both
	} {
		for _, p := range [...]*part{&s.counting, &s.all} {
			if i := find(p); i != nowhere {
				return i
			}
		}
	}
	return nowhere
}

// at returns what m has for key, or nowhere.
func at[K comparable](m map[K]int, key K) int {
	if i, found := m[key]; found {
		return i
	}
	return nowhere
}
