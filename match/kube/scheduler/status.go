package scheduler

import (
	"sync"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

// The reasons that the in-tree plugins give.
const (
	reasonTaints = "node(s) had untolerated taint(s)"
	reasonCordon = "node(s) were unschedulable"
)

// reasonNamed is the reason that names a taint, in the words of index.Reason.
func reasonNamed(t *v1.Taint) string {
	return "node(s) had untolerated taint {" + t.Key + ": " + t.Value + "}"
}

// refusal makes statuses for one reason. A pod that few nodes take is refused by
// all others, with a status each; the framework writes to what it gets, so that
// none can be given out twice, and their reasons are not shared either. They are made by
// the page instead.
type refusal struct {
	reason string
	pages  sync.Pool // of *page that have statuses left
}

// page is statuses and their reasons that were allocated together. Of what is handed out the last
// one that is kept keeps the page, 4 kB. BenchmarkStatus compares that with making them
// one by one.
type page struct {
	next     int
	statuses [51]fwk.Status // the page fits into 4 kB
	reasons  [51]string     // of each
}

func (r *refusal) init(reason string) {
	r.reason = reason
	r.pages.New = func() any { return new(page) }
}

// status returns a status that nobody else has.
func (r *refusal) status() *fwk.Status {
	p := r.pages.Get().(*page)
	p.reasons[p.next] = r.reason
	s := &p.statuses[p.next]
	*s = *fwk.NewStatus(fwk.UnschedulableAndUnresolvable, p.reasons[p.next:p.next+1:p.next+1]...)
	if p.next++; p.next < len(p.statuses) {
		r.pages.Put(p)
	}
	return s
}
