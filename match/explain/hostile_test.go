package explain

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// hostile makes lists of n taints and n tolerations, the worst there are for the
// several parts of the search.
var hostile = map[string]func(i, n int) (taint.Taint, toleration.Toleration){
	"one key, other values": func(i, n int) (taint.Taint, toleration.Toleration) {
		return taint.Taint{Key: "a", Value: fmt.Sprint("x", i), Effect: taint.NoExecute},
			toleration.Toleration{Key: "a", Value: fmt.Sprint("y", i), Effect: taint.NoSchedule}
	},
	"one key, integers": func(i, n int) (taint.Taint, toleration.Toleration) {
		return taint.Taint{Key: "a", Value: fmt.Sprint(2 * i), Effect: taint.NoSchedule},
			toleration.Toleration{Key: "a", Value: fmt.Sprint(2*i + 1), Operator: toleration.OpEqual}
	},
	"keys that look alike": func(i, n int) (taint.Taint, toleration.Toleration) {
		return taint.Taint{Key: strings.Repeat("a", 300) + fmt.Sprint("b", i), Effect: taint.NoSchedule},
			toleration.Toleration{Key: strings.Repeat("a", 300) + fmt.Sprint("c", i), Operator: toleration.OpExists}
	},
	"long keys": func(i, n int) (taint.Taint, toleration.Toleration) {
		return taint.Taint{Key: strings.Repeat("a", 3000) + fmt.Sprint("b", i), Effect: taint.NoSchedule},
			toleration.Toleration{Key: strings.Repeat("a", 3000) + fmt.Sprint("c", i), Operator: toleration.OpExists}
	},
	"unknown effects": func(i, n int) (taint.Taint, toleration.Toleration) {
		return taint.Taint{Key: "a", Effect: taint.Effect(fmt.Sprint("E", i))},
			toleration.Toleration{Key: "a", Effect: taint.Effect(fmt.Sprint("F", i))}
	},
	"one key, valid taints": func(i, n int) (taint.Taint, toleration.Toleration) {
		return taint.Taint{Key: fmt.Sprint("a", max(0, i-1)), Value: "x", Effect: [...]taint.Effect{taint.NoSchedule, taint.NoExecute}[min(i, 1)]},
			toleration.Toleration{Key: "a0", Value: fmt.Sprint("y", i), Effect: taint.NoSchedule, TolerationSeconds: new(int64(i))}
	},
	"no keys": func(i, n int) (taint.Taint, toleration.Toleration) {
		return taint.Taint{Value: fmt.Sprint(i), Effect: taint.NoExecute},
			toleration.Toleration{Operator: toleration.OpGt, Value: fmt.Sprint(n - i), Effect: taint.NoExecute, TolerationSeconds: new(int64(i))}
	},
	"the gate is off": func(i, n int) (taint.Taint, toleration.Toleration) {
		return taint.Taint{Key: fmt.Sprint(i), Value: "5", Effect: taint.NoExecute},
			toleration.Toleration{Key: fmt.Sprint(i), Operator: toleration.OpGt, Value: "4"}
	},
}

// The search puts each toleration into a constant number of structures whose
// building takes n log n steps, and asks a constant number of them, with log n
// steps each, about each taint. It compares a limited number of keys, and of a
// group of taints looks at a limited number.
func TestHostileLists(t *testing.T) {
	n := 1_000
	if os.Getenv("TOLERO_LONG") != "" {
		n = 10_000
	}
	for name, make := range hostile {
		t.Run(name, func(t *testing.T) {
			q := new(Query)
			for i := range n {
				x, u := make(i, n)
				q.Taints, q.Tolerations = append(q.Taints, x), append(q.Tolerations, u)
			}
			c := newCatalog(q.Rules, q.Tolerations)
			if size := c.named.size() + c.anyKey.size(); size > 8*n {
				t.Errorf("%d tolerations are in structures of %d", n, size)
			}
			g := new(group)
			for i := range q.Taints {
				c.nearest(&q.Taints[i])
				g.add(&q.Taints[i])
				if len(g.extremes) > 4 {
					t.Fatalf("a group of %d taints", len(g.extremes))
				}
			}
			if e := q.Explain(); len(e.Reasons) != n {
				t.Errorf("%d reasons", len(e.Reasons))
			}
			for goal := range ToScheduleAndStay + 1 {
				for _, r := range [...]Repair{q.Add(goal), q.Edit(goal), q.Correct(goal)} {
					repaired := Query{Rules: q.Rules, Taints: q.Taints, Tolerations: r.Apply(nil, q.Tolerations)}
					if again := repaired.Add(goal); !again.Empty() {
						t.Errorf("%v takes %d more additions after the repair", goal, len(again.Additions))
					}
				}
			}
		})
	}
}

func (s *section) size() int {
	return s.counting.size() + s.all.size()
}

func (p *part) size() int {
	n := len(p.anyEffect.indexes)
	for _, f := range p.tolerating {
		n += len(f.indexes)
	}
	return n + len(p.ofEffect) + len(p.ofKey)
}
