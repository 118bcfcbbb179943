package evict_test

import (
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// pair is a queue and the model that is told the same. Every step compares what
// the two decide and what they have scheduled.
type pair struct {
	rapid.TB
	queue *evict.Queue[string]
	model *model
	now   time.Time
	told  [][]evict.Decision[string] // what was decided and what was scheduled, as it was handed out
	words []string                   // of each of them then
}

// start is the first time that a pair is told.
var start = matchtest.Epoch()

func newPair(t rapid.TB, policy match.EvictionPolicy, rules toleration.Rules) *pair {
	p := &pair{TB: t, queue: evict.New[string](policy, rules), model: newModel(policy, rules), now: start}
	p.advance(0)
	return p
}

func (p *pair) advance(by time.Duration) {
	p.now = p.now.Add(by)
	p.compare(p.queue.Advance(nil, p.now), p.model.advance(start, p.now), nil)
}

func (p *pair) setNode(name string, taints []taint.Taint) {
	due := p.model.advance(start, p.now)
	p.model.setNode(name, taints)
	given := slices.Clone(taints)
	got := p.queue.SetNode(nil, p.now, name, given)
	clear(given)
	p.compare(got, due, p.model.decide(start, evict.TaintsGone))
}

func (p *pair) deleteNode(name string) {
	due := p.model.advance(start, p.now)
	p.model.deleteNode(name)
	p.compare(p.queue.DeleteNode(nil, p.now, name), due, p.model.decide(start, evict.NodeGone))
}

func (p *pair) setPod(name, node string, tolerations []toleration.Toleration) {
	due := p.model.advance(start, p.now)
	p.model.setPod(name, node, tolerations)
	given := toleration.Clone(tolerations)
	got := p.queue.SetPod(nil, p.now, name, node, given)
	for i := range given {
		if given[i].TolerationSeconds != nil {
			*given[i].TolerationSeconds = -7
		}
		given[i].Key = "changed"
	}
	p.compare(got, due, p.model.decide(start, evict.TaintsGone))
}

func (p *pair) deletePod(name string) {
	due := p.model.advance(start, p.now)
	p.compare(p.queue.DeletePod(nil, p.now, name), due, p.model.deletePod(name))
}

// compare compares what was decided: first what was due, in the order of time,
// then the rest.
func (p *pair) compare(got, due, rest []evict.Decision[string]) {
	if len(got) < len(due) {
		p.Fatalf("decided %v, want what is due: %v", texts(got), texts(due))
	}
	if !slices.IsSortedFunc(got[:len(due)], func(a, b evict.Decision[string]) int { return a.Due.Compare(b.Due) }) {
		p.Fatalf("not in the order of time: %v", got[:len(due)])
	}
	if diff := cmp.Diff(texts(due), texts(got[:len(due)])); diff != "" {
		p.Fatalf("what is due (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(texts(rest), texts(got[len(due):])); diff != "" {
		p.Fatalf("what is decided (-want +got):\n%s", diff)
	}
	p.keep(got)
	p.compareScheduled()
	if err := p.queue.Check(); err != nil {
		p.Fatal(err)
	}
}

// keep keeps what was handed out, for askAgain.
func (p *pair) keep(decisions []evict.Decision[string]) {
	if len(decisions) > 0 {
		p.told, p.words = append(p.told, decisions), append(p.words, inWords(decisions))
	}
}

// askAgain compares all that was ever handed out with what it was then.
func (p *pair) askAgain() {
	for i, decisions := range p.told {
		if got := inWords(decisions); got != p.words[i] {
			p.Fatalf("decisions have changed:\n%s\nwere\n%s", got, p.words[i])
		}
	}
}

func inWords(decisions []evict.Decision[string]) string {
	var words []byte
	for _, d := range decisions {
		words = append(append(words, text(d)...), '\n')
	}
	return string(words)
}

func (p *pair) compareScheduled() {
	want, scheduled := p.model.scheduled(), slices.Collect(p.queue.Scheduled())
	p.keep(scheduled)
	if diff := cmp.Diff(texts(want), texts(scheduled)); diff != "" {
		p.Fatalf("what is scheduled (-want +got):\n%s", diff)
	}
	first, ok := p.queue.Next()
	if ok != (len(want) > 0) || p.queue.Pending() != len(want) || p.queue.Len() != len(p.model.pods) {
		p.Fatalf("next %v, %t; %d of %d pods; want %d of %d", first, ok, p.queue.Pending(), p.queue.Len(), len(want), len(p.model.pods))
	}
	for i := range want {
		if want[i].Due.Before(first) || !slices.ContainsFunc(want, func(d evict.Decision[string]) bool { return d.Due.Equal(first) }) {
			p.Fatalf("next is %v, but %v", first, text(want[i]))
		}
		if d, ok := p.queue.Find(want[i].Pod); !ok || text(d) != text(want[i]) {
			p.Fatalf("found %v, %t, want %v", text(d), ok, text(want[i]))
		}
	}
}
