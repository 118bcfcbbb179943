// Package rapidseed has inputs to start with for fuzz targets that are made by rapid.MakeFuzz.
//
// Such a target reads what it draws from its input, eight bytes at a time, and gives up when
// they run out. From the empty input that the fuzzer starts with it takes long to grow one
// that leads anywhere. These are long enough, and lead to the end.
package rapidseed

import (
	"math/rand/v2"
	"testing"
)

// length is enough for thousands of draws.
const length = 1 << 15

// Add adds the inputs to a target. They are the same every time.
func Add(f *testing.F) {
	for seed := range byte(4) {
		input := make([]byte, length)
		// Read never fails.
		_, _ = rand.NewChaCha8([32]byte{seed}).Read(input)
		f.Add(input)
	}
}
