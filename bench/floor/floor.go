// Package floor holds the least that a machine has to do to give an answer:
// what the figures of this module are measured against where there is no peer.
package floor

import (
	"hash/maphash"

	"github.com/tolero-dev/tolero/bench/scenario"
)

// BytesPerNode is the least memory of a fleet, names excluded: what node a
// slot holds and what taints that node has.
const BytesPerNode = 16

// Copy copies an answer that somebody else found to where it is wanted, and
// returns its length: the floor of writing it.
func Copy[T any](dst, answer []T) int { return copy(dst, answer) }

// Hash hashes every string of every pod's tolerations once, and returns a mix of
// the hashes: the floor of telling which pods are alike.
func Hash(seed maphash.Seed, pods []scenario.Pod) uint64 {
	var sum uint64
	for i := range pods {
		for j := range pods[i].Tolerations {
			t := &pods[i].Tolerations[j]
			sum ^= maphash.String(seed, t.Key) + maphash.String(seed, string(t.Operator)) +
				maphash.String(seed, t.Value) + maphash.String(seed, string(t.Effect))
		}
	}
	return sum
}
