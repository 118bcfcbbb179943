package explain

import (
	"encoding/json"
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
			toleration.Toleration{Key: "a0", Value: fmt.Sprint("y", i), Effect: taint.NoSchedule, TolerationSeconds: ptr(int64(i))}
	},
	"no keys": func(i, n int) (taint.Taint, toleration.Toleration) {
		return taint.Taint{Value: fmt.Sprint(i), Effect: taint.NoExecute},
			toleration.Toleration{Operator: toleration.OpGt, Value: fmt.Sprint(n - i), Effect: taint.NoExecute, TolerationSeconds: ptr(int64(i))}
	},
	"one toleration counts for all": func(i, n int) (taint.Taint, toleration.Toleration) {
		return taint.Taint{Key: fmt.Sprint("a", i), Value: "7", Effect: taint.NoExecute},
			toleration.Toleration{Operator: toleration.OpExists, TolerationSeconds: ptr(int64(5))}
	},
	"one toleration counts for each": func(i, n int) (taint.Taint, toleration.Toleration) {
		return taint.Taint{Key: fmt.Sprint("a", i), Value: fmt.Sprint(i), Effect: taint.NoExecute},
			toleration.Toleration{Value: fmt.Sprint(i), TolerationSeconds: ptr(int64(5))}
	},
	"two taints of each key": func(i, n int) (taint.Taint, toleration.Toleration) {
		return taint.Taint{Key: fmt.Sprint("a", i/2), Value: fmt.Sprint(i), Effect: [...]taint.Effect{taint.NoSchedule, taint.NoExecute}[i%2]},
			toleration.Toleration{Key: fmt.Sprint("a", i/2), Value: "5", Effect: taint.PreferNoSchedule, TolerationSeconds: ptr(int64(5))}
	},
	"all equal": func(i, n int) (taint.Taint, toleration.Toleration) {
		return taint.Taint{Key: "a", Value: "x", Effect: taint.NoExecute}, toleration.Toleration{Key: "a", Value: "y"}
	},
	"the gate is off": func(i, n int) (taint.Taint, toleration.Toleration) {
		return taint.Taint{Key: fmt.Sprint(i), Value: "5", Effect: taint.NoExecute},
			toleration.Toleration{Key: fmt.Sprint(i), Operator: toleration.OpGt, Value: "4"}
	},
}

// hostileQuery returns a list of n taints and one of n tolerations.
func hostileQuery(name string, n int, rules toleration.Rules) *Query {
	q := &Query{Rules: rules}
	for i := range n {
		x, u := hostile[name](i, n)
		q.Taints, q.Tolerations = append(q.Taints, x), append(q.Tolerations, u)
	}
	return q
}

func hostileLength() int {
	if os.Getenv("TOLERO_LONG") != "" {
		return 2_000
	}
	return 150
}

// Long lists get answers.
func TestHostileLists(t *testing.T) {
	n := hostileLength()
	for name := range hostile {
		q := hostileQuery(name, n, toleration.Rules{})
		if e := q.Explain(); len(e.Reasons) != n {
			t.Errorf("%s: %d reasons", name, len(e.Reasons))
		}
		for goal := range ToScheduleAndStay + 1 {
			for _, r := range [...]Repair{q.Add(goal), q.Edit(goal), q.Correct(goal)} {
				repaired := Query{Rules: q.Rules, Taints: q.Taints, Tolerations: r.Apply(nil, q.Tolerations)}
				if again := repaired.Add(goal); !again.Empty() {
					t.Errorf("%s, %v: %d more additions after the repair", name, goal, len(again.Additions))
				}
			}
		}
	}
}

// A toleration may become one of 11 operators with their values, with one of 5 effects
// with and without seconds. Each of these is tried twice, with and without the seconds of
// a toleration without a key.
func TestCorrectionsAreBounded(t *testing.T) {
	n, most := hostileLength(), 0
	for name := range hostile {
		for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
			c := newCorrector(hostileQuery(name, n, rules), ToScheduleAndStay)
			if c == nil {
				continue // not valid together
			}
			c.repair()
			if c.tried > 2*(11*5*n+5*n) {
				t.Errorf("%s: %d corrections", name, c.tried)
			}
			most = max(most, c.tried)
		}
	}
	if most < 10*n {
		t.Errorf("%d corrections at most: not hostile", most)
	}
}

// Answers say that there were too many pairs of keys. Of tolerations with the same key,
// one is compared.
func TestTruncated(t *testing.T) {
	for _, c := range []struct {
		taints, tolerations, keys int
		want                      bool
	}{{100, 100, 100, false}, {101, 100, 100, true}, {100, 101, 101, true}, {100, 300, 100, false}} {
		q := new(Query)
		for i := range c.taints {
			q.Taints = append(q.Taints, taint.Taint{Key: fmt.Sprint("x", i), Effect: taint.NoSchedule})
		}
		for i := range c.tolerations {
			q.Tolerations = append(q.Tolerations, toleration.Toleration{Key: fmt.Sprint("t", i%c.keys), Operator: toleration.OpExists})
		}
		for _, answer := range []any{q.Explain(), q.Correct(ToSchedule)} {
			text, err := json.Marshal(answer)
			if err != nil {
				t.Fatal(err)
			}
			inJSON, inText := strings.Contains(string(text), `"truncated":true`), strings.Contains(fmt.Sprint(answer), "too many keys to compare")
			if inJSON != c.want || inText != c.want {
				t.Errorf("%d taints and %d tolerations: %v in JSON, %v in the text of %T", c.taints, c.tolerations, inJSON, inText, answer)
			}
		}
	}
}
