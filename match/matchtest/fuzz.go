package matchtest

import (
	"testing"
	"time"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Fuzz makes a fuzz target that compares the matchers that new makes with
// package match, for a default cluster or for one with the given rules: the bytes of
// an input are a node, a pod and a time. It adds seeds, and more may be added before.
//
//	func FuzzMatcher(f *testing.F) { matchtest.Fuzz(f, newMatcher) }
func Fuzz(f *testing.F, new New, rules ...toleration.Rules) {
	s := sides{new, Canonical(rules...)}
	for _, seed := range seeds {
		f.Add(seed.data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := newComparison(t, s)
		d := decoder(data)
		taints, tolerations := d.taints(), d.tolerations()
		c.now = Epoch().Add(time.Duration(d.number(256)) * 10 * time.Second)
		c.setTolerations(tolerations)
		c.compare(taints)
	})
}

// seeds are inputs in the form that decoder reads: the number of taints, each
// with key, value, effect and time; the number of tolerations, each with key,
// operator, value, effect and seconds; and the time.
var seeds = []struct {
	name string
	data []byte
}{
	{"M3: an empty key with Exists, for one effect of two", []byte{2, 1, 1, 0, 0, 1, 1, 2, 0, 1, 0, 2, 0, 0, 0, 0}},
	{"M4: the zero toleration", []byte{2, 1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 3, 0, 0}},
	{"M5: unknown effects", []byte{2, 1, 1, 4, 0, 1, 1, 3, 0, 1, 1, 2, 0, 4, 0, 0}},
	{"N1, N2: a number above a bound, and one that is not canonical", []byte{2, 1, 8, 0, 0, 1, 10, 0, 0, 1, 1, 4, 7, 0, 0, 0}},
	{"F4: soft taints, one of them twice", []byte{3, 1, 0, 1, 0, 1, 0, 1, 0, 2, 0, 1, 0, 1, 2, 2, 0, 3, 0, 0}},
	{"E2: two tolerations of one taint, and the least of two times", []byte{2, 1, 0, 2, 0, 2, 0, 2, 0, 3, 1, 2, 0, 2, 5, 1, 2, 0, 2, 4, 2, 2, 0, 2, 4, 0}},
	{"E2: a time that counts, and one that is none", []byte{2, 1, 0, 2, 3, 2, 0, 2, 1, 2, 1, 2, 0, 2, 5, 2, 2, 0, 2, 5, 0}},
	{"E3: more seconds than fit", []byte{1, 1, 0, 2, 0, 1, 1, 2, 0, 2, 9, 0}},
}

// decoder is what is left of an input. Once it is used up, every choice is the
// first.
type decoder []byte

func (d *decoder) number(n int) int {
	if len(*d) == 0 {
		return 0
	}
	first := (*d)[0]
	*d = (*d)[1:]
	return int(first) % n
}

func pick[T any](d *decoder, list []T) T { return list[d.number(len(list))] }

func (d *decoder) taints() []taint.Taint {
	list := make([]taint.Taint, d.number(6))
	for i := range list {
		list[i] = taint.Taint{Key: pick(d, keys), Value: pick(d, texts), Effect: pick(d, effects), TimeAdded: pick(d, times)}
	}
	return list
}

// times are those of taints: none, the zero time, and some around Epoch.
var times = []*taint.Time{nil, {}, {Time: Epoch()}, {Time: Epoch().Add(-100 * time.Second)}, {Time: Epoch().Add(time.Hour)}}

func (d *decoder) tolerations() []toleration.Toleration {
	list := make([]toleration.Toleration, d.number(8))
	for i := range list {
		list[i] = toleration.Toleration{Key: pick(d, keys), Operator: pick(d, operators), Value: pick(d, texts), Effect: pick(d, effects)}
		if n := d.number(1 + len(limits)); n > 0 {
			list[i].TolerationSeconds = &limits[n-1]
		}
	}
	return list
}
