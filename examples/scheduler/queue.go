package main

import (
	"cmp"
	"iter"
	"slices"

	"github.com/tolero-dev/tolero/compile/index"
)

// queue is the pods without a node: the active ones, which are to be tried, and
// those that were tried and wait for a change that concerns them, by class.
type queue struct {
	active  []*pod
	waiting map[index.PodClass][]*pod
	length  int // of waiting
}

func newQueue() *queue { return &queue{waiting: make(map[index.PodClass][]*pod)} }

// push makes a pod active.
func (q *queue) push(p *pod) { q.active = append(q.active, p) }

// drain returns the active pods in their turn, and leaves none. The slice is valid
// until the next push.
func (q *queue) drain() []*pod {
	pods := q.active
	slices.SortFunc(pods, byNumber)
	q.active = q.active[:0]
	return pods
}

// park lets a pod that fits nowhere wait.
func (q *queue) park(p *pod) {
	q.waiting[p.class] = append(q.waiting[p.class], p)
	q.length++
}

// remove takes a waiting pod out.
func (q *queue) remove(p *pod) {
	q.drop(p.class, func(other *pod) bool { return other == p })
}

// wake makes waiting pods of the given classes active, in their turn, as long as
// there is room for them besides the previous ones. It returns how many.
func (q *queue) wake(classes iter.Seq[index.PodClass], room int64) (woken int) {
	var able []*pod
	for class := range classes {
		for _, p := range q.waiting[class] {
			if p.request <= room {
				able = append(able, p)
			}
		}
	}
	slices.SortFunc(able, byNumber)
	for _, p := range able {
		if p.request <= room {
			room -= p.request
			p.woken = true
			q.push(p)
			woken++
		}
	}
	for _, p := range q.active[len(q.active)-woken:] {
		q.drop(p.class, func(p *pod) bool { return p.woken })
	}
	return woken
}

// drop takes waiting pods of a class out.
func (q *queue) drop(class index.PodClass, unwanted func(*pod) bool) {
	all := q.waiting[class]
	kept := slices.DeleteFunc(all, unwanted)
	q.length -= len(all) - len(kept)
	if len(kept) == 0 {
		delete(q.waiting, class)
	} else {
		q.waiting[class] = kept
	}
}

// all returns the waiting pods in their turn.
func (q *queue) all() []*pod {
	var pods []*pod
	for _, list := range q.waiting {
		pods = append(pods, list...)
	}
	slices.SortFunc(pods, byNumber)
	return pods
}

func byNumber(a, b *pod) int { return cmp.Compare(a.number, b.number) }
