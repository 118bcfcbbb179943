package explain_test

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The verdict is that of match, and the time of the eviction that of a queue of evictions,
// for random lists of all lengths up to six. TOLERO_LONG=1 asks a million times.
func TestManyQuestions(t *testing.T) {
	questions := 5000
	if os.Getenv("TOLERO_LONG") != "" {
		questions = 1_000_000
	}
	r := rand.New(rand.NewPCG(1, 2))
	evictions := make(map[match.Eviction]int)
	for range questions {
		q := randomQuery(r)
		e := q.Explain()
		if want := match.Decide(q.Taints, q.Tolerations, q.Rules); e.Verdict != want {
			t.Fatalf("%s\nverdict %+v, want %+v", describe(q), e.Verdict, want)
		}
		if got, want := e.Eviction.Listed, queued(q); got.Eviction != want.Eviction || got.After != want.After || !got.By.Equal(&want.By) {
			t.Fatalf("%s\n%+v, want %+v", describe(q), got, want)
		}
		evictions[e.Verdict.Eviction]++
	}
	for eviction := match.Stay; eviction <= match.EvictNow; eviction++ {
		if evictions[eviction] < questions/50 {
			t.Errorf("only %d answers are %s", evictions[eviction], eviction)
		}
	}
}

// queued asks a queue of evictions about a pod that is on the node from the start.
func queued(q *explain.Query) explain.EvictionTime {
	start := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	queue := evict.New[string](match.FirstMatch, q.Rules)
	queue.SetNode(nil, start, "node", q.Taints)
	decisions := queue.SetPod(nil, start, "pod", "node", q.Tolerations)
	outcome := explain.EvictionTime{Eviction: match.Stay}
	if d, scheduled := queue.Find("pod"); scheduled {
		outcome.Eviction, outcome.After = match.EvictAfter, d.Due.Sub(start)
		decisions = append(decisions, d)
	} else if len(decisions) > 0 {
		outcome.Eviction = match.EvictNow
	}
	for _, d := range decisions {
		if d.Toleration != nil {
			outcome.By = *d.Toleration
		}
	}
	return outcome
}

func randomQuery(r *rand.Rand) *explain.Query {
	q := &explain.Query{Rules: toleration.Rules{Comparisons: r.IntN(2) == 0}}
	keys, values := []string{"", "a", "abcd", "abdc", "example.com/a"}, []string{"", "x", "5", "6", "05"}
	for range r.IntN(4) {
		q.Taints = append(q.Taints, taint.Taint{
			Key: pick(r, keys[1:]...), Value: pick(r, values...),
			Effect: pick(r, taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, taint.NoExecute, "Odd"),
		})
	}
	for range r.IntN(7) {
		q.Tolerations = append(q.Tolerations, toleration.Toleration{
			Key: pick(r, keys...), Value: pick(r, values...),
			Operator:          pick(r, "", toleration.OpEqual, toleration.OpExists, toleration.OpExists, toleration.OpGt, toleration.OpLt, "In"),
			Effect:            pick(r, "", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, taint.NoExecute, "Odd"),
			TolerationSeconds: pick(r, nil, seconds(-1), seconds(0), seconds(5), seconds(300)),
		})
	}
	return q
}

func pick[T any](r *rand.Rand, items ...T) T { return items[r.IntN(len(items))] }
