package index

import (
	"encoding/binary"
	"hash/maphash"
	"iter"

	"github.com/tolero-dev/tolero/compile/internal/bits"
	"github.com/tolero-dev/tolero/compile/internal/probe"
	"github.com/tolero-dev/tolero/toleration"
)

// PodClass stands for all pods with the same toleration list: equal in every
// field, in the same order. It is good for the [Pods] that gave it, and positions
// are used again once a pod class has no pods. The zero PodClass is that of no pod.
type PodClass uint32

// Pods groups pods by their toleration lists, so that a question is asked once
// for all that have the same: a million pods have a few hundred lists. The pod classes
// are indexed by what they tolerate, so that a change of a node's taints tells
// whom it concerns: see [Pods.NodeUpdated].
//
// The zero Pods is empty and ready for use, and that of a cluster with default
// settings, as that of [NewPods] with the zero Rules. A Pods must not be copied. One
// goroutine at a time may change it; while nobody does, any number may read. It
// retains a copy of each list, which shares only strings with the original, as long
// as the list has pods.
type Pods struct {
	classes []podClass
	counts  []int // how many pods have them, apart: much is asked about these alone
	free    []uint32
	byList  probe.Table
	seed    maphash.Seed
	recent  recent // nil before the first pod
	pods    int
	rules   toleration.Rules

	// For the reverse question, who tolerates a taint.
	live bits.Set[PodClass] // the pod classes that have pods
	postings
}

// NewPods returns an empty Pods for a default cluster, which ignores tolerations with Gt and
// Lt, or for one with the given rules (rule N4). Lists that differ in such tolerations only are
// different pod classes all the same.
func NewPods(rules ...toleration.Rules) *Pods { return &Pods{rules: first(rules)} }

// Rules returns the rules of the cluster that p is of.
func (p *Pods) Rules() toleration.Rules { return p.rules }

// podClass is a list.
type podClass struct {
	tolerations []toleration.Toleration
	hash        uint32
}

// Len returns the number of pods.
func (p *Pods) Len() int { return p.pods }

// Add counts a pod in, and returns its pod class. It allocates only for a list that
// is new. The time is that of comparing the list with an equal one, now and then that of
// hashing it too, and for a new one that of looking up its keys and values.
func (p *Pods) Add(tolerations []toleration.Toleration) PodClass {
	if p.recent == nil {
		p.seed, p.recent = maphash.MakeSeed(), make(recent, 1<<recentBits)
	}
	sketch := sketch(tolerations)
	c, found := p.guess(sketch, tolerations)
	if !found {
		c = p.classOf(tolerations)
		p.recent[sketch] = c
	}
	p.counts[c-1]++
	p.pods++
	return c
}

// classOf returns the pod class of a list, made if need be.
func (p *Pods) classOf(tolerations []toleration.Toleration) PodClass {
	h := p.hash(tolerations)
	position, found := p.find(h, tolerations)
	if !found {
		position = p.insert(h, tolerations)
	}
	return PodClass(position + 1)
}

func (p *Pods) find(h uint32, tolerations []toleration.Toleration) (position uint32, found bool) {
	for position := range p.byList.Candidates(h) {
		if equalLists(p.classes[position].tolerations, tolerations) {
			return position, true
		}
	}
	return 0, false
}

func (p *Pods) insert(h uint32, tolerations []toleration.Toleration) (position uint32) {
	class := podClass{tolerations: toleration.Clone(tolerations), hash: h}
	if n := len(p.free); n > 0 {
		position, p.free = p.free[n-1], p.free[:n-1]
		p.classes[position] = class
	} else {
		position = uint32(len(p.classes))
		p.classes, p.counts = append(p.classes, class), append(p.counts, 0)
	}
	p.byList.Insert(h, position)
	p.live.Add(PodClass(position + 1))
	p.postings.add(PodClass(position+1), class.tolerations, p.rules)
	return position
}

// Remove counts out a pod of a class, and reports whether there was one.
func (p *Pods) Remove(c PodClass) bool {
	if p.Count(c) == 0 {
		return false
	}
	p.pods--
	if p.counts[c-1]--; p.counts[c-1] == 0 {
		class := &p.classes[c-1]
		p.byList.Remove(class.hash, uint32(c-1))
		p.live.Remove(c)
		p.postings.remove(c, class.tolerations, p.rules)
		*class = podClass{}
		p.free = append(p.free, uint32(c-1))
	}
	return true
}

// Count returns the number of pods of a pod class: zero for a pod class that has none.
func (p *Pods) Count(c PodClass) int {
	if c == 0 || uint(c) > uint(len(p.counts)) { // an int may have no more bits than c
		return 0
	}
	return p.counts[c-1]
}

// Tolerations returns the list of a pod class, nil if it has no pods. The list is
// the Pods' own and must not be written to; it is never changed.
func (p *Pods) Tolerations(c PodClass) []toleration.Toleration {
	if p.Count(c) == 0 {
		return nil
	}
	return p.classes[c-1].tolerations
}

// All iterates over the pod classes that have pods and how many, in the order of
// the pod classes. A Pods must not be changed meanwhile.
func (p *Pods) All() iter.Seq2[PodClass, int] {
	return func(yield func(PodClass, int) bool) {
		for i, n := range p.counts {
			if n > 0 && !yield(PodClass(i+1), n) {
				return
			}
		}
	}
}

// hash hashes a list: all of each field, and how long it is. Nobody who does not know the
// seed can choose lists that collide.
func (p *Pods) hash(tolerations []toleration.Toleration) uint32 {
	var h maphash.Hash
	h.SetSeed(p.seed)
	var bytes [8]byte
	write := func(n int64) {
		binary.LittleEndian.PutUint64(bytes[:], uint64(n))
		h.Write(bytes[:])
	}
	for i := range tolerations {
		t := &tolerations[i]
		for _, text := range [...]string{t.Key, t.Value, string(t.Operator), string(t.Effect)} {
			write(int64(len(text)))
			h.WriteString(text)
		}
		if t.TolerationSeconds == nil {
			write(0)
		} else {
			write(1)
			write(*t.TolerationSeconds)
		}
	}
	return uint32(h.Sum64()) & hashMask
}

func equalLists(a, b []toleration.Toleration) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Equal(&b[i]) {
			return false
		}
	}
	return true
}
