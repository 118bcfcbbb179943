package evict_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/toleration"
)

// fill has ten pods come to each of ten nodes one after the other, with two lists.
func fill(t *testing.T, q *evict.Queue[int]) {
	for i := range 100 {
		q.SetPod(nil, second(float64(i)/100), i, fmt.Sprint("n", i%10), tolerationList(t, []string{"a@300,b@10", "a,b@400"}[i/10%2]))
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	for _, policy := range policies {
		q := evict.New[int](policy, toleration.Rules{})
		fill(t, q)
		tainted, untolerated, clear := taintList(t, "a:NoExecute,b:NoExecute"), taintList(t, "c:NoExecute"), taintList(t, "a:NoSchedule")
		some, other := tolerationList(t, "a@300,b@10"), tolerationList(t, "a,b@400")
		now, out := matchtest.Epoch(), make([]evict.Decision[int], 0, 100)
		decided := 0
		tell := func(decisions []evict.Decision[int]) { decided += len(decisions) }
		for name, call := range map[string]func(){
			"taints": func() {
				tell(q.SetNode(out, now, "n1", tainted))
				tell(q.SetNode(out, now, "n1", tainted))
				now = now.Add(5 * time.Second)
				tell(q.SetNode(out, now, "n1", clear))
			},
			"evictions": func() {
				tell(q.SetNode(out, now, "n2", tainted))
				now = now.Add(time.Hour)
				tell(q.Advance(out, now))
				tell(q.SetNode(out, now, "n2", untolerated))
				tell(q.SetNode(out, now, "n2", nil))
			},
			"pods": func() {
				tell(q.SetPod(out, now, 7, "n1", some))
				tell(q.SetPod(out, now, 7, "n1", other))
				tell(q.SetPod(out, now, 7, "n3", other))
				tell(q.DeletePod(out, now, 7))
				tell(q.SetPod(out, now, 7, "n1", some))
			},
			"node gone": func() {
				tell(q.SetNode(out, now, "n4", tainted))
				tell(q.DeleteNode(out, now, "n4"))
				tell(q.SetNode(out, now, "n4", nil))
			},
			"questions": func() { q.Next(); q.Find(3); q.Len(); q.Pending() },
		} {
			if allocs := testing.AllocsPerRun(200, call); allocs != 0 {
				t.Errorf("%v: %s: %v allocations", policy, name, allocs)
			}
		}
		if decided == 0 {
			t.Errorf("%v: nothing was decided", policy)
		}
	}
}

// However long pods and nodes come and go, the queue holds no more than the most
// that there were at a time, and lists only of those that there are.
func TestRoomIsUsedAgain(t *testing.T) {
	for _, policy := range policies {
		q := evict.New[int](policy, toleration.Rules{})
		tainted := taintList(t, "a:NoExecute")
		var first []int
		for round := range 50 {
			now := second(float64(round))
			for i := range 30 {
				node := fmt.Sprint(round, "-", i%3)
				q.SetNode(nil, now, node, tainted)
				q.SetPod(nil, now, round*100+i, node, tolerationList(t, fmt.Sprintf("a@%d", 300+i%4+round)))
			}
			for i := range 30 {
				q.DeleteNode(nil, now, fmt.Sprint(round, "-", i%3))
				q.DeletePod(nil, now, round*100+i)
			}
			if err := q.Check(); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = q.Sizes()
			}
			if sizes := q.Sizes(); fmt.Sprint(sizes) != fmt.Sprint(first) || sizes[0]+sizes[1]+sizes[2]+sizes[3] != 0 {
				t.Fatalf("%v: pods, groups, nodes, lists, room: %v in round %d, %v in the first", policy, sizes, round, first)
			}
		}
	}
}

// Pods with equal lists on a node share a group and its place in the heap, whenever
// they came to the node, if it had no taints then.
func TestEqualPodsShare(t *testing.T) {
	for _, policy := range policies {
		q := evict.New[int](policy, toleration.Rules{})
		for i := range 10 {
			q.SetNode(nil, second(0), fmt.Sprint("n", i), nil)
		}
		for round := range 3 {
			fill(t, q)
			if sizes := q.Sizes(); sizes[1] != 20 || sizes[3] != 2 {
				t.Errorf("%v: %d groups and %d lists for 2 lists on 10 nodes", policy, sizes[1], sizes[3])
			}
			at := second(float64(100 * (round + 1)))
			q.SetNode(nil, at, "n0", taintList(t, "a:NoExecute"))
			if sizes := q.Sizes(); sizes[1] != 20 || q.Pending() != 5 {
				t.Errorf("%v: %d groups, %d pending", policy, sizes[1], q.Pending())
			}
			q.SetNode(nil, at, "n0", nil)
			for i := range 100 {
				q.DeletePod(nil, at, i)
				q.SetPod(nil, at, i, "", nil)
			}
		}
	}
}
