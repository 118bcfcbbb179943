package manifest

import (
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/word"
	"github.com/tolero-dev/tolero/toleration"
)

// spec is the union of the specs of nodes, pods and workloads: when it is read,
// the kind of the object may not be known yet.
type spec struct {
	podSpec
	taints        entries[taint.Taint]
	unschedulable bool
	replicas      *int64
	parallelism   *int64
	template      podSpec
	job           *spec // spec.jobTemplate.spec
	around
	pool pool
}

// podSpec is the spec of a pod.
type podSpec struct {
	tolerations entries[toleration.Toleration]
	present     bool // whether there are tolerations, even if the list is empty
	nodeName    string
	hostNetwork bool
	attraction  affinity.Required
	podState
}

// spec reads the spec of an object, or that of a job within a CronJob.
func (w *walker) spec(s *spec, withinJob bool) error {
	return w.object(func(name string) (err error) {
		switch name {
		case "taints":
			s.taints, err = w.taints()
		case "unschedulable":
			err = w.flag(&s.unschedulable)
		case "nodeSelector":
			err = w.anySelector(s)
		case "replicas":
			s.replicas, err = w.count()
		case "parallelism":
			s.parallelism, err = w.count()
		case "template":
			err = w.template(&s.template, &s.pool)
		case "jobTemplate":
			if withinJob { // only malice nests them, and recursion has to end
				return w.skip()
			}
			if s.job == nil {
				s.job = &spec{}
			}
			err = w.object(w.only("spec", func() error { return w.spec(s.job, true) }))
		default:
			known := false
			if known, err = w.aroundField(&s.around, name); known {
				return err
			}
			if known, err = w.poolField(&s.pool, name); known {
				return err
			}
			err = w.podField(&s.podSpec, name)
		}
		return err
	})
}

// count reads a number of pods and returns nil if there is none.
func (w *walker) count() (*int64, error) {
	n, err := w.integer(32)
	if n != nil && *n < 0 {
		w.refuse(fmt.Sprint(*n), "want a number of pods; it counts as 0")
		*n = 0
	}
	return n, err
}

// template reads a template of pods or, unless of is nil, of nodes.
func (w *walker) template(p *podSpec, of *pool) error {
	return w.object(func(name string) error {
		switch {
		case name == "metadata" && of != nil && w.state:
			return w.object(w.only("labels", func() error { return w.wordMap(&of.labels) }))
		case name == "spec":
			return w.object(func(name string) error {
				if known, err := w.machineField(of, name); known {
					return err
				}
				return w.podField(p, name)
			})
		}
		return w.other(name, "spec")
	})
}

// podField reads the field of a pod's spec with the given name.
func (w *walker) podField(p *podSpec, name string) (err error) {
	switch name {
	case "tolerations":
		p.present = true
		p.tolerations, err = w.tolerations()
	case "nodeName":
		err = w.text(&p.nodeName)
	case "hostNetwork":
		err = w.flag(&p.hostNetwork)
	case "nodeSelector":
		err = w.nodeSelector(&p.attraction)
	case "affinity":
		err = w.affinity(p)
	default:
		known := false
		if known, err = w.podStateField(&p.podState, name); !known {
			err = w.other(name, specFields...)
		}
	}
	return err
}

// specFields are the fields that are read of the spec of some kind.
var specFields = []string{
	"taints", "unschedulable", "replicas", "parallelism", "template", "jobTemplate",
	"tolerations", "nodeName", "hostNetwork", "nodeSelector", "affinity",
}

// stateFields are those that are read with [Loader.State].
var stateFields = append([]string{
	"containers", "initContainers", "resources", "overhead", "schedulerName", "schedulingGates", "volumes", "resourceClaims",
	"topologySpreadConstraints", "volumeName", "nodeAffinity", "selector", "unhealthyPodEvictionPolicy",
}, specFields...)

// other skips a field that is not read, and notes one that would be read if its name
// were in the right case.
func (w *walker) other(name string, read ...string) error {
	for _, field := range read {
		if name != field && strings.EqualFold(name, field) {
			w.fault("forbidden", "", "there is no such field; it is ignored"+word.Meant(name, field))
		}
	}
	return w.skip()
}

// only returns a function for [walker.object] that reads one field and skips
// the others.
func (w *walker) only(wanted string, read func() error) func(string) error {
	return func(name string) error {
		if name == wanted {
			return read()
		}
		return w.other(name, wanted)
	}
}
