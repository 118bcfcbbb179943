package evict

import (
	"errors"
	"fmt"
)

// Sizes is how much a queue holds.
type Sizes struct{ Pods, Claims, Devices, Names, Slices, Pools, Rules, Evicted, Agenda int }

func (q *Queue[P]) Sizes() Sizes {
	return Sizes{
		len(q.pods), len(q.claims), len(q.holdings.byID), len(q.holdings.byDriver) + len(q.holdings.byPool) + len(q.holdings.named),
		len(q.slices), len(q.pools), q.rules.Len(), len(q.evicted), len(q.agenda),
	}
}

// Check returns what is wrong inside of a queue, or nil.
func (q *Queue[P]) Check() error {
	for i, p := range q.agenda {
		if p.at != i+1 || !p.plan.scheduled || q.pods[p.key] != p {
			return fmt.Errorf("place %d of the agenda: %+v", i, p)
		}
		if parent := (i - 1) / 2; i > 0 && p.plan.due.Before(q.agenda[parent].plan.due) {
			return errors.New("the agenda is not a heap")
		}
	}
	for _, p := range q.pods {
		if (p.at != 0) != p.plan.scheduled || p.evicted && p.plan.scheduled {
			return fmt.Errorf("pod %v: %+v", p.key, p)
		}
		for _, c := range p.claims {
			if _, ok := c.pods[p]; !ok || q.claims[c.name] != c {
				return fmt.Errorf("pod %v refers to claim %s, which does not know it", p.key, c.name)
			}
		}
	}
	for id, d := range q.holdings.byID {
		if len(d.claims) == 0 || d.id != id {
			return fmt.Errorf("device %v: %+v", id, d)
		}
	}
	return nil
}
