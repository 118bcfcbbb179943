package matrix

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// bound is the result for the pods that run on a node already.
type bound struct {
	pods         int64
	unknownNodes int64 // how many are bound to a node that is not in the input
	tally              // of the others, by what their own node means to them
	evicted      []eviction
}

// eviction is a pod that is evicted from its node.
type eviction struct {
	pod, node string
	count     int64 // of pods that are alike
	left      time.Duration
	counted   bool // as command.Left has it
	verdict   match.Verdict
	cause     taint.Taint // the taint that evicts it
}

// checkBound looks at the pods that run. NoSchedule does not matter to them: they
// were bound without regard to it, or before the taint came (rule F6).
func (r *report) checkBound() {
	rows := make(map[*podClass]*row, len(r.rows))
	for i := range r.rows {
		rows[r.rows[i].podClass] = &r.rows[i]
	}
	b := &r.bound
	b.unknownNodes = r.fleet.unknownNodes
	b.pods = b.unknownNodes
	for _, p := range r.fleet.bound {
		v := match.Decide(p.taints, p.class.tolerations, counted)
		b.pods += p.count
		b.add(v, p.count)
		rows[p.class].bound.add(v, p.count)
		if v.Eviction != match.Stay {
			left, counted := command.Left(v, p.taints, r.fleet.latest)
			b.evicted = append(b.evicted, eviction{p.name, p.node, p.count, left, counted, v, p.taints[v.EvictionTaint]})
		}
	}
	slices.SortStableFunc(b.evicted, func(a, b eviction) int {
		return cmp.Or(cmp.Compare(a.left, b.left), strings.Compare(a.node, b.node), strings.Compare(a.pod, b.pod))
	})
}
