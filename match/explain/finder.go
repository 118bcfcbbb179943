package explain

import (
	"math"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// nowhere is the index of no toleration. It is after all others.
const nowhere = math.MaxInt

// finder finds the first of some tolerations of a list that tolerates a taint, in
// log n steps, whatever their effects and that of the taint. It asks
// [toleration.Grants], which does so for NoExecute.
type finder struct {
	grants  toleration.Grants
	indexes []int // in the list, by the index in grants
}

// newFinder returns a finder of the tolerations with the given indexes, in the
// order that counts.
func newFinder(list []toleration.Toleration, indexes []int) finder {
	evicting := make([]toleration.Toleration, len(indexes))
	for i, index := range indexes {
		evicting[i] = list[index]
		evicting[i].Effect = taint.NoExecute
	}
	return finder{toleration.NewGrants(evicting), indexes}
}

// first returns the index in the list of the first toleration that tolerates a
// taint with the key and value of x, or nowhere.
func (f *finder) first(x *taint.Taint) int {
	y := taint.Taint{Key: x.Key, Value: x.Value, Effect: taint.NoExecute}
	if i, found := f.grants.First(&y); found {
		return f.indexes[i]
	}
	return nowhere
}

// finders does the same and minds the effects. Tolerations with the same effect
// have a finder of their own.
type finders map[taint.Effect]finder

// newFinders needs ascending indexes.
func newFinders(list []toleration.Toleration, indexes []int) finders {
	byEffect := make(map[taint.Effect][]int)
	for _, i := range indexes {
		byEffect[list[i].Effect] = append(byEffect[list[i].Effect], i)
	}
	fs := make(finders, len(byEffect))
	for effect, indexes := range byEffect {
		fs[effect] = newFinder(list, indexes)
	}
	return fs
}

// first returns the index of the first toleration that tolerates x, or nowhere.
func (fs finders) first(x *taint.Taint) int {
	exact, every := fs[x.Effect], fs[""]
	return min(exact.first(x), every.first(x))
}
