package index

import (
	"cmp"
	"slices"

	"github.com/tolero-dev/tolero/compile/internal/bits"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// postings is the pod classes by what they tolerate of hard taints. The zero
// postings is empty, and needs a hasher before the first class is added.
type postings struct {
	hasher hasher
	byKey  keys
	anyKey keyPostings // of tolerations without a key
	equals equals
}

// keyPostings is the pod classes by what they tolerate of the taints with one key.
type keyPostings struct {
	hash   uint32 // of the key
	values int    // how many are in equals
	exists byEffect
	above  [hardEffects][]bounded // Gt, in ascending order
	below  [hardEffects][]bounded // Lt, in ascending order
}

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
				p.addTo(p.of(t.Key), class, values, number)
			}
		}
	}
}

func (p *postings) remove(class PodClass, tolerations []toleration.Toleration) {
	for i := range tolerations {
		t := &tolerations[i]
		k, values := p.of(t.Key), t.Values()
		for number := range hardEffects {
			p.removeFrom(k, class, values, number)
		}
		if k.empty() {
			p.byKey.remove(k)
		}
	}
}

// of returns the postings of a toleration's key, made if need be.
func (p *postings) of(key string) *keyPostings {
	if key == "" {
		return &p.anyKey
	}
	return p.byKey.of(p.hasher.text(key), key)
}

// addTo and removeFrom add a class to those that tolerate some values of a key, and remove
// it.
func (p *postings) addTo(k *keyPostings, class PodClass, values toleration.Values, number int) {
	switch values.Kind {
	case toleration.EveryValue:
		k.exists[number].Add(class)
	case toleration.OneValue:
		p.equals.of(p.hasher.hashOf(k, values.Value), k, values.Value)[number].Add(class)
	case toleration.IntegersAbove:
		insertBounded(&k.above[number], bounded{values.Bound, class})
	case toleration.IntegersBelow:
		insertBounded(&k.below[number], bounded{values.Bound, class})
	}
}

func (p *postings) removeFrom(k *keyPostings, class PodClass, values toleration.Values, number int) {
	switch values.Kind {
	case toleration.EveryValue:
		k.exists[number].Remove(class)
	case toleration.OneValue:
		hash := p.hasher.hashOf(k, values.Value)
		if position := p.equals.find(hash, k, values.Value); position != none {
			e := p.equals.At(position)
			if e.byEffect[number].Remove(class); e.byEffect.empty() {
				p.equals.remove(hash, position)
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

func (k *keyPostings) empty() bool {
	n := k.values
	for number := range hardEffects {
		n += len(k.above[number]) + len(k.below[number])
	}
	return n == 0 && k.exists.empty()
}

// tolerating adds to dst the classes that tolerate a taint with a hard effect.
func (p *postings) tolerating(dst *bits.Set[PodClass], t *taint.Taint, number int) {
	if p.byKey.Len() > 0 { // otherwise there may be no hasher yet
		if k := p.byKey.find(p.hasher.text(t.Key), t.Key); k != nil {
			p.toleratingBy(k, dst, t.Value, number)
		}
	}
	p.toleratingBy(&p.anyKey, dst, t.Value, number)
}

func (p *postings) toleratingBy(k *keyPostings, dst *bits.Set[PodClass], value string, number int) {
	k.exists[number].AddTo(dst)
	if k.values > 0 {
		if position := p.equals.find(p.hasher.hashOf(k, value), k, value); position != none {
			p.equals.At(position).byEffect[number].AddTo(dst)
		}
	}
	k.reaching(dst, value, number)
}

// reaching adds to dst the classes with a bound that a value reaches.
func (k *keyPostings) reaching(dst *bits.Set[PodClass], value string, number int) {
	var room [2]reach
	for _, r := range k.appendReach(room[:0], value, number) {
		for i := range r.n {
			dst.Add(r.at(i))
		}
	}
}
