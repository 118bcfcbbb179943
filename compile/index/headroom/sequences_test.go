package headroom

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/toleration"
)

// All sequences of three classes out of eight, for the eight sets of up to three taints: the
// first class may empty the only part, whose number a later one gets again.
func TestPartitionsOfThreeClasses(t *testing.T) {
	keys := []string{"a", "b", "c"}
	var ix index.Index
	for i := range 8 {
		ix.Set(fmt.Sprint("n", i), taintsOf(keys, i))
	}
	f := New(ix.Snapshot(), 0, nil)
	var fits [8]index.Fit
	for class := range fits {
		var list []toleration.Toleration
		for _, x := range taintsOf(keys, class) {
			list = append(list, toleration.For(&x))
		}
		f.snapshot.FitList(&fits[class], list)
	}
	for sequence := range 8 * 8 * 8 {
		p := newPartition(f)
		signatures := make([]string, len(p.part))
		for _, class := range []int{sequence % 8, sequence / 8 % 8, sequence / 64} {
			p.split(&fits[class])
			uses := make([]bool, len(p.part))
			for set := range fits[class].HardSets() {
				uses[set] = true
			}
			for set := range signatures {
				signatures[set] += fmt.Sprint(uses[set], " ")
			}
			check(t, p, signatures)
		}
	}
}
