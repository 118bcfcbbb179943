package manifest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// ErrEmpty means that a source holds no document at all.
var ErrEmpty = errors.New("empty: no document in it")

// errNotObject starts the message about a document that is no object.
var errNotObject = errors.New("not a Kubernetes object")

// maxNesting is how deep lists may stand within lists. Real ones do not nest;
// two are merged into one now and then.
const maxNesting = 16

// Loader reads nodes and pods from one source after the other.
//
// The zero Loader is ready. It must not be copied after first use, or used by
// two goroutines at a time. It retains nothing of its sources.
type Loader struct {
	// GateOff reports tolerations with the operators Gt and Lt as faults, as
	// the API server does where the feature gate is off. They are kept.
	GateOff bool

	// Bare reads a list that is no list of objects but of tolerations, as it
	// stands in a pod's spec.tolerations. It becomes a pod without kind and
	// name.
	Bare bool

	nodes     []Node
	nodeNames map[string]bool
	pods      []candidate
	owned     map[string]bool // UIDs that some object names as its owner
	faults    []Fault
	others    map[string]int
}

// candidate is a pod that does not count if it turns out to own others.
type candidate struct {
	Pod
	uid string // of a workload; empty for pods, which own nothing
}

// Read reads r to its end: JSON values one after the other, or YAML documents.
// name stands for the source in errors and faults. An error says how far it
// got, and leaves the Loader with a part of the objects.
func (l *Loader) Read(name string, r io.Reader) error {
	in := bufio.NewReaderSize(r, 64<<10)
	found, err := sniff(in)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	place := Object{File: name}
	if found == formatJSON {
		err = l.readJSON(in, &place)
	} else {
		err = l.readYAML(in, &place, 1)
	}
	if err != nil {
		return err
	}
	if place.Document == 0 {
		return fmt.Errorf("%s: %w", name, ErrEmpty)
	}
	return nil
}

// Cluster returns what was read so far. It shares memory with the Loader, which
// should not be used any more.
func (l *Loader) Cluster() *Cluster {
	c := &Cluster{Nodes: l.nodes, Faults: l.faults, Others: maps.Clone(l.others)}
	for i := range l.pods {
		if p := &l.pods[i]; p.Count == 0 || l.owned[p.uid] {
			c.Absent++
		} else {
			c.Pods = append(c.Pods, p.Pod)
		}
	}
	c.Pods = slices.Clip(c.Pods)
	return c
}

// Workloads returns all pods and workloads that were read, in their order, also
// those that do not count for [Cluster.Pods]: workloads without replicas, and
// those that own other objects of the input.
func (l *Loader) Workloads() []Pod {
	all := make([]Pod, len(l.pods))
	for i := range l.pods {
		all[i] = l.pods[i].Pod
	}
	return all
}

// document reads the value that begins with token: an object, or a list of
// them. Null stands for an empty document and does not count.
func (l *Loader) document(dec *json.Decoder, token json.Token, place *Object) error {
	if token == nil {
		return nil
	}
	at := *place
	at.Document++
	var err error
	switch token {
	case json.Delim('{'):
		err = l.rootObject(dec, at)
	case json.Delim('['):
		err = l.rootList(dec, at)
	default:
		err = fmt.Errorf("%w: want an object, found %s", errNotObject, describe(token))
	}
	if err == nil {
		place.Document++
	}
	return err
}
