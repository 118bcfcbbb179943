package index

import "github.com/tolero-dev/tolero/toleration"

// Pods with equal lists come again and again, and to compare a list with the right one
// takes less than to hash it. So Pods guesses first: a sketch of a list, of what is cheap
// to read, leads to the last pod class whose list had that sketch. If its list is another,
// the seeded hash decides. Whoever chooses lists with equal sketches makes each pod cost
// one comparison more, which ends at the first difference.

// recentBits is the logarithm of how many sketches are told apart: more than a cluster
// has workloads, and no more than the nearest cache holds.
const recentBits = 11

// recent is the last pod class for each sketch, zero if there is none.
type recent []PodClass

// sketched is how many tolerations of a list its sketch is made of.
const sketched = 16

// sketch mixes the lengths of a list's strings, the ends of its keys and values, and its
// seconds.
func sketch(tolerations []toleration.Toleration) uint32 {
	sum := uint64(len(tolerations))
	for i := range tolerations[:min(sketched, len(tolerations))] {
		t := &tolerations[i]
		word := uint64(len(t.Key))<<8 ^ uint64(len(t.Value))<<16 ^ uint64(len(t.Operator))<<24 ^ uint64(len(t.Effect))<<28
		if n := len(t.Key); n > 0 {
			word ^= uint64(t.Key[n-1]) << 32
		}
		if n := len(t.Value); n > 0 {
			word ^= uint64(t.Value[n-1])<<40 ^ uint64(t.Value[n/2])<<48
		}
		if t.TolerationSeconds != nil {
			word += uint64(*t.TolerationSeconds) + 1
		}
		sum = (sum ^ word) * 0x9e3779b97f4a7c15
		sum ^= sum >> 32
	}
	return uint32(sum*0x9e3779b97f4a7c15>>32) >> (32 - recentBits) & hashMask
}

// guess returns the pod class whose list had the sketch last, if it is the one.
func (p *Pods) guess(sketch uint32, tolerations []toleration.Toleration) (c PodClass, found bool) {
	c = p.recent[sketch]
	if p.Count(c) == 0 || !equalLists(p.classes[c-1].tolerations, tolerations) {
		return 0, false
	}
	return c, true
}
