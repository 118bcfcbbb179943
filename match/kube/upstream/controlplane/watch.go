package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
)

// sighting is an object as it was from a revision on, or as it was last, if that is the
// revision in which it was deleted. Revisions are those of etcd: one sequence for all
// kinds of objects.
type sighting struct {
	revision int64
	at       time.Time
	object   runtime.Object
	deleted  bool
}

// recorder keeps everything that happens to the objects of some kinds.
type recorder struct {
	mu   sync.Mutex
	seen []sighting
	err  error
	done sync.WaitGroup
}

// watchAll starts to watch what the controllers look at, in a cluster without such objects.
// It ends with ctx.
func watchAll(ctx context.Context, client kubernetes.Interface) (*recorder, error) {
	r := &recorder{}
	core, resources := client.CoreV1(), client.ResourceV1()
	for _, kind := range []func(context.Context, metav1.ListOptions) (watch.Interface, error){
		core.Nodes().Watch, core.Pods(metav1.NamespaceDefault).Watch, resources.ResourceSlices().Watch,
		resources.ResourceClaims(metav1.NamespaceDefault).Watch, resources.DeviceTaintRules().Watch,
	} {
		w, err := kind(ctx, metav1.ListOptions{})
		if err != nil {
			return nil, err
		}
		r.done.Go(func() {
			defer w.Stop()
			for event := range w.ResultChan() {
				r.note(event)
			}
			if ctx.Err() == nil {
				r.fail(fmt.Errorf("a watch has ended"))
			}
		})
	}
	return r, nil
}

func (r *recorder) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = cmp.Or(r.err, err)
}

func (r *recorder) note(event watch.Event) {
	at := time.Now()
	object, err := meta.Accessor(event.Object)
	if err != nil || event.Type == watch.Error {
		r.fail(fmt.Errorf("watch: %v", event.Object))
		return
	}
	revision, err := strconv.ParseInt(object.GetResourceVersion(), 10, 64)
	if err != nil {
		r.fail(err)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, sighting{revision, at, event.Object, event.Type == watch.Deleted})
}

// sightings returns what was seen so far, in the order of the revisions, with times that
// do not go backwards.
func (r *recorder) sightings() ([]sighting, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := slices.Clone(r.seen)
	slices.SortStableFunc(seen, func(a, b sighting) int { return cmp.Compare(a.revision, b.revision) })
	for i := 1; i < len(seen); i++ {
		if seen[i].at.Before(seen[i-1].at) {
			seen[i].at = seen[i-1].at
		}
	}
	return seen, r.err
}

// condition returns the status and reason of a node's condition as it was seen last.
func (r *recorder) condition(node string, kind v1.NodeConditionType) (c v1.NodeCondition) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.seen {
		if n, ok := s.object.(*v1.Node); ok && n.Name == node {
			c = conditionOf(n, kind)
		}
	}
	return c
}

func conditionOf(n *v1.Node, kind v1.NodeConditionType) v1.NodeCondition {
	for _, c := range n.Status.Conditions {
		if c.Type == kind {
			return c
		}
	}
	return v1.NodeCondition{}
}
