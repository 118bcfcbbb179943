package main

import (
	"fmt"
	"io"
)

// report writes what became of the nodes and pods.
func (s *scheduler) report(w io.Writer, o *options) {
	c := &s.counts
	classes := 0
	for range s.groups.All() {
		classes++
	}
	fmt.Fprintf(w, "seed %d: %d nodes and %d pods, then %d events in %v\n", o.seed, o.nodes, o.pods, o.events, s.clock)
	fmt.Fprintf(w, "  now        %d nodes with %d of %d pods in %d classes, %d pending\n", len(s.cache.byName), len(s.pods)-s.queue.length, len(s.pods), classes, s.queue.length)
	fmt.Fprintf(w, "  evicted    %d at once, %d after a time; %d lost their node\n", c.evicted, c.timedOut, c.displaced)
	fmt.Fprintf(w, "  attempts   %d\n", c.attempts)
	fmt.Fprintf(w, "  wake-ups   %d, %d of them in vain; to wake all each time would have been %d\n", c.wakeUps, c.vain, c.wakeAll)
	const shown = 5
	reasons := make(map[string]int) // pods by why they are pending
	for _, p := range s.queue.all() {
		reasons[s.diagnose(p.class, p.request).String()]++
	}
	for i, text := range byCount(reasons) {
		if i == shown {
			fmt.Fprintf(w, "  pending    for %d other reasons\n", len(reasons)-shown)
			break
		}
		fmt.Fprintf(w, "  pending    %d: %s\n", reasons[text], text)
	}
}
