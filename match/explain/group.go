package explain

import (
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// group is the taints of one key that no toleration tolerates.
type group struct {
	effects []taint.Effect // each once; of valid taints there are two at most
	words   []string       // the first two values that are not integers

	integers        bool // whether there are values that are
	least, greatest int64
}

func (g *group) add(x *taint.Taint) {
	if !slices.Contains(g.effects, x.Effect) {
		g.effects = append(g.effects, x.Effect)
	}
	if !isInteger(x.Value) {
		if len(g.words) < 2 && !slices.Contains(g.words, x.Value) {
			g.words = append(g.words, x.Value)
		}
		return
	}
	n, _ := strconv.ParseInt(x.Value, 10, 64)
	if !g.integers {
		g.integers, g.least, g.greatest = true, n, n
	}
	g.least, g.greatest = min(g.least, n), max(g.greatest, n)
}

// toleratedBy reports whether t, with any effect, tolerates all of g. The values that
// a toleration matches are all values, one word, or integers without a gap. So it
// is enough to ask about two words and about the least and the greatest integer.
func (g *group) toleratedBy(t toleration.Toleration) bool {
	values := slices.Clone(g.words)
	if g.integers {
		values = append(values, strconv.FormatInt(g.least, 10), strconv.FormatInt(g.greatest, 10))
	}
	return !slices.ContainsFunc(values, func(v string) bool { return !comparing.Holds(t.Operator, v, t.Value) })
}
