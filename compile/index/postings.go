package index

import (
	"cmp"
	"slices"

	"github.com/tolero-dev/tolero/compile/internal/bits"
	"github.com/tolero-dev/tolero/compile/internal/decimal"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// postings is the pod classes by what they tolerate of hard taints. The zero
// postings is empty.
type postings struct {
	byKey  map[string]*keyPostings
	anyKey keyPostings // of tolerations without a key
}

// keyPostings is the pod classes by what they tolerate of the taints with one key.
type keyPostings struct {
	exists  byEffect
	byValue map[string]*byEffect
	above   [hardEffects][]bounded // Gt, in ascending order
	below   [hardEffects][]bounded // Lt, in ascending order
}

// byEffect is pod classes for each hard effect, by its number.
type byEffect [hardEffects]bits.Blocks[PodClass]

// bounded is a pod class that tolerates numbers above a bound, or below it.
type bounded struct {
	bound int64
	class PodClass
}

func compareBounded(a, b bounded) int {
	return cmp.Or(cmp.Compare(a.bound, b.bound), cmp.Compare(a.class, b.class))
}

// add adds a class with its tolerations, and remove removes it. Of tolerations
// that are in the list twice, the second finds its work done. As nothing is left of
// a class, remove need not look at effects.
func (p *postings) add(class PodClass, tolerations []toleration.Toleration, rules toleration.Rules) {
	for i := range tolerations {
		t := &tolerations[i]
		if !rules.Comparisons && t.Operator.Comparison() {
			continue
		}
		values := t.Values()
		for number := range hardEffects {
			if t.Effect == "" || t.Effect == hard[number] {
				p.of(t.Key).add(class, values, number)
			}
		}
	}
}

func (p *postings) remove(class PodClass, tolerations []toleration.Toleration) {
	for i := range tolerations {
		t := &tolerations[i]
		k, values := p.of(t.Key), t.Values()
		for number := range hardEffects {
			k.remove(class, values, number)
		}
		if k.empty() {
			delete(p.byKey, t.Key)
		}
	}
}

// of returns the postings of a toleration's key, made if need be.
func (p *postings) of(key string) *keyPostings {
	if key == "" {
		return &p.anyKey
	}
	k := p.byKey[key]
	if k == nil {
		if p.byKey == nil {
			p.byKey = make(map[string]*keyPostings)
		}
		k = new(keyPostings)
		p.byKey[key] = k
	}
	return k
}

func (k *keyPostings) add(class PodClass, values toleration.Values, number int) {
	switch values.Kind {
	case toleration.EveryValue:
		k.exists[number].Add(class)
	case toleration.OneValue:
		v := k.byValue[values.Value]
		if v == nil {
			if k.byValue == nil {
				k.byValue = make(map[string]*byEffect)
			}
			v = new(byEffect)
			k.byValue[values.Value] = v
		}
		v[number].Add(class)
	case toleration.IntegersAbove:
		insertBounded(&k.above[number], bounded{values.Bound, class})
	case toleration.IntegersBelow:
		insertBounded(&k.below[number], bounded{values.Bound, class})
	}
}

func (k *keyPostings) remove(class PodClass, values toleration.Values, number int) {
	switch values.Kind {
	case toleration.EveryValue:
		k.exists[number].Remove(class)
	case toleration.OneValue:
		if v := k.byValue[values.Value]; v != nil {
			v[number].Remove(class)
			if v.empty() {
				delete(k.byValue, values.Value)
			}
		}
	case toleration.IntegersAbove:
		deleteBounded(&k.above[number], bounded{values.Bound, class})
	case toleration.IntegersBelow:
		deleteBounded(&k.below[number], bounded{values.Bound, class})
	}
}

// insertBounded adds a class to those sorted by bound.
func insertBounded(list *[]bounded, b bounded) {
	if position, found := slices.BinarySearchFunc(*list, b, compareBounded); !found {
		*list = slices.Insert(*list, position, b)
	}
}

func deleteBounded(list *[]bounded, b bounded) {
	if position, found := slices.BinarySearchFunc(*list, b, compareBounded); found {
		*list = slices.Delete(*list, position, position+1)
	}
}

func (v *byEffect) empty() bool { return v[0].Empty() && v[1].Empty() }

func (k *keyPostings) empty() bool {
	n := len(k.byValue)
	for number := range hardEffects {
		n += len(k.above[number]) + len(k.below[number])
	}
	return n == 0 && k.exists.empty()
}

// tolerating adds to dst the classes that tolerate a taint with a hard effect.
func (p *postings) tolerating(dst *bits.Set[PodClass], t *taint.Taint, number int) {
	if k := p.byKey[t.Key]; k != nil {
		k.tolerating(dst, t.Value, number)
	}
	p.anyKey.tolerating(dst, t.Value, number)
}

func (k *keyPostings) tolerating(dst *bits.Set[PodClass], value string, number int) {
	k.exists[number].AddTo(dst)
	if v := k.byValue[value]; v != nil {
		v[number].AddTo(dst)
	}
	if len(k.above[number])+len(k.below[number]) == 0 {
		return
	}
	integer, numeric := decimal.Parse(value)
	if !numeric {
		return
	}
	for _, b := range k.above[number] {
		if b.bound >= integer {
			break
		}
		dst.Add(b.class)
	}
	for _, b := range slices.Backward(k.below[number]) {
		if b.bound <= integer {
			break
		}
		dst.Add(b.class)
	}
}
