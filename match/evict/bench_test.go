package evict_test

import (
	"container/heap"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// fleet is running pods spread over nodes, of which the first third is a zone.
type fleet struct {
	*scenario.Cluster
	zone int
}

func newFleet(nodes, pods int) *fleet {
	return &fleet{scenario.Pools(1, nodes, pods), nodes * 3 / 10}
}

// on returns the node that a pod runs on.
func (f *fleet) on(pod int) int { return int(uint32(pod) * 2654435761 % uint32(len(f.Nodes))) }

var unreachable = []taint.Taint{taint.MustParse(taint.KeyUnreachable + ":NoExecute")}

// subject is what a fleet can be told to.
type subject interface {
	set(now time.Time, node int, taints []taint.Taint)
	advance(now time.Time)
	evictions() int
}

// queued is the queue of this package.
type queued struct {
	f       *fleet
	q       evict.Queue[int32]
	out     []evict.Decision[int32]
	evicted int
}

func newQueued(f *fleet) *queued {
	s := &queued{f: f}
	for i := range f.Nodes {
		s.q.SetNode(nil, matchtest.Epoch(), f.Nodes[i].Name, nil)
	}
	for i := range f.Pods {
		s.q.SetPod(nil, matchtest.Epoch(), int32(i), f.Nodes[f.on(i)].Name, f.Pods[i].Tolerations)
	}
	return s
}

func (s *queued) set(now time.Time, node int, taints []taint.Taint) {
	s.out = s.q.SetNode(s.out[:0], now, s.f.Nodes[node].Name, taints)
	s.count()
}

func (s *queued) advance(now time.Time) {
	s.out = s.q.Advance(s.out[:0], now)
	s.count()
}

func (s *queued) count() {
	for i := range s.out {
		if s.out[i].Reason.Evicts() {
			s.evicted++
		}
	}
}

func (s *queued) evictions() int { return s.evicted }

// plain evaluates every pod of a node that changes, and has a timer for each.
type plain struct {
	f       *fleet
	pods    map[string][]*timer
	timers  timers
	evicted int
}

// timer is a pod and when it is due.
type timer struct {
	tolerations []toleration.Toleration
	due         time.Time
	at          int // in timers, plus one
}

type timers []*timer

func (t timers) Len() int           { return len(t) }
func (t timers) Less(i, j int) bool { return t[i].due.Before(t[j].due) }
func (t timers) Swap(i, j int)      { t[i], t[j] = t[j], t[i]; t[i].at, t[j].at = i+1, j+1 }
func (t *timers) Push(x any)        { *t = append(*t, x.(*timer)); x.(*timer).at = len(*t) }
func (t *timers) Pop() any {
	x := (*t)[len(*t)-1]
	*t = (*t)[:len(*t)-1]
	x.at = 0
	return x
}

func newPlain(f *fleet) *plain {
	s := &plain{f: f, pods: map[string][]*timer{}}
	for i := range f.Pods {
		name := f.Nodes[f.on(i)].Name
		s.pods[name] = append(s.pods[name], &timer{tolerations: f.Pods[i].Tolerations})
	}
	return s
}

func (s *plain) set(now time.Time, node int, taints []taint.Taint) {
	for _, p := range s.pods[s.f.Nodes[node].Name] {
		after, evicted := match.EvictionDelay(taints, p.tolerations)
		switch {
		case evicted && after == 0:
			s.evicted++
			fallthrough
		case !evicted:
			if p.at != 0 {
				heap.Remove(&s.timers, p.at-1)
			}
		case p.at == 0:
			p.due = now.Add(after)
			heap.Push(&s.timers, p)
		}
	}
}

func (s *plain) advance(now time.Time) {
	for len(s.timers) > 0 && !s.timers[0].due.After(now) {
		heap.Pop(&s.timers)
		s.evicted++
	}
}

func (s *plain) evictions() int { return s.evicted }

// BenchmarkOutage has the nodes of a zone turn unreachable, ten a second, come
// back before anything is due, turn unreachable again, and everything become due.
// The time is per event of a node and per pod that is evicted.
func BenchmarkOutage(b *testing.B) {
	for _, size := range []struct{ nodes, pods int }{{5_000, 150_000}, {100_000, 1_000_000}} {
		f := newFleet(size.nodes, size.pods)
		f.Unshare()
		for _, s := range []struct {
			name string
			make func() subject
		}{
			{"queue", func() subject { return newQueued(f) }},
			{"plain", func() subject { return newPlain(f) }},
		} {
			b.Run(fmt.Sprintf("%dnodes/%s", size.nodes, s.name), func(b *testing.B) { benchmarkOutage(b, f.zone, s.make()) })
		}
	}
}

func benchmarkOutage(b *testing.B, zone int, s subject) {
	var down, up, due time.Duration
	now, begin := matchtest.Epoch(), time.Now()
	lap := func(sum *time.Duration) { *sum += time.Since(begin); begin = time.Now() }
	turn := func(taints []taint.Taint) {
		for i := range zone {
			now = now.Add(time.Millisecond)
			s.set(now, i, taints)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		begin = time.Now()
		turn(unreachable)
		lap(&down)
		turn(nil)
		lap(&up)
		turn(unreachable)
		lap(&down)
		now = now.Add(time.Hour)
		s.advance(now)
		lap(&due)
		turn(nil)
		lap(&up)
	}
	events := float64(2 * zone * b.N)
	b.ReportMetric(float64(down.Nanoseconds())/events, "ns/down")
	b.ReportMetric(float64(up.Nanoseconds())/events, "ns/up")
	b.ReportMetric(float64(due.Nanoseconds())/float64(s.evictions()), "ns/eviction")
}

// What is compared is the same work.
func TestOutageAgreesWithPlain(t *testing.T) {
	f := newFleet(300, 5_000)
	subjects := [2]subject{newQueued(f), newPlain(f)}
	for round := range 3 {
		for i := range subjects {
			s, now := subjects[i], second(float64(round)*100_000)
			for _, taints := range [][]taint.Taint{unreachable, nil, unreachable} {
				for node := range f.zone {
					now = now.Add(time.Millisecond)
					s.set(now, node, taints)
				}
			}
			s.advance(now.Add(250 * time.Second))
			s.advance(now.Add(time.Hour))
			for node := range f.zone {
				s.set(now.Add(time.Hour), node, nil)
			}
		}
		if q, p := subjects[0].evictions(), subjects[1].evictions(); q != p || q < 100*(round+1) {
			t.Errorf("round %d: the queue evicts %d, the plain approach %d", round, q, p)
		}
	}
}

// BenchmarkPods has pods come to and go from a fleet.
func BenchmarkPods(b *testing.B) {
	f := newFleet(1000, 10_000)
	s, now := newQueued(f), matchtest.Epoch()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		pod := i % len(f.Pods)
		s.out = s.q.DeletePod(s.out[:0], now, int32(pod))
		s.out = s.q.SetPod(s.out[:0], now, int32(pod), f.Nodes[f.on(pod)].Name, f.Pods[pod].Tolerations)
	}
}

// BenchmarkMemory reports what a queue takes for each pod: the nodes, and what it
// knows the pod by, included.
func BenchmarkMemory(b *testing.B) {
	f := newFleet(100_000, 1_000_000)
	for b.Loop() {
		before := heapInUse()
		s := newQueued(f)
		b.ReportMetric(float64(heapInUse()-before)/float64(len(f.Pods)), "B/pod")
		for i := range f.zone {
			s.set(matchtest.Epoch(), i, unreachable)
		}
		b.ReportMetric(float64(heapInUse()-before)/float64(len(f.Pods)), "B/pod-in-outage")
		b.ReportMetric(float64(s.q.Pending()), "pending")
	}
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
