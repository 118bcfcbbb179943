package whatif

import (
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/internal/bits"
)

// tally counts pods by their class. Mostly, either few classes have evicted pods, or nearly every
// pod has a class of its own. So the first pod of a class is a bit, in a near cache; only the
// others need a number, which may be far.
//
// The zero tally has no pods, and room for no class. A tally must not be copied. One goroutine at
// a time may use it. It retains nothing.
type tally struct {
	some, several bits.Set[index.PodClass] // the classes with a pod, and with more than one
	others        []uint32                 // how many pods after the first, by class
}

// add counts a pod of a class.
func (t *tally) add(class index.PodClass) {
	if !t.some.Has(class) {
		t.some.Add(class)
		return
	}
	t.several.Add(class)
	t.others[class]++
}

// take returns how many pods of a class were counted, and counts none of them any more.
func (t *tally) take(class index.PodClass) (pods uint32) {
	if !t.some.Has(class) {
		return 0
	}
	t.some.Remove(class)
	if !t.several.Has(class) {
		return 1
	}
	t.several.Remove(class)
	pods, t.others[class] = 1+t.others[class], 0
	return pods
}
