package compile

// WithHash calls f with all tables hashed by the given function, and all values
// looked up in maps, however few there are.
func WithHash(h hash, f func()) {
	oldKeys, oldValues, oldHash := fewKeys, fewValues, forcedHash
	defer func() { fewKeys, fewValues, forcedHash = oldKeys, oldValues, oldHash }()
	fewKeys, fewValues, forcedHash = 0, 0, &h
	f()
}

// The hash functions, for WithHash.
const (
	ProbeHash    = probeHash
	StrongHash   = strongHash
	ConstantHash = constantHash
	FourBitHash  = fourBitHash
)
