package informer

import (
	"errors"
	"fmt"
	"sync"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Nodes is the fleet index of the nodes that a shared informer knows.
//
// Nodes come from [Watch] and [WatchFunc]; the zero Nodes is not ready. A Nodes
// must not be copied. All of its methods may be called concurrently. It retains the
// names and the UIDs of the nodes, the strings of their taints, and the informer.
type Nodes struct {
	informer     cache.SharedInformer
	registration cache.ResourceEventHandlerRegistration
	taints       TaintsFunc

	handling sync.Mutex    // held while an event is handled
	buffer   []taint.Taint // empty between events

	mu       sync.Mutex // taken with handling for changes of the index, and alone to read
	index    *index.Index
	uids     map[string]types.UID // of the nodes in the index
	snapshot *index.Snapshot      // nil if the index has changed since
	changed  chan struct{}        // nil if nobody waits
	stopped  bool                 // changed is closed for ever
}

// TaintsFunc appends the taints that a node is to have in the index to dst and
// returns the extended slice, as [kube.AppendNodeTaints] does. It may also return a slice
// of its own, which is read and not retained. It is called for one node at a time, and must
// not write to the node or retain dst. It may ask the Nodes for a snapshot, which is the
// one before the event.
type TaintsFunc func(dst []taint.Taint, node *v1.Node) []taint.Taint

// Watch returns the index of the nodes of an informer, with their taints as
// [kube.AppendNodeTaints] gives them: the taint of a cordon comes first. The index
// gives the answers of a default cluster, where tolerations with Gt and Lt match nothing
// (rule N4), or of one with the given rules.
//
// The informer must be one of nodes and may have been started. If it transforms them,
// it must leave their names, their UIDs and their specs. Watch returns an error if the
// informer is nil or has been stopped; a nil pointer as the informer panics, as in client-go.
//
// An event costs as much as index.Set, about a microsecond. The first one after a snapshot
// costs more, because it copies what the two share: of 15,000 nodes, 8 µs for both. It is
// handled in the goroutine that the informer has for each handler: no other is started.
func Watch(informer cache.SharedInformer, rules ...toleration.Rules) (*Nodes, error) {
	return WatchFunc(informer, kube.AppendNodeTaints, rules...)
}

// WatchFunc is [Watch] with taints of the caller's making: without those that an
// autoscaler expects a new node to lose, for example. It returns an error if the
// function is nil.
func WatchFunc(informer cache.SharedInformer, taints TaintsFunc, rules ...toleration.Rules) (*Nodes, error) {
	if informer == nil {
		return nil, errors.New("informer: the informer is nil")
	}
	if taints == nil {
		return nil, errors.New("informer: the function for taints is nil")
	}
	n := &Nodes{informer: informer, taints: taints, index: index.New(rules...), uids: make(map[string]types.UID)}
	registration, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    n.add,
		UpdateFunc: n.update,
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
// same one. It waits while an event changes the index, which takes microseconds, and
// never for a [TaintsFunc].
//
// Ask the snapshot itself for the ID of a name, by [index.Snapshot.ID], so that the
// names, the IDs and the answers are those of one moment.
func (n *Nodes) Snapshot() *index.Snapshot {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.snapshot == nil {
		n.snapshot = n.index.Snapshot()
	}
	return n.snapshot
}

// Changed returns a channel that is closed with the next change of the index, and by
// [Nodes.Stop]. To miss nothing, ask for the channel before the snapshot:
//
//	for !nodes.IsStopped() {
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

// Stop stops following the informer: later events do not change the index, and the
// last snapshot still answers. Events that the informer has handed over already may be
// handled while Stop returns. Whoever waits for the channel of [Nodes.Changed] goes on; an
// informer that stops does not tell its handlers, so call Stop then too. The error is that
// of the informer.
func (n *Nodes) Stop() error {
	err := n.informer.RemoveEventHandler(n.registration)
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.stopped {
		if n.changed == nil {
			n.changed = make(chan struct{})
		}
		close(n.changed)
		n.stopped = true
	}
	return err
}

// IsStopped reports whether Stop was called. Changed then returns a closed channel.
func (n *Nodes) IsStopped() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.stopped
}

// add handles a node that is new to the informer.
func (n *Nodes) add(object any) {
	node, ok := object.(*v1.Node)
	if !ok || node == nil {
		utilruntime.HandleError(fmt.Errorf("informer: want a node, got %T", object))
		return
	}
	n.set(node)
}

// update handles a node that may have changed. If its UID has, the old node is gone
// and this one was made under its name; the informer has missed the moment between.
func (n *Nodes) update(_, object any) { n.add(object) }

// set gives the node its taints. If it was made anew, with another UID, it also gets a
// new ID, as it would have after a delete event.
func (n *Nodes) set(node *v1.Node) {
	n.handling.Lock()
	defer n.handling.Unlock()
	taints := n.taints(n.buffer[:0], node) // without n.mu: it may ask for a snapshot
	n.mu.Lock()
	defer n.mu.Unlock()
	if uid, known := n.uids[node.Name]; known && uid != node.UID {
		n.index.Delete(node.Name)
	}
	n.uids[node.Name] = node.UID
	old, known := n.index.ID(node.Name)
	if id := n.index.Set(node.Name, taints); !known || id != old {
		n.change()
	}
	if len(taints) > cap(n.buffer) {
		n.buffer = make([]taint.Taint, 0, len(taints)) // never taints itself, which may be the caller's
	}
	clear(n.buffer[:cap(n.buffer)]) // retain no strings
}

// delete handles a node that is gone. If the informer has missed when it went,
// there is a tombstone with its key, which is its name.
func (n *Nodes) delete(object any) {
	if tombstone, ok := object.(*cache.DeletedFinalStateUnknown); ok && tombstone != nil {
		object = *tombstone
	}
	switch gone := object.(type) {
	case cache.DeletedFinalStateUnknown:
		n.remove(gone.Key, nil)
	case *v1.Node:
		if gone != nil {
			n.remove(gone.Name, &gone.UID)
			return
		}
		utilruntime.HandleError(errors.New("informer: deleted: the node is nil"))
	default:
		utilruntime.HandleError(fmt.Errorf("informer: deleted: want a node, got %T", object))
	}
}

// remove takes a node out of the index, unless there is another under its name by now:
// one that does not have the UID, if that is known.
func (n *Nodes) remove(name string, uid *types.UID) {
	n.handling.Lock()
	defer n.handling.Unlock()
	n.mu.Lock()
	defer n.mu.Unlock()
	if uid != nil && n.uids[name] != *uid {
		return
	}
	delete(n.uids, name)
	if n.index.Delete(name) {
		n.change()
	}
}

// change notes that the index has changed.
func (n *Nodes) change() {
	n.snapshot = nil
	if n.changed != nil && !n.stopped {
		close(n.changed)
		n.changed = nil
	}
}
