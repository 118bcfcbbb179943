package informer

import (
	"errors"
	"fmt"
	"sync"

	v1 "k8s.io/api/core/v1"
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
// returns the extended slice, as [kube.AppendNodeTaints] does. It is called for one
// node at a time, and must not write to the node or retain dst.
type TaintsFunc func(dst []taint.Taint, node *v1.Node) []taint.Taint

// Watch returns the index of the nodes of an informer, with their taints as
// [kube.AppendNodeTaints] gives them: the taint of a cordon comes first. The index
// gives the answers of a cluster with these rules. The zero rules are those of a
// default cluster, where tolerations with Gt and Lt match nothing (rule N4).
//
// The informer must be one of nodes and may have been started. If it transforms them,
// it must leave their names, their UIDs and their specs. Watch returns an error if the
// informer is nil or has been stopped.
//
// An event costs as much as index.Set, about a microsecond. It is handled in the
// goroutine that the informer has for each handler: no other is started.
func Watch(informer cache.SharedInformer, rules toleration.Rules) (*Nodes, error) {
	return WatchFunc(informer, rules, kube.AppendNodeTaints)
}

// WatchFunc is [Watch] with taints of the caller's making: without those that an
// autoscaler expects a new node to lose, for example. It returns an error if the
// function is nil.
func WatchFunc(informer cache.SharedInformer, rules toleration.Rules, taints TaintsFunc) (*Nodes, error) {
	if informer == nil {
		return nil, errors.New("informer: the informer is nil")
	}
	if taints == nil {
		return nil, errors.New("informer: the function for taints is nil")
	}
	n := &Nodes{informer: informer, taints: taints, index: index.New(rules)}
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
// same one. It waits for the end of an event that is being handled, about a
// microsecond.
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

// Changed returns a channel that is closed with the next change of the index.
// To miss nothing, ask for the channel before the snapshot:
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

// Stop stops following the informer: later events do not change the index, and the
// last snapshot still answers. Events that the informer has handed over already may be
// handled while Stop returns. The error is that of the informer.
func (n *Nodes) Stop() error {
	return n.informer.RemoveEventHandler(n.registration)
}

// add handles a node that is new to the informer.
func (n *Nodes) add(object any) { n.set(object, false) }

// update handles a node that may have changed. If its UID has, the old node is gone
// and this one was made under its name; the informer has missed the moment between.
func (n *Nodes) update(before, object any) {
	old, ok := before.(*v1.Node)
	node, also := object.(*v1.Node)
	n.set(object, ok && also && old.UID != node.UID)
}

// set gives the node its taints. If it is made anew, it also gets a new ID, as it
// would have after a delete event.
func (n *Nodes) set(object any, anew bool) {
	node, ok := object.(*v1.Node)
	if !ok {
		utilruntime.HandleError(fmt.Errorf("informer: want %T, got %T", node, object))
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.buffer = n.taints(n.buffer[:0], node)
	if anew {
		n.index.Delete(node.Name)
	}
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
