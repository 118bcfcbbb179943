package informer

import (
	"errors"
	"fmt"
	"sync"

	v1 "k8s.io/api/core/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Nodes is the fleet index of the nodes that a shared informer knows.
//
// Nodes come from [Watch] and [WatchFunc]; the zero Nodes is not ready. A Nodes
// must not be copied. All of its methods may be called concurrently. It retains the
// names of the nodes, the strings of their taints, and the informer.
type Nodes struct {
	informer     cache.SharedInformer
	registration cache.ResourceEventHandlerRegistration
	taints       TaintsFunc

	mu       sync.Mutex
	index    *index.Index
	snapshot *index.Snapshot // nil if the index has changed since
	changed  chan struct{}   // nil if nobody waits
	buffer   []taint.Taint
}

// TaintsFunc appends the taints that a node is to have in the index to dst and
// returns the extended slice, as [AppendTaints] does. It is called for one node
// after the other, and must not write to the node or retain dst.
type TaintsFunc func(dst []taint.Taint, node *v1.Node) []taint.Taint

// Watch returns the index of the nodes of an informer, with their taints as
// [AppendTaints] gives them. The informer may have been started or not; it must be
// one of nodes, that have at least a name and a spec if it transforms them. Watch
// returns an error if the informer has been stopped.
//
// The work of an event is that of index.Set, about a microsecond, and is done in the
// goroutine that the informer has for each handler: no other is started.
func Watch(informer cache.SharedInformer) (*Nodes, error) {
	return WatchFunc(informer, AppendTaints)
}

// WatchFunc is [Watch] with taints of the caller's making: without those that an
// autoscaler expects a new node to lose, for example.
func WatchFunc(informer cache.SharedInformer, taints TaintsFunc) (*Nodes, error) {
	if informer == nil {
		return nil, errors.New("informer: the informer is nil")
	}
	n := &Nodes{informer: informer, taints: taints, index: index.New(toleration.Rules{Comparisons: true})}
	registration, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    n.set,
		UpdateFunc: func(_, object any) { n.set(object) },
		DeleteFunc: n.delete,
	})
	if err != nil {
		return nil, fmt.Errorf("informer: %w", err)
	}
	n.registration = registration
	return n, nil
}

// HasSynced reports whether all nodes that the informer has listed first are in the
// index. It is what cache.WaitForCacheSync takes.
func (n *Nodes) HasSynced() bool { return n.registration.HasSynced() }

// Snapshot returns the fleet as it is now. As long as nothing changes it is the
// same one. It waits for the end of an event that is being handled, about a
// microsecond.
func (n *Nodes) Snapshot() *index.Snapshot {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.snapshot == nil {
		n.snapshot = n.index.Snapshot()
	}
	return n.snapshot
}

// ID returns the ID of the node of that name, and whether it is in the index now. A
// snapshot that was taken before may not have it.
func (n *Nodes) ID(name string) (id index.NodeID, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.index.ID(name)
}

// Changed returns a channel that is closed with the next change of the index.
// Nothing is missed by whoever asks for the channel first and for the snapshot
// then:
//
//	for {
//		changed := nodes.Changed()
//		plan(nodes.Snapshot())
//		<-changed
//	}
func (n *Nodes) Changed() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.changed == nil {
		n.changed = make(chan struct{})
	}
	return n.changed
}

// Stop ends the following: events that come later do not change the index, which can
// still be asked. Events that the informer has handed over may be handled while Stop
// returns. The error is that of the informer.
func (n *Nodes) Stop() error {
	return n.informer.RemoveEventHandler(n.registration)
}

// set handles a node that was added, or may have been changed.
func (n *Nodes) set(object any) {
	node, ok := object.(*v1.Node)
	if !ok {
		utilruntime.HandleError(fmt.Errorf("informer: want %T, got %T", node, object))
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.buffer = n.taints(n.buffer[:0], node)
	old, known := n.index.ID(node.Name)
	if id := n.index.Set(node.Name, n.buffer); !known || id != old {
		n.change()
	}
	clear(n.buffer) // retain no strings
}

// delete handles a node that is gone. If the informer has missed when it went,
// there is a tombstone with its key, which is its name.
func (n *Nodes) delete(object any) {
	name, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object)
	if err != nil {
		utilruntime.HandleError(fmt.Errorf("informer: deleted: %w", err))
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.index.Delete(name) {
		n.change()
	}
}

// change notes that the index has changed.
func (n *Nodes) change() {
	n.snapshot = nil
	if n.changed != nil {
		close(n.changed)
		n.changed = nil
	}
}
