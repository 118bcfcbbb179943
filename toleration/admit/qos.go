package admit

import (
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/taint"
)

// QOSClass is the quality of service class of a pod: a string with the names of
// the Kubernetes API. The zero QOSClass is no class.
type QOSClass string

// The classes.
const (
	// BestEffort is a pod that requests neither CPU nor memory.
	BestEffort QOSClass = "BestEffort"
	// Burstable is a pod that is neither of the others.
	Burstable QOSClass = "Burstable"
	// Guaranteed is a pod in which every container requests CPU and memory, and
	// may use exactly what it requests.
	Guaranteed QOSClass = "Guaranteed"
)

// QOS returns the class of a pod with these resources (rule A3). CPU, memory or
// huge pages of the pod as a whole decide alone; without them, all containers and
// init containers decide. If the pod's status records a class, use that.
//
// The error is a *[taint.FieldErrors] with one fault for each CPU or memory
// quantity that is not one, such as containers[0].resources.limits[cpu]: those of
// the init containers first, in their order. The class is empty then.
func (p *PodResources) QOS() (QOSClass, error) {
	var c classifier
	if p.Pod != nil && p.Pod.decisive() {
		c.add("resources", p.Pod)
	} else {
		for i := range p.InitContainers {
			c.add(fmt.Sprintf("initContainers[%d].resources", i), &p.InitContainers[i])
		}
		for i := range p.Containers {
			c.add(fmt.Sprintf("containers[%d].resources", i), &p.Containers[i])
		}
	}
	if err := c.errs.Err(); err != nil {
		return "", err
	}
	switch {
	case c.uneven || c.zero && c.full:
		return Burstable, nil
	case c.full:
		return Guaranteed, nil
	}
	return BestEffort, nil
}

// decisive reports whether r has a resource that can be set for a pod as a
// whole.
func (r *Resources) decisive() bool {
	for _, list := range [...]map[string]Quantity{r.Requests, r.Limits} {
		for name := range list {
			if name == "cpu" || name == "memory" || strings.HasPrefix(name, "hugepages-") {
				return true
			}
		}
	}
	return false
}

// classifier compares pairs of a request and a limit. A pod is BestEffort if all
// are zero, Guaranteed if each pair is equal and none is zero, and Burstable
// otherwise.
type classifier struct {
	zero, full, uneven bool
	errs               taint.FieldErrors
}

func (c *classifier) add(field string, r *Resources) {
	for _, name := range [...]string{"cpu", "memory"} {
		request := c.read(field+".requests", r.Requests, name)
		limit := c.read(field+".limits", r.Limits, name)
		switch {
		case request != limit:
			c.uneven = true
		case request == "0":
			c.zero = true
		default:
			c.full = true
		}
	}
}

// read returns a text that is the same for equal amounts. A missing quantity is
// zero.
func (c *classifier) read(field string, list map[string]Quantity, name string) string {
	q, ok := list[name]
	if !ok {
		return "0"
	}
	nanos, err := q.nanos()
	if err != nil {
		c.errs.Add(field+"["+name+"]", "invalid value", string(q), err.Error())
		return "0"
	}
	return nanos.String()
}
