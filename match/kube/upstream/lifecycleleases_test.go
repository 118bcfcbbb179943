package upstream

import (
	"errors"
	"strconv"
	"sync"
	"time"

	coordination "k8s.io/api/coordination/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// leases is what can happen to leases besides that they are renewed (rule C6).
type leases interface {
	hold(on bool)              // keeps the informer behind, or lets it catch up
	fail(node string, on bool) // makes the look-ups of a node's lease fail
	drop(node string)          // deletes a node's lease
}

func (e event) holds() event    { e.leases = func(l leases) { l.hold(true) }; return e }
func (e event) releases() event { e.leases = func(l leases) { l.hold(false) }; return e }
func (e event) drops() event    { e.leases = func(l leases) { l.drop(e.node) }; return e }
func (e event) fails(on bool) event {
	e.leases = func(l leases) { l.fail(e.node, on) }
	return e
}

// heldLeases is the leases of upstream's controller: a watch that can be held
// back, and look-ups that can fail.
type heldLeases struct {
	client *fake.Clientset

	lock    sync.Mutex
	holding bool
	held    []watch.Event
	out     chan watch.Event
	failing map[string]bool
}

var leasesResource = coordination.SchemeGroupVersion.WithResource("leases")

func holdLeases(client *fake.Clientset) *heldLeases {
	l := &heldLeases{client: client, failing: map[string]bool{}}
	client.PrependReactor("get", "leases", func(action clienttesting.Action) (bool, runtime.Object, error) {
		l.lock.Lock()
		defer l.lock.Unlock()
		return l.failing[action.(clienttesting.GetAction).GetName()], nil, errors.New("no answer")
	})
	client.PrependWatchReactor("leases", l.watch)
	return l
}

// heldWatch is a watch with its events delivered elsewhere.
type heldWatch struct {
	watch.Interface
	out chan watch.Event
}

func (w heldWatch) ResultChan() <-chan watch.Event { return w.out }

func (l *heldLeases) watch(action clienttesting.Action) (bool, watch.Interface, error) {
	inner, err := l.client.Tracker().Watch(leasesResource, action.GetNamespace())
	if err != nil {
		return true, nil, err
	}
	l.out = make(chan watch.Event, 1000)
	go func() {
		for e := range inner.ResultChan() {
			l.lock.Lock()
			if l.holding {
				l.held = append(l.held, e)
			} else {
				l.out <- e
			}
			l.lock.Unlock()
		}
		close(l.out)
	}()
	return true, heldWatch{inner, l.out}, nil
}

func (l *heldLeases) hold(on bool) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.holding = on
	if !on {
		for _, e := range l.held {
			l.out <- e
		}
		l.held = nil
	}
}

func (l *heldLeases) fail(node string, on bool) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.failing[node] = on
}

func (l *heldLeases) drop(node string) {
	_ = l.client.Tracker().Delete(leasesResource, v1.NamespaceNodeLease, node)
}

// toldLeases is the same for the controller of this module.
type toldLeases struct {
	c       *lifecycle.Controller
	now     time.Time
	live    map[string]string // the versions
	failing map[string]bool
	version int
	holding bool
	held    []func()
}

func (l *toldLeases) verify(checks []lifecycle.Check) {
	for i := range checks {
		check := &checks[i]
		check.Answered, check.Version = !l.failing[check.Node], l.live[check.Node]
	}
}

func (l *toldLeases) tell(event func()) {
	if l.holding {
		l.held = append(l.held, event)
	} else {
		event()
	}
}

func (l *toldLeases) renew(node string, renewed time.Time) {
	l.version++
	version := strconv.Itoa(l.version + 1)
	l.live[node] = version
	l.tell(func() { l.c.SetLease(nil, l.now, node, renewed, version) })
}

func (l *toldLeases) hold(on bool) {
	l.holding = on
	if !on {
		for _, event := range l.held {
			event()
		}
		l.held = nil
	}
}

func (l *toldLeases) fail(node string, on bool) { l.failing[node] = on }

// drop deletes a lease. The fake API server gives a deletion no version of its
// own.
func (l *toldLeases) drop(node string) {
	if version, found := l.live[node]; found {
		delete(l.live, node)
		l.tell(func() { l.c.DeleteLease(nil, l.now, node, version) })
	}
}
