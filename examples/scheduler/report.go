package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/tolero-dev/tolero/compile/index"
)

// shownReasons is how many different reasons of pending pods are shown.
const shownReasons = 5

// report writes what became of the nodes and pods.
func (s *scheduler) report(w io.Writer, o *options) {
	c := &s.counts
	bound := len(s.pods) - s.queue.length
	fmt.Fprintf(w, "seed %d: %d nodes and %d pods, then %d events in %v\n", o.seed, o.nodes, o.pods, o.events, s.clock)
	fmt.Fprintf(w, "  now        %d nodes with %d of %d pods in %d classes, %d pending\n", len(s.cache.byName), bound, len(s.pods), s.classes(), s.queue.length)
	fmt.Fprintf(w, "  evicted    %d at once, %d after a time; %d lost their node\n", c.evicted, c.timedOut, c.displaced)
	fmt.Fprintf(w, "  attempts   %d\n", c.attempts)
	fmt.Fprintf(w, "  wake-ups   %d, %d of them in vain; to wake all each time would have been %d\n", c.wakeUps, c.vain, c.wakeAll)
	s.reportPending(w)
}

// classes returns how many different toleration lists the pods have.
func (s *scheduler) classes() int {
	n := 0
	for range s.groups.All() {
		n++
	}
	return n
}

// reportPending writes why pods are pending: the most frequent messages.
func (s *scheduler) reportPending(w io.Writer) {
	messages := s.messages()
	if len(messages) == 0 {
		return
	}
	fmt.Fprintln(w, "pending pods")
	for _, m := range messages[:min(shownReasons, len(messages))] {
		fmt.Fprintf(w, "  %-6d %s\n", m.pods, m.text)
	}
	if rest := messages[min(shownReasons, len(messages)):]; len(rest) > 0 {
		pods := 0
		for _, m := range rest {
			pods += m.pods
		}
		fmt.Fprintf(w, "  %-6d for %d other reasons\n", pods, len(rest))
	}
}

// message is why pods are pending, and how many.
type message struct {
	text string
	pods int
}

// messages returns the messages, the most frequent first.
func (s *scheduler) messages() []message {
	type question struct {
		class   index.PodClass
		request resources
	}
	asked := make(map[question]string)
	counts := make(map[string]int)
	for _, p := range s.queue.all() {
		q := question{p.class, p.request}
		if asked[q] == "" {
			d := s.diagnose(q.class, q.request)
			asked[q] = d.String()
		}
		counts[asked[q]]++
	}
	var messages []message
	for text, pods := range counts {
		messages = append(messages, message{text, pods})
	}
	slices.SortFunc(messages, func(a, b message) int {
		return cmp.Or(cmp.Compare(b.pods, a.pods), cmp.Compare(a.text, b.text))
	})
	return messages
}
