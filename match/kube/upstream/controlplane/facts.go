package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// fact is something that happens to a node, a zone or a pod, in words that are the same
// for what is predicted and for what is seen.
type fact struct {
	subject, what string
	at            time.Time
}

// bounds is how far the time of what is seen may be from the time that was predicted, and
// how far apart two predictions have to be for their order to count.
type bounds struct {
	early, late, tie time.Duration
}

// agreement is what a comparison found: how many facts there are, how far apart their
// times are at most, and how many pairs have an order that counts.
type agreement struct {
	facts, pairs int
	early, late  time.Duration
}

func (a agreement) String() string {
	return fmt.Sprintf("%d facts as predicted, at most %d ms early and %d ms late; %d pairs in the order predicted",
		a.facts, a.early.Milliseconds(), a.late.Milliseconds(), a.pairs)
}

// agree compares what was seen, in the order in which it happened, with what was
// predicted: the facts of each subject exactly and in their order, the times within the
// bounds, and the order of all.
func agree(predicted, seen []fact, b bounds) (a agreement, err error) {
	slices.SortStableFunc(predicted, func(x, y fact) int { return x.at.Compare(y.at) })
	places, err := pair(predicted, seen)
	if err != nil {
		return a, err
	}
	a.facts = len(predicted)
	for i, p := range predicted {
		s := seen[places[i]]
		off := s.at.Sub(p.at)
		a.early, a.late = max(a.early, -off), max(a.late, off)
		if off < -b.early || off > b.late {
			return a, fmt.Errorf("%s, %s: predicted for %s, seen at %s: the difference of %v is out of bounds", p.subject, p.what, clock(p.at), clock(s.at), off)
		}
		for j := range i {
			if p.at.Sub(predicted[j].at) <= b.tie {
				continue
			}
			a.pairs++
			if places[j] > places[i] {
				return a, fmt.Errorf("%s, %s, was predicted %v after %s, %s, and came before it", p.subject, p.what,
					p.at.Sub(predicted[j].at), predicted[j].subject, predicted[j].what)
			}
		}
	}
	return a, nil
}

// pair returns for each predicted fact its place among those that were seen. The error
// names every subject of which something else was seen.
func pair(predicted, seen []fact) (places []int, err error) {
	of := make(map[string][]int) // places of what was seen, by subject
	for i, s := range seen {
		of[s.subject] = append(of[s.subject], i)
	}
	wanted := make(map[string][]fact)
	next := make(map[string]int)
	for _, p := range predicted {
		wanted[p.subject] = append(wanted[p.subject], p)
		if n := next[p.subject]; n < len(of[p.subject]) {
			places = append(places, of[p.subject][n])
		}
		next[p.subject]++
	}
	subjects := make(map[string]bool)
	for _, list := range [][]fact{predicted, seen} {
		for _, f := range list {
			subjects[f.subject] = true
		}
	}
	var faults []string
	for subject := range subjects {
		var theirs []fact
		for _, place := range of[subject] {
			theirs = append(theirs, seen[place])
		}
		if !slices.EqualFunc(wanted[subject], theirs, func(x, y fact) bool { return x.what == y.what }) {
			faults = append(faults, fmt.Sprintf("%s:\n\tpredicted %s\n\tseen      %s", subject, list(wanted[subject]), list(theirs)))
		}
	}
	if faults != nil {
		slices.Sort(faults)
		return nil, fmt.Errorf("%d subjects differ\n%s", len(faults), strings.Join(faults, "\n"))
	}
	return places, nil
}

func list(facts []fact) string {
	var words []string
	for _, f := range facts {
		words = append(words, fmt.Sprintf("%s %q", clock(f.at), f.what))
	}
	return strings.Join(words, ", ")
}

func clock(t time.Time) string { return t.UTC().Format("15:04:05.000") }
