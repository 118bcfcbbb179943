package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/taint"
)

// workload says where an object of some kind has the spec of its pods, and how
// many there are.
type workload struct {
	groups []string // the API groups in which the kind has pods
	path   string   // of the pods' spec
	spec   func(o *object) *podSpec
	count  func(o *object) *int64 // nil: it counts as one pod
}

var core = []string{""}

// workloads holds the kinds that have pods. Other API groups may use the same
// names: there are Jobs outside the group batch, and they look different.
var workloads = map[string]workload{
	"Pod":                   {core, "spec", ownSpec, nil},
	"PodTemplate":           {core, "template.spec", func(o *object) *podSpec { return &o.template }, nil},
	"ReplicationController": {core, "spec.template.spec", templateSpec, replicas},
	"Deployment":            {[]string{"apps", "extensions"}, "spec.template.spec", templateSpec, replicas},
	"ReplicaSet":            {[]string{"apps", "extensions"}, "spec.template.spec", templateSpec, replicas},
	"StatefulSet":           {[]string{"apps"}, "spec.template.spec", templateSpec, replicas},
	"DaemonSet":             {[]string{"apps", "extensions"}, "spec.template.spec", templateSpec, nil},
	"Job":                   {[]string{"batch"}, "spec.template.spec", templateSpec, parallelism},
	"CronJob": {
		[]string{"batch"},
		"spec.jobTemplate.spec.template.spec",
		func(o *object) *podSpec { return &o.job().template },
		func(o *object) *int64 { return o.job().parallelism },
	},
}

func ownSpec(o *object) *podSpec      { return &o.spec.podSpec }
func templateSpec(o *object) *podSpec { return &o.spec.template }
func replicas(o *object) *int64       { return o.spec.replicas }
func parallelism(o *object) *int64    { return o.spec.parallelism }

// job returns the spec of the jobs of a CronJob.
func (o *object) job() *spec {
	if o.spec.job == nil {
		return &spec{}
	}
	return o.spec.job
}

// in reports whether the object is of one of the API groups. Manifests made by
// hand for a test may leave the group out.
func (o *object) in(groups []string) bool {
	group, _, found := strings.Cut(o.apiVersion, "/")
	if !found {
		group = ""
	}
	return o.apiVersion == "" || slices.Contains(groups, group)
}

// keep adds an object that has been read to what the Loader has.
func (l *Loader) keep(o *object) error {
	if o.list {
		if _, pods := workloads[o.Kind]; pods || o.Kind == "Node" {
			o.fault("items", "forbidden", "", "a "+o.Kind+" has no items; they are read as those of a list")
			l.keepKind(o)
			return l.adopt(o)
		}
		if o.Kind == "" {
			o.fault("kind", "required value", "", "a list tells the kind of its items; the text may be cut off")
		}
		l.report(o)
		return l.adopt(o)
	}
	if o.Kind == "" {
		return fmt.Errorf("%w: it has no kind", errNotObject)
	}
	l.keepKind(o)
	return nil
}

// keepKind adds an object that is no list and has a kind.
func (l *Loader) keepKind(o *object) {
	if l.owned == nil {
		l.nodeNames, l.owned, l.others = make(map[string]bool), make(map[string]bool), make(map[string]int)
	}
	for i := range o.owners {
		uid := o.owners[i].uid
		l.owned[uid] = uid != ""
	}
	if o.Kind == "Node" && o.in(core) {
		l.keepNode(o)
	} else if kind, found := workloads[o.Kind]; found && o.in(kind.groups) {
		l.keepPod(o, kind)
	} else if !l.State || !l.keepAround(o) && !l.keepPool(o) {
		l.keepOther(o)
	}
}

// keepOther counts an object of another kind. Its fields may have any names and types,
// so that only keys that occur twice are faults. A List has known fields.
func (l *Loader) keepOther(o *object) {
	if o.Kind != "List" {
		l.others[o.Kind]++
		o.faults = slices.DeleteFunc(o.faults, func(f *taint.FieldError) bool { return f.Problem != "duplicate value" })
	}
	l.report(o)
}

func (l *Loader) keepNode(o *object) {
	taints := &o.spec.taints
	o.faults = taints.check(o.faults, taint.Validate(taints.all), "spec.taints")
	if o.Name != "" && l.nodeNames[o.Name] {
		o.fault("metadata.name", "duplicate value", o.Name, "another node of the input has this name; both count")
	}
	l.nodeNames[o.Name] = true
	o.noTolerations("a Node has no tolerations; they are ignored")
	l.nodes = append(l.nodes, Node{
		Object: o.Object, SpecTaints: taints.decoded(), Unschedulable: o.spec.unschedulable, Labels: l.wantedLabels(o),
		State: l.nodeState(o), broken: taints.broken,
	})
	l.report(o)
}

func (l *Loader) keepPod(o *object, kind workload) {
	pods := kind.spec(o)
	tolerations := &pods.tolerations
	o.faults = tolerations.check(o.faults, l.Rules.Validate(tolerations.all), tolerationsPath(o.Kind))
	if kind.path != "spec" {
		o.noTolerations("a " + o.Kind + " has its tolerations in " + kind.path + "; these are ignored")
	}
	c := candidate{Pod: Pod{
		Object: o.Object, SpecTolerations: tolerations.decoded(), NodeName: pods.nodeName, Owner: o.owner(), Count: o.count(kind),
		HostNetwork: pods.hostNetwork,
		Terminating: o.deleted != nil, Affinity: pods.attraction, State: l.podState(o, pods), rules: l.Rules, broken: tolerations.broken,
	}}
	if o.Kind == "Pod" {
		c.Phase = o.phase
		c.hash = l.sharer.word(o.labels[templateHash])
	} else {
		c.uid = o.uid
	}
	l.sharer.pod(&c.Pod)
	l.pods = append(l.pods, c)
	l.report(o)
}

// tolerationsPath returns the path of the tolerations in an object of a kind.
func tolerationsPath(kind string) string {
	return strings.TrimPrefix(workloads[kind].path+".tolerations", ".")
}

// count returns how many pods the object stands for.
func (o *object) count(kind workload) int64 {
	if kind.count == nil {
		return 1
	}
	if n := kind.count(o); n != nil {
		return *n
	}
	return 1
}

// noTolerations notes tolerations in the spec of an object that has none there.
func (o *object) noTolerations(detail string) {
	if o.spec.present {
		o.fault("spec.tolerations", "forbidden", "", detail)
	}
}

func (o *object) fault(field, problem, value, detail string) {
	o.faults = append(o.faults, &taint.FieldError{Field: field, Problem: problem, Value: value, Detail: detail})
}

// report hands the faults of an object over to the Loader.
func (l *Loader) report(o *object) {
	for _, fault := range o.faults {
		l.faults = append(l.faults, Fault{o.Object, fault})
	}
}
