package evict_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// story tells a queue what happens at times in seconds, and collects what it
// decides as texts such as "p 300 time is up a".
type story struct {
	*testing.T
	policy    match.EvictionPolicy
	q         *evict.Queue[string]
	decisions []evict.Decision[string]
}

func newStory(t *testing.T, policy match.EvictionPolicy) *story {
	s := &story{T: t, policy: policy, q: evict.New[string](policy, toleration.Rules{})}
	s.at(0)
	return s
}

func second(n float64) time.Time {
	return matchtest.Epoch().Add(time.Duration(n * float64(time.Second)))
}

func (s *story) at(at float64) { s.decisions = s.q.Advance(s.decisions, second(at)) }

func (s *story) node(at float64, name, taints string) {
	s.decisions = s.q.SetNode(s.decisions, second(at), name, taintList(s, taints))
}

func (s *story) pod(at float64, name, node, tolerations string) {
	s.decisions = s.q.SetPod(s.decisions, second(at), name, node, tolerationList(s, tolerations))
}

func (s *story) nodeGone(at float64, name string) {
	s.decisions = s.q.DeleteNode(s.decisions, second(at), name)
}
func (s *story) podGone(at float64, name string) {
	s.decisions = s.q.DeletePod(s.decisions, second(at), name)
}

// want compares all decisions up to the end of a day.
func (s *story) want(want ...string) {
	s.Helper()
	s.at(86400)
	var got []string
	for _, d := range s.decisions {
		got = append(got, d.Pod+" "+d.Due.Sub(matchtest.Epoch()).String()+" "+d.Reason.String()+" "+d.Taint.String())
	}
	if !slices.Equal(got, want) {
		s.Errorf("%v: got %q, want %q", s.Name(), got, want)
	}
	if err := s.q.Check(); err != nil {
		s.Error(err)
	}
}

func taintList(t testing.TB, text string) []taint.Taint {
	taints, err := taint.ParseList(text)
	if err != nil {
		t.Fatal(err)
	}
	return taints
}

func tolerationList(t testing.TB, text string) []toleration.Toleration {
	tolerations, err := notation.Tolerations(text)
	if err != nil {
		t.Fatal(err)
	}
	return tolerations
}

// each runs a story under every policy.
func each(t *testing.T, tell func(s *story)) {
	for _, policy := range policies {
		t.Run(policy.String(), func(t *testing.T) { tell(newStory(t, policy)) })
	}
}

func TestE1OnlyNoExecuteCounts(t *testing.T) {
	each(t, func(s *story) {
		s.pod(0, "p", "n", "")
		s.node(1, "n", "a:NoSchedule,b:PreferNoSchedule")
		s.node(2, "n", "a:NoSchedule,b:NoExecute")
		s.pod(3, "q", "n", "b:NoSchedule")
		s.want("p 2s untolerated b:NoExecute", "q 3s untolerated b:NoExecute")
	})
}

func TestE2FirstMatchAndMostLenient(t *testing.T) {
	for policy, want := range map[match.EvictionPolicy]string{
		match.FirstMatch: "p 1m1s time is up a:NoExecute", match.SinceAdded: "p 1m1s time is up a:NoExecute",
		match.MostLenient: "p 5m1s time is up a:NoExecute",
	} {
		s := newStory(t, policy)
		s.pod(0, "p", "n", "a@60,a@300,b@400,*")
		s.pod(0, "stays", "n", "*,a@1")
		s.node(1, "n", "a:NoExecute,b:NoExecute")
		if policy == match.MostLenient { // which would let it stay forever
			s.pod(1, "p", "n", "a@60,a@300,b@400")
		}
		s.want(want)
	}
}

func TestE2LeastOverTheTaints(t *testing.T) {
	each(t, func(s *story) {
		s.pod(0, "p", "n", "a@60,b@30,c@30,d")
		s.pod(0, "none", "n", "a@60,b@0,c@-1,d")
		s.node(1, "n", "a:NoExecute,b:NoExecute,c:NoExecute,d:NoExecute")
		s.want("none 1s time is up b:NoExecute", "p 31s time is up b:NoExecute")
	})
}

// Kubernetes overflows; TestE3QueueDifference in match/kube/upstream shows both.
func TestE3SecondsSaturate(t *testing.T) {
	each(t, func(s *story) {
		s.pod(0, "p", "n", "a@9223372037")
		s.pod(0, "q", "n", "a@18446744074")
		s.pod(1, "r", "n", "a@9223372036854775807")
		s.node(2, "n", "a:NoExecute")
		s.want()
		s.decisions = s.q.Advance(nil, matchtest.Epoch().Add(math.MaxInt64-2))
		if len(s.decisions) > 0 || s.q.Pending() != 3 {
			s.Fatalf("decided %v, %d pending", s.decisions, s.q.Pending())
		}
		if s.decisions = s.q.Advance(nil, matchtest.Epoch().Add(math.MaxInt64)); len(s.decisions) != 3 {
			s.Errorf("292 years later: %v", s.decisions)
		}
	})
}

func TestE4ClockStartsWithTheTaint(t *testing.T) {
	each(t, func(s *story) {
		s.pod(0, "p", "n", "a@300")
		s.node(100, "n", "a:NoExecute")
		s.pod(250, "late", "n", "a@300")
		s.want("p 6m40s time is up a:NoExecute", "late 9m10s time is up a:NoExecute")
	})
}

func TestE4RemovalCancels(t *testing.T) {
	each(t, func(s *story) {
		s.pod(0, "p", "n", "a@300,b@300")
		s.node(0, "n", "a:NoExecute,b:NoExecute")
		s.node(100, "n", "a:NoExecute")
		s.node(200, "n", "a:NoSchedule")
		s.node(1000, "n", "a:NoExecute")
		s.want("p 5m0s taints are gone a:NoExecute", "p 21m40s time is up a:NoExecute")
	})
}

// TimeAdded counts under one policy only.
func TestE4TimeAdded(t *testing.T) {
	for policy, want := range map[match.EvictionPolicy]string{
		match.FirstMatch: "p 6m40s time is up a:NoExecute", match.MostLenient: "p 6m40s time is up a:NoExecute",
		match.SinceAdded: "p 5m50s time is up a:NoExecute",
	} {
		s := newStory(t, policy)
		s.pod(0, "p", "n", "a@300")
		taints := taintList(t, "a:NoExecute")
		taints[0].TimeAdded = &taint.Time{Time: second(50)}
		s.decisions = s.q.SetNode(s.decisions, second(100), "n", taints)
		s.want(want)
	}
}

// While an eviction is scheduled, Kubernetes ignores what would make it sooner or
// later. The other policies do not.
func TestE5LaterChange(t *testing.T) {
	for _, test := range []struct {
		name               string
		change             func(s *story)
		kubernetes, others []string
	}{
		{"sooner", func(s *story) { s.node(100, "n", "a:NoExecute,b:NoExecute") }, []string{"p 5m0s time is up a:NoExecute"}, []string{"p 1m50s time is up b:NoExecute"}},
		{"later", func(s *story) { s.node(100, "n", "c:NoExecute") }, []string{"p 5m0s time is up a:NoExecute"}, []string{"p 18m20s time is up c:NoExecute"}},
		{"tolerates less", func(s *story) { s.pod(100, "p", "n", "a@200") }, []string{"p 5m0s time is up a:NoExecute"}, []string{"p 3m20s time is up a:NoExecute"}},
		{"tolerates less than has passed", func(s *story) { s.pod(100, "p", "n", "a@50") }, []string{"p 5m0s time is up a:NoExecute"}, []string{"p 50s time is up a:NoExecute"}},
		{"tolerates more", func(s *story) { s.pod(100, "p", "n", "a@400") }, []string{"p 5m0s time is up a:NoExecute"}, []string{"p 6m40s time is up a:NoExecute"}},
		{"elsewhere", func(s *story) { s.node(100, "m", "b:NoExecute"); s.pod(100, "p", "m", "a@300,b@10") },
			[]string{"p 5m0s time is up a:NoExecute"}, []string{"p 1m50s time is up b:NoExecute"}},
		{"elsewhere without taints", func(s *story) { s.node(100, "m", ""); s.pod(100, "p", "m", "a@300,b@10") },
			[]string{"p 5m0s time is up a:NoExecute"}, []string{"p 5m0s taints are gone a:NoExecute"}},
		{"node gone", func(s *story) { s.nodeGone(100, "n") }, []string{"p 5m0s time is up a:NoExecute"}, []string{"p 5m0s node is gone a:NoExecute"}},
		{"untolerated", func(s *story) { s.node(100, "n", "a:NoExecute,x:NoExecute") }, []string{"p 1m40s untolerated x:NoExecute"}, nil},
		{"no limit", func(s *story) { s.node(100, "n", "d:NoExecute") }, []string{"p 5m0s no limit a:NoExecute"}, nil},
		{"pod gone", func(s *story) { s.podGone(100, "p") }, []string{"p 5m0s pod is gone a:NoExecute"}, nil},
		{"the same moment", func(s *story) { s.node(0, "n", "b:NoExecute") }, []string{"p 10s time is up b:NoExecute"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			each(t, func(s *story) {
				s.pod(0, "p", "n", "a@300,b@10,c@1000,d")
				s.node(0, "n", "a:NoExecute")
				test.change(s)
				want := test.kubernetes
				if test.others != nil && (s.policy == match.MostLenient || s.policy == match.SinceAdded) {
					want = test.others
				}
				s.want(want...)
			})
		})
	}
}

// Under the policies that follow how things are, the time of each taint counts by
// itself, from when it and the pod were first together.
func TestEachTaintHasItsTime(t *testing.T) {
	for _, policy := range []match.EvictionPolicy{match.MostLenient, match.SinceAdded} {
		for _, test := range []struct {
			name string
			tell func(s *story)
			want []string
		}{
			{"another value is another taint", func(s *story) {
				s.pod(0, "p", "n", "a@300")
				s.node(0, "n", "a:NoExecute")
				s.node(100, "n", "a=x:NoExecute")
				s.node(200, "n", "b:NoSchedule,a=x:NoExecute")
			}, []string{"p 6m40s time is up a=x:NoExecute"}},
			{"a taint that is back is another one", func(s *story) {
				s.pod(0, "p", "n", "a@300,b@1000")
				s.node(0, "n", "a:NoExecute,b:NoExecute")
				s.node(100, "n", "b:NoExecute")
				s.node(200, "n", "b:NoExecute,a:NoExecute")
			}, []string{"p 8m20s time is up a:NoExecute"}},
			{"the pod came later", func(s *story) {
				s.node(0, "n", "a:NoExecute")
				s.pod(100, "p", "n", "a@50")
				s.pod(160, "p", "n", "a@200")
				s.node(170, "n", "a:NoExecute,b:NoExecute")
			}, []string{"p 2m30s time is up a:NoExecute", "p 2m50s untolerated b:NoExecute"}},
			{"the pod came later, and was evicted", func(s *story) {
				s.node(0, "n", "a:NoExecute")
				s.pod(100, "p", "n", "a@50")
				s.pod(160, "p", "n", "a@200")
			}, []string{"p 2m30s time is up a:NoExecute", "p 5m0s time is up a:NoExecute"}},
		} {
			t.Run(policy.String()+"/"+test.name, func(t *testing.T) {
				s := newStory(t, policy)
				test.tell(s)
				s.want(test.want...)
			})
		}
	}
}

// Of tolerations with the same seconds the first counts, and of taints that are due
// at the same moment the first.
func TestFirstOfEqualsIsNamed(t *testing.T) {
	each(t, func(s *story) {
		s.pod(0, "p", "n", "z@9,*:NoExecute@60,a@60,b@60")
		s.node(0, "n", "b:NoExecute,a:NoExecute")
		if d, ok := s.q.Find("p"); !ok || d.Toleration.String() != "*:NoExecute@60" || d.Taint.Key != "b" {
			t.Errorf("%v: got %v, %v", s.policy, d.Toleration, d.Taint)
		}
	})
}

// By default Gt and Lt do not count: a pod that only one of them protects is
// evicted, and again when nothing but such a toleration changes, as upstream does.
func TestN5ComparisonsCountByRules(t *testing.T) {
	for _, policy := range policies {
		for rules, want := range map[toleration.Rules][]string{
			{}:                  {"p 1s untolerated a=5:NoExecute", "p 2s untolerated a=5:NoExecute", "lasts 1m1s time is up a=5:NoExecute"},
			{Comparisons: true}: {"p 5m1s time is up a=5:NoExecute", "lasts 6m41s time is up a=5:NoExecute"},
		} {
			s := &story{T: t, policy: policy, q: evict.New[string](policy, rules)}
			s.at(0)
			s.pod(0, "p", "n", "a>4@300")
			s.pod(0, "lasts", "n", "a<9@400,a=5@60")
			s.node(1, "n", "a=5:NoExecute")
			if d, ok := s.q.Find("lasts"); !ok || d.Toleration.String() != map[bool]string{false: "a=5@60", true: "a<9@400"}[rules.Comparisons] {
				t.Errorf("%v, %v: the toleration is %v", policy, rules, d.Toleration)
			}
			s.pod(2, "p", "n", "a>3@300")
			s.want(want...)
		}
	}
}

// The zero Queue has the answers of Kubernetes in a default cluster.
func TestZeroQueue(t *testing.T) {
	var q evict.Queue[string]
	q.SetPod(nil, second(0), "p", "n", tolerationList(t, "a@60,a@300,a>4"))
	q.SetPod(nil, second(0), "q", "n", tolerationList(t, "a>4"))
	got := q.SetNode(nil, second(0), "n", taintList(t, "a=5:NoExecute"))
	if d, ok := q.Find("p"); len(got) != 1 || got[0].Pod != "q" || !ok || !d.Due.Equal(second(60)) {
		t.Errorf("decided %v, scheduled %v, %v", got, d, ok)
	}
}

// The mirror of a static pod has the kubelet's toleration, and is never evicted.
func TestA8StaticPods(t *testing.T) {
	each(t, func(s *story) {
		s.pod(0, "static", "n", "a@5,*:NoExecute")
		s.node(1, "n", "b:NoExecute")
		s.want()
	})
}

// An eviction does not take the pod away: that is told, or it is decided anew.
func TestE6EvictedPodsAreStillThere(t *testing.T) {
	each(t, func(s *story) {
		s.pod(0, "p", "n", "")
		s.node(1, "n", "a:NoExecute")
		s.node(2, "n", "a:NoExecute") // the same
		s.pod(3, "p", "n", "")
		s.node(4, "n", "a=x:NoExecute")
		s.podGone(5, "p")
		s.node(6, "n", "a=y:NoExecute")
		s.want("p 1s untolerated a:NoExecute", "p 4s untolerated a=x:NoExecute")
	})
}

func TestEventsOutOfOrder(t *testing.T) {
	each(t, func(s *story) {
		s.podGone(0, "p")
		s.nodeGone(0, "n")
		s.pod(100, "p", "n", "a@300")
		s.node(50, "n", "a:NoExecute") // the time is 100 s
		s.pod(60, "q", "n", "a@301")
		s.at(-1000)
		s.pod(200, "unassigned", "", "")
		s.node(200, "", "a:NoExecute")
		s.pod(200, "nowhere", "m", "")
		s.nodeGone(200, "m")
		if s.q.Len() != 4 {
			s.Errorf("%d pods", s.q.Len())
		}
		s.node(300, "m", "b:NoExecute")
		s.want("nowhere 5m0s untolerated b:NoExecute", "p 6m40s time is up a:NoExecute", "q 6m41s time is up a:NoExecute")
	})
}

// The queue is asked late, and tells when it should have been asked.
func TestDueIsNotWhenAsked(t *testing.T) {
	each(t, func(s *story) {
		if _, ok := s.q.Next(); ok {
			s.Error("something is due")
		}
		s.pod(0, "p", "n", "a@300")
		s.pod(0, "q", "n", "a@200")
		s.node(0, "n", "a:NoExecute")
		if next, ok := s.q.Next(); !ok || !next.Equal(second(200)) {
			s.Errorf("next is %v, %v", next, ok)
		}
		s.node(1000, "n", "") // too late
		s.want("q 3m20s time is up a:NoExecute", "p 5m0s time is up a:NoExecute")
	})
}

// A decision names the toleration, as it was when the pod came, and the list that
// the queue was given may be changed.
func TestTolerationOfDecision(t *testing.T) {
	q := evict.New[int](match.FirstMatch, toleration.Rules{})
	tolerations := tolerationList(t, "a@300,b@60")
	q.SetPod(nil, second(0), 1, "n", tolerations)
	*tolerations[1].TolerationSeconds, tolerations[1].Key = 1, "x"
	q.SetNode(nil, second(0), "n", taintList(t, "a:NoExecute,b:NoExecute"))
	d, ok := q.Find(1)
	if !ok || d.Toleration.String() != "b@60" || d.Node != "n" || d.Pod != 1 || !d.Due.Equal(second(60)) {
		t.Errorf("found %+v, %t", d, ok)
	}
	for d := range q.Scheduled() {
		if d.Pod != 1 {
			t.Errorf("scheduled: %+v", d)
		}
		break
	}
	if _, ok := q.Find(2); ok {
		t.Error("found a pod that is not there")
	}
	if out := q.SetNode(nil, second(1), "n", taintList(t, "c:NoExecute")); len(out) != 1 || out[0].Toleration != nil {
		t.Errorf("got %+v", out)
	}
	if _, ok := q.Find(1); ok {
		t.Error("found what was decided")
	}
}

func TestReason(t *testing.T) {
	for r := range evict.PodGone + 2 {
		if evicts := r == evict.Untolerated || r == evict.TimeUp; r.Evicts() != evicts {
			t.Errorf("%v evicts: %t", r, r.Evicts())
		}
	}
	if got := evict.Reason(200).String(); got != "Reason(200)" {
		t.Errorf("got %q", got)
	}
}

// A caller's clock may start at the zero time. Only package match cannot be asked at it.
func TestSinceAddedAtTheZeroTime(t *testing.T) {
	var start time.Time
	taints := []taint.Taint{{Key: "a", Effect: taint.NoExecute, TimeAdded: &taint.Time{Time: start.Add(time.Hour)}}}
	q := evict.New[string](match.SinceAdded)
	q.SetNode(nil, start, "n", taints)
	q.SetPod(nil, start, "p", "n", []toleration.Toleration{toleration.MustParse("a:NoExecute@60")})
	if due, ok := q.Next(); !ok || !due.Equal(start.Add(time.Minute)) {
		t.Errorf("due at %v, %t", due, ok)
	}
}
