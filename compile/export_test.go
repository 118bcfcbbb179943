package compile

import "hash/maphash"

// WeakHashes are hash functions under which much or all collides.
var WeakHashes = map[string]func(maphash.Seed, string) uint32{
	"constant": func(maphash.Seed, string) uint32 { return 0 },
	"four bit": func(seed maphash.Seed, text string) uint32 { return uint32(maphash.String(seed, text)) % 16 },
}

// WithHash calls f with all strings hashed by the given function. A vocabulary must not
// outlive it.
func WithHash(h func(maphash.Seed, string) uint32, f func()) {
	old := hash
	defer func() { hash = old }()
	hash = h
	f()
}

// Inspect returns what is wrong with v.
func (v *Vocabulary) Inspect() error { return v.inspect() }
