package index

import "github.com/tolero-dev/tolero/compile/internal/probe"

// keys is the postings of each key that tolerations have. The zero keys is empty.
type keys struct {
	probe.Entries[keyEntry]
}

type keyEntry struct {
	key string
	*keyPostings
}

// find returns the postings of a key, or nil.
func (q *keys) find(hash uint32, key string) *keyPostings {
	for position := range q.Candidates(hash) {
		if e := q.At(position); e.key == key {
			return e.keyPostings
		}
	}
	return nil
}

// of returns the postings of a key, made if need be.
func (q *keys) of(hash uint32, key string) *keyPostings {
	k := q.find(hash, key)
	if k == nil {
		k = &keyPostings{hash: hash}
		q.Insert(hash, keyEntry{key, k})
	}
	return k
}

// remove takes the postings of a key out. Those of no key are not there.
func (q *keys) remove(k *keyPostings) {
	for position := range q.Candidates(k.hash) {
		if q.At(position).keyPostings == k {
			q.Remove(k.hash, position)
			return // the table has changed
		}
	}
}
