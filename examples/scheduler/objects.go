package main

import (
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// resources is an amount of what nodes have and pods request.
type resources struct {
	cpu    int64 // in millicores
	memory int64 // in MiB
}

func (r resources) plus(q resources) resources {
	return resources{r.cpu + q.cpu, r.memory + q.memory}
}

func (r resources) minus(q resources) resources {
	return resources{r.cpu - q.cpu, r.memory - q.memory}
}

// covers reports whether q is there to be had.
func (r resources) covers(q resources) bool { return q.cpu <= r.cpu && q.memory <= r.memory }

// nodeSpec is a node as the API server has it.
type nodeSpec struct {
	name     string
	taints   []taint.Taint
	cordoned bool
	capacity resources
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
	request     resources
}

// node is a node in the cache.
type node struct {
	name     string
	number   int // in the order in which nodes came
	taints   []taint.Taint
	capacity resources
	used     resources
	pods     map[*pod]struct{}

	// What the index calls it, asked once each time the taints change.
	id    index.NodeID
	class index.Class
}

func (n *node) free() resources { return n.capacity.minus(n.used) }

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
