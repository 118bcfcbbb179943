package main

import (
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// nodeSpec is a node as the API server has it.
type nodeSpec struct {
	name     string
	taints   []taint.Taint
	cordoned bool
	capacity int64 // of CPU, in millicores
}

// allTaints returns the taints with the one that a cordon stands for (rule F7), in
// a list of their own: an informer's objects are not ours.
func (s *nodeSpec) allTaints() []taint.Taint {
	return taint.WithCordon(nil, s.taints, s.cordoned)
}

// podSpec is a pod as the API server has it.
type podSpec struct {
	name        string
	tolerations []toleration.Toleration
	request     int64 // of CPU, in millicores
}

// node is a node in the cache.
type node struct {
	name     string
	number   int // in the order in which nodes came
	taints   []taint.Taint
	capacity int64
	used     int64
	pods     map[*pod]struct{}

	// What the index calls it, asked once each time the taints change.
	id    index.NodeID
	class index.Class
}

func (n *node) free() int64 { return n.capacity - n.used }

// pod is a pod in the cache or the queue.
type pod struct {
	podSpec
	class  index.PodClass
	number int   // its turn in the queue: a pod that lost its node gets a new one
	node   *node // nil while it is pending
	woken  bool  // it waited, and is active because of a change

	leaving bool      // it has to leave its node
	due     time.Time // since when
}
