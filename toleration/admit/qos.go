package admit

import (
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/taint"
)

// QOSClass is the quality of service class of a pod. It is a string with the
// names of the Kubernetes API; the zero QOSClass is no class.
type QOSClass string

// The classes.
const (
	// BestEffort is a pod that asks for neither CPU nor memory.
	BestEffort QOSClass = "BestEffort"
	// Burstable is a pod that is neither of the others.
	Burstable QOSClass = "Burstable"
	// Guaranteed is a pod all of whose containers ask for CPU and memory and
	// may use as much as they ask for.
	Guaranteed QOSClass = "Guaranteed"
)

// QOS returns the class of a pod that asks for these resources (rule A3). If CPU,
// memory or huge pages are given for the pod as a whole they decide alone, and
// else all containers and init containers do. A class that stands in the status
// of a pod goes before this one.
//
// The error is a [*taint.FieldErrors] with the CPU and memory quantities that
// Kubernetes would not read, in the order of the containers.
func (p *PodResources) QOS() (QOSClass, error) {
	var c classifier
	if p.Pod != nil && p.Pod.decisive() {
		c.add("resources", p.Pod)
		return c.result()
	}
	for i := range p.InitContainers {
		c.add(fmt.Sprintf("initContainers[%d].resources", i), &p.InitContainers[i])
	}
	for i := range p.Containers {
		c.add(fmt.Sprintf("containers[%d].resources", i), &p.Containers[i])
	}
	return c.result()
}

// decisive reports whether r has a resource that can be given for a pod as a
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

// classifier is given one pair of a request and a limit after the other. A pod
// is BestEffort if all are zero, Guaranteed if all are equal and none is zero,
// and else Burstable.
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

// read returns a text that is the same for the same amount. A quantity that is
// not there is zero.
func (c *classifier) read(field string, list map[string]Quantity, name string) string {
	q, ok := list[name]
	if !ok {
		return "0"
	}
	nanos, err := q.nanos()
	if err != nil {
		c.errs.Add(field+"["+name+"]", taint.Invalid, string(q), err.Error())
		return "0"
	}
	return nanos.String()
}

func (c *classifier) result() (QOSClass, error) {
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
