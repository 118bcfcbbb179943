package manifest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/toleration"
)

// ErrEmpty means that a source holds no document at all.
var ErrEmpty = errors.New("empty: no document in it")

// errNotObject starts the message about a document that is no object.
var errNotObject = errors.New("not a Kubernetes object")

// maxNesting is how deep lists may nest. Real ones do not nest, or once, where
// somebody has merged two.
const maxNesting = 16

// Loader reads nodes and pods from one source after the other.
//
// The zero Loader is ready. It must not be copied after first use, or used by
// two goroutines at a time. It retains nothing of its sources.
type Loader struct {
	// Rules are those of the cluster. The zero Rules is a default cluster:
	// tolerations with Gt and Lt are faults, as the API server refuses them, and
	// do not count in [Pod.Tolerations]. Set it before the first Read.
	Rules toleration.Rules

	// Bare accepts a list of tolerations, such as the value of a pod's
	// spec.tolerations, in place of a list of objects. It becomes a pod without
	// kind and name.
	Bare bool

	// Labels are the labels of nodes that [Node.Labels] is to have, such as the one that
	// names the node pool. None are kept unless they are named. Set it before the first
	// Read.
	Labels []string

	// Placement makes the Loader also read all labels of nodes, into [Node.Labels], and
	// what pods require of them, into [Pod.Affinity] and [Pod.Template]. Set it before
	// the first Read.
	Placement bool

	// Controllers makes the Loader find [Pod.Workload], the workload at the end of each
	// pod's chain of owners. It also leaves the workloads of such chains out of
	// [Cluster.Pods] by their names: no UID tells where the input has pods and Deployments
	// and no ReplicaSets. Set it before the first Read.
	Controllers bool

	// State makes the Loader also read what decides beside taints whether pods run, and when
	// they were seen: [Pod.State], [Node.State], and the Claims, Devices, Volumes, Budgets, Pools,
	// Readiness and Latest of the Cluster. Set it before the first Read.
	State bool

	nodes     []Node
	nodeNames map[string]bool
	pods      []candidate
	owned     map[string]bool // UIDs that some object names as an owner
	faults    []Fault
	others    map[string]int
	sharer    sharer
	around    Cluster     // Claims, Volumes, Budgets, Pools, Readiness, and Latest without taints
	added     []time.Time // of taints
	beats     bool        // whether there are heartbeats
}

// candidate is a pod that does not count if it turns out to own others.
type candidate struct {
	Pod
	uid  string // of a workload; empty for pods, which own nothing
	hash string // of the template of a pod, if controllers are wanted
	owns bool   // an object of the input, as far as names tell; false unless controllers are wanted
}

// Read reads r to its end: JSON values one after the other, or YAML documents, plain or
// compressed with gzip. Errors and faults call the source name, which may be empty.
//
// An error names the source, the document and the line where reading stopped. The
// Loader keeps the objects before that place. A source without a
// document is [ErrEmpty]. Time and memory are as in the package documentation.
func (l *Loader) Read(name string, r io.Reader) error {
	in := bufio.NewReaderSize(r, 64<<10)
	in, err := unzip(in)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
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

// Cluster returns what was read so far; that of a new Loader is empty. It shares
// memory with the Loader, which should not be used any more.
func (l *Loader) Cluster() *Cluster {
	c := l.around
	c.Latest = l.latest()
	c.Nodes, c.Faults, c.Others = l.nodes, l.faults, maps.Clone(l.others)
	l.findWorkloads()
	l.findVolumes()
	l.findTemplates()
	pods := make([]Pod, 0, len(l.pods)) // nearly all count
	for i := range l.pods {
		switch p := &l.pods[i]; {
		case p.Count == 0 || l.owned[p.uid] || p.owns:
			c.Absent++
		case p.Finished(), p.Terminating && p.NodeName == "":
			c.Finished++
		default:
			pods = append(pods, p.Pod)
		}
	}
	if len(pods) > 0 {
		c.Pods = slices.Clip(pods)
	}
	return &c
}

// Workloads returns all pods and workloads that were read, in their order. It
// includes those that [Cluster.Pods] leaves out: finished pods, workloads without
// replicas, and workloads that own other objects of the input. The result is new;
// its pods share memory with the Loader.
func (l *Loader) Workloads() []Pod {
	all := make([]Pod, len(l.pods))
	for i := range l.pods {
		all[i] = l.pods[i].Pod
	}
	return all
}

// document reads the value that begins with token: an object, or a list of
// objects. Null is an empty document and does not count.
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
		found := describe(token)
		if text, ok := token.(string); ok { // such as "No resources found", or a table of kubectl
			found = fmt.Sprintf("the text %.40q", text)
		}
		err = fmt.Errorf("%w: want an object, found %s", errNotObject, found)
	}
	if err == nil {
		place.Document++
	}
	return err
}
