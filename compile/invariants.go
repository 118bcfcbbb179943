package compile

import (
	"fmt"

	"github.com/tolero-dev/tolero/compile/internal/invariant"
)

// releasedTooOften stops a program that was built to check itself.
func (v *Vocabulary) releasedTooOften(id TaintID) {
	if invariant.Enabled {
		panic(fmt.Sprintf("compile: released an ID that is not in use: %#x", uint64(id)))
	}
}

// check panics if v is not whole, in a program that was built to check itself. It
// looks at everything while v is small, and seldom once it is large.
func (v *Vocabulary) check() {
	if invariant.Enabled && (v.pairs.Len() < 64 || v.stamp%64 == 0) {
		if err := v.inspect(); err != nil {
			panic(err)
		}
	}
}

// inspect returns what is wrong with v.
func (v *Vocabulary) inspect() error {
	if v.keys.Len() == 0 {
		return nil
	}
	counted, pairs, err := v.inspectPairs()
	if err != nil {
		return err
	}
	keys := 0
	for position := range uint32(v.keys.Len()) {
		k := v.keys.At(position)
		if k.pairs == 0 {
			continue
		}
		keys++
		if err := v.inspectKey(position, k); err != nil {
			return err
		}
	}
	if counted != v.inUse || pairs != v.byPair.Len() || keys != v.byKey.Len() {
		return fmt.Errorf("compile: %d taints, %d pairs and %d keys, want %d, %d and %d", v.inUse, v.byPair.Len(), v.byKey.Len(), counted, pairs, keys)
	}
	return nil
}

// inspectPairs counts the taints and their pairs.
func (v *Vocabulary) inspectPairs() (counted, pairs int, err error) {
	for position := range uint32(v.pairs.Len()) {
		p := v.pairs.At(position)
		if p.key == 0 {
			continue
		}
		pairs++
		if found := v.findPair(p.key, p.value, p.unknown); found != position {
			return 0, 0, fmt.Errorf("compile: pair %d is found at %d", position, found)
		}
		for _, uses := range p.uses {
			if uses > 0 {
				counted++
			}
		}
	}
	return counted, pairs, nil
}

func (v *Vocabulary) inspectKey(position uint32, k *key) error {
	if found := v.findKey(k.text); found != position {
		return fmt.Errorf("compile: key %d is found at %d", position, found)
	}
	pairs := uint32(0)
	for chain := range noChain {
		for next := k.first[chain]; next != 0; next = v.pairs.At(next).next {
			p := v.pairs.At(next)
			if pairs++; pairs > k.pairs || p.key != position || p.chain() != chain {
				return fmt.Errorf("compile: the pairs of key %d are not linked", position)
			}
		}
	}
	if pairs != k.pairs {
		return fmt.Errorf("compile: key %d has %d pairs, %d of them linked", position, k.pairs, pairs)
	}
	return nil
}
