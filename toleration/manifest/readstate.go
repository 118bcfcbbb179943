package manifest

import (
	"slices"
	"time"

	"github.com/tolero-dev/tolero/match/affinity"
)

// podState is what is read of the spec of a pod for its [PodState].
type podState struct {
	containers, initContainers []container
	whole                      container // what the pod as a whole requests
	overhead                   amounts
	scheduler                  string
	gates                      []string
	claims                     []string
	ephemeral                  []string // names of volumes
	devices                    []deviceClaim
	constraints                []string
}

// status is what is read of the status of any object.
type status struct {
	conditions  []Condition
	allocatable amounts
	nominated   string
	nodeName    string // of a NodeClaim
	disruptions *int64
	made        []deviceClaim // for the pod
	allocated   bool          // a ResourceClaim
}

// deviceClaim is an entry of spec.resourceClaims or status.resourceClaimStatuses of a pod.
type deviceClaim struct{ name, claim string }

// around is what is read of the specs of claims, volumes and budgets.
type around struct {
	volumeName      string
	selector        *affinity.Required
	reachable       affinity.Required // spec.nodeAffinity of a volume
	unhealthyPolicy string
}

// constrain notes a field that can keep the pod off nodes.
func (p *podState) constrain(field string) {
	if !slices.Contains(p.constraints, field) {
		p.constraints = append(p.constraints, field)
	}
}

// moment reads a time that has been when the input was made.
func (w *walker) moment(dst *time.Time) error {
	t, err := w.time()
	if t != nil {
		*dst = t.Time
		w.loader.saw(t.Time)
	}
	return err
}

// saw notes a time of the input.
func (l *Loader) saw(t time.Time) {
	if t.After(l.around.Latest) {
		l.around.Latest = t
	}
}

// skew is how much later than all heartbeats a taint may have been added: a kubelet reports at
// least every five minutes.
const skew = 10 * time.Minute

// latest returns when the input was made. One taint of a wrong clock, in the future, must not
// make every eviction late, so that it does not count beside heartbeats.
func (l *Loader) latest() time.Time {
	latest := l.around.Latest
	for _, t := range l.added {
		if t.After(latest) && (!l.beats || t.Sub(l.around.Latest) <= skew) {
			latest = t
		}
	}
	return latest
}

// status reads the status of an object.
func (w *walker) status(o *object) error {
	return w.object(func(name string) (err error) {
		switch {
		case name == "phase":
			return w.text(&o.phase)
		case !w.state:
			return w.other(name, "phase")
		}
		switch name {
		case "conditions":
			return w.conditions(&o.state.conditions)
		case "allocatable":
			return w.amounts(&o.state.allocatable)
		case "nominatedNodeName":
			return w.text(&o.state.nominated)
		case "nodeName":
			return w.text(&o.state.nodeName)
		case "startTime":
			return w.moment(new(time.Time))
		case "resourceClaimStatuses":
			return w.deviceClaims(&o.state.made)
		case "allocation":
			o.state.allocated, err = w.open('{', "an object")
			if o.state.allocated {
				err = w.fields(func(string) error { return w.skip() })
			}
			return err
		case "disruptionsAllowed":
			o.state.disruptions, err = w.integer(32)
			return err
		}
		return w.other(name, "phase", "conditions", "allocatable", "nominatedNodeName", "nodeName", "startTime", "disruptionsAllowed", "resourceClaimStatuses", "allocation")
	})
}

func (w *walker) conditions(list *[]Condition) error {
	*list = nil
	return w.list(func(int) error {
		var c Condition
		var probed time.Time
		err := w.object(func(name string) error {
			switch name {
			case "type":
				return w.text(&c.Type)
			case "status":
				return w.text(&c.Status)
			case "reason":
				return w.text(&c.Reason)
			case "message":
				return w.text(&c.Message)
			case "lastTransitionTime":
				return w.moment(&c.Since)
			case "lastHeartbeatTime", "lastProbeTime":
				w.loader.beats = w.loader.beats || name == "lastHeartbeatTime"
				return w.moment(&probed)
			}
			return w.skip()
		})
		*list = append(*list, c)
		return err
	})
}

// podStateField reads the field of a pod's spec with the given name, if it is one for its
// State.
func (w *walker) podStateField(p *podState, name string) (known bool, err error) {
	if !w.state {
		return false, nil
	}
	switch name {
	case "containers":
		err = w.containerList(p, &p.containers)
	case "initContainers":
		err = w.containerList(p, &p.initContainers)
	case "resources":
		err = w.resources(&p.whole)
	case "overhead":
		err = w.amounts(&p.overhead)
	case "schedulerName":
		err = w.text(&p.scheduler)
	case "schedulingGates":
		p.gates = nil
		err = w.list(func(int) error {
			return w.object(w.only("name", func() error { return w.addText(&p.gates) }))
		})
	case "volumes":
		p.claims, p.ephemeral = nil, nil
		err = w.list(func(int) error { return w.volume(p) })
	case "resourceClaims":
		if err = w.deviceClaims(&p.devices); len(p.devices) > 0 {
			p.constrain(name)
		}
	case "topologySpreadConstraints":
		err = w.list(func(int) error {
			when := "DoNotSchedule"
			err := w.object(w.only("whenUnsatisfiable", func() error { return w.text(&when) }))
			if when == "DoNotSchedule" {
				p.constrain(name)
			}
			return err
		})
	default:
		return true, w.other(name, stateFields...)
	}
	return true, err
}

// addText reads a string and appends it to a list.
func (w *walker) addText(list *[]string) error {
	var text string
	err := w.text(&text)
	*list = append(*list, text)
	return err
}

// deviceClaims reads the claims of a pod for devices.
func (w *walker) deviceClaims(list *[]deviceClaim) error {
	*list = nil
	return w.list(func(int) error {
		var c deviceClaim
		err := w.object(func(name string) error {
			switch name {
			case "name":
				return w.text(&c.name)
			case "resourceClaimName":
				return w.text(&c.claim)
			}
			return w.skip()
		})
		*list = append(*list, c)
		return err
	})
}

// volume reads a volume of a pod.
func (w *walker) volume(p *podState) error {
	name, ephemeral := "", false
	err := w.object(func(field string) error {
		switch field {
		case "name":
			return w.text(&name)
		case "persistentVolumeClaim":
			return w.object(w.only("claimName", func() error { return w.addText(&p.claims) }))
		case "ephemeral":
			ephemeral = true
		}
		return w.skip()
	})
	if ephemeral {
		p.ephemeral = append(p.ephemeral, name)
	}
	return err
}

// aroundField reads the field of a spec with the given name, if it is one of a claim, volume
// or budget.
func (w *walker) aroundField(a *around, name string) (known bool, err error) {
	if !w.state {
		return false, nil
	}
	switch name {
	case "volumeName":
		err = w.text(&a.volumeName)
	case "nodeAffinity":
		err = w.object(w.only("required", func() error { return w.required(&a.reachable) }))
	case "selector":
		a.selector, err = w.labelSelector()
	case "unhealthyPodEvictionPolicy":
		err = w.text(&a.unhealthyPolicy)
	case "renewTime":
		w.loader.beats = true
		err = w.moment(new(time.Time))
	default:
		return false, nil
	}
	return true, err
}

// labelSelector reads a selector of labels, as one of nodes: it has the same requirements. It
// returns nil if there is none.
func (w *walker) labelSelector() (*affinity.Required, error) {
	found, err := w.open('{', "an object")
	if !found {
		return nil, err
	}
	s, term := new(affinity.Required), affinity.Term{}
	err = w.fields(func(name string) error {
		switch name {
		case "matchLabels":
			return w.wordMap(&s.NodeSelector)
		case "matchExpressions":
			return w.requirements(&term.Expressions)
		}
		return w.other(name, "matchLabels", "matchExpressions")
	})
	if len(term.Expressions) > 0 {
		s.Terms = []affinity.Term{term}
	}
	return s, err
}

// nodeState returns the State of a node, or nil if nobody asks for it.
func (l *Loader) nodeState(o *object) *NodeState {
	if !l.State {
		return nil
	}
	for _, t := range o.spec.taints.all {
		if t.TimeAdded != nil {
			l.added = append(l.added, t.TimeAdded.Time)
		}
	}
	for i := range o.state.conditions {
		l.sharer.condition(&o.state.conditions[i])
	}
	return &NodeState{shareMap(&l.sharer.resources, o.state.allocatable.list()), slices.Clip(o.state.conditions)}
}

// podState returns the State of a pod, or nil if nobody asks for it.
func (l *Loader) podState(o *object, pods *podSpec) *PodState {
	if !l.State {
		return nil
	}
	s := &PodState{
		Scheduler: l.sharer.word(pods.scheduler), Gates: pods.gates, Claims: pods.claims, Constraints: pods.constraints,
		Requests: shareMap(&l.sharer.resources, pods.total().list()),
	}
	for _, c := range pods.devices {
		for _, made := range o.state.made {
			if made.name == c.name {
				c.claim = made.claim
			}
		}
		s.Devices = append(s.Devices, c.claim)
	}
	if o.Kind != "Pod" {
		return s
	}
	s.Labels, s.Nominated = shareMap(&l.sharer.labels, o.labels), o.state.nominated
	for _, volume := range pods.ephemeral {
		s.Claims = append(s.Claims, o.Name+"-"+volume)
	}
	for _, c := range o.state.conditions {
		switch c.Type {
		case "PodScheduled":
			l.sharer.condition(&c)
			s.Scheduled = c
		case "Ready":
			s.Ready = c.Status == "True"
		}
	}
	return s
}

// keepAround adds a claim, volume, budget or claim for devices, and reports whether o is one.
func (l *Loader) keepAround(o *object) bool {
	a := &o.spec.around
	switch {
	case o.Kind == "PersistentVolumeClaim" && o.in(core):
		l.around.Claims = append(l.around.Claims, Claim{o.Object, l.sharer.word(o.phase), a.volumeName})
	case o.Kind == "ResourceClaim" && o.in([]string{"resource.k8s.io"}):
		phase := "Pending"
		if o.state.allocated {
			phase = "Bound"
		}
		l.around.Devices = append(l.around.Devices, Claim{Object: o.Object, Phase: phase})
	case o.Kind == "PersistentVolume" && o.in(core):
		l.around.Volumes = append(l.around.Volumes, Volume{o.Object, a.reachable})
	case o.Kind == "PodDisruptionBudget" && o.in([]string{"policy"}):
		b := Budget{
			Object: o.Object, Selector: affinity.Required{Terms: []affinity.Term{}}, // none
			UnhealthyPodEvictionPolicy: a.unhealthyPolicy, NoStatus: o.state.disruptions == nil,
		}
		if a.selector != nil {
			b.Selector = *a.selector
		}
		if n := o.state.disruptions; n != nil {
			b.DisruptionsAllowed = *n
		}
		l.around.Budgets = append(l.around.Budgets, b)
	default:
		return false
	}
	l.report(o)
	return true
}
