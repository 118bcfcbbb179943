package canonical

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

func init() {
	kinds["defaultTolerationSeconds"] = func(in *Input) Result {
		flags := Flags{}
		if in.Flags != nil {
			flags = *in.Flags
		}
		return added(in, admit.DefaultSeconds{NotReady: flags.NotReadySeconds, Unreachable: flags.UnreachableSeconds})
	}
	kinds["daemonSetTolerations"] = func(in *Input) Result {
		return added(in, admit.DaemonSet{HostNetwork: in.pod().Spec.HostNetwork})
	}
	kinds["extendedResources"] = func(in *Input) Result {
		r := resources(in.pod())
		return added(in, admit.ExtendedResources{Names: r.Extended()})
	}
	kinds["staticPod"] = func(in *Input) Result { return added(in, admit.StaticPod{}) }
	kinds["runtimeClass"] = runtimeClass
	kinds["qosClass"] = func(in *Input) Result {
		return Result{Answer: class(in.pod()), Reason: "from the CPU and memory of all containers"}
	}
	kinds["podTolerationRestriction"] = restriction
	kinds["covers"] = covers
	kinds["addToleration"] = addToleration
	kinds["newNode"] = newNode
	kinds["registerWithTaints"] = registerWithTaints
	kinds["controlPlane"] = func(in *Input) Result {
		return taintList(in.taints(), admit.ControlPlane{}.Append(nil, in.taints()))
	}
	kinds["kubeletUpdate"] = kubeletUpdate
	kinds["outOfService"] = outOfService
	kinds["proxyHealthy"] = func(in *Input) Result {
		return Result{Answer: !taint.KeyExists(in.taints(), taint.KeyToBeDeleted), Reason: "whether the node has the key " + taint.KeyToBeDeleted}
	}
	kinds["cloudShutdown"] = cloudShutdown
}

// added is the tolerations of a pod once a part has added its own.
func added(in *Input, part admit.Part) Result {
	before := in.pod().Spec.Tolerations
	after := part.Append([]toleration.Toleration{}, before)
	reason := "nothing is added"
	if !toleration.Equal(before, after) {
		reason = "becomes " + toleration.FormatList(after)
	}
	return Result{Answer: after, Reason: reason}
}

// taintList is the taints that a node has in the end.
func taintList(before, after []taint.Taint) Result {
	reason := "becomes " + taint.FormatList(after)
	if taint.Equal(before, after) {
		reason = "nothing changes"
	}
	return Result{Answer: append([]taint.Taint{}, after...), Reason: reason}
}

func runtimeClass(in *Input) Result {
	part := admit.RuntimeClass{}
	if in.RuntimeClass != nil && in.RuntimeClass.Scheduling != nil {
		part.Scheduling, part.Tolerations = true, in.RuntimeClass.Scheduling.Tolerations
	}
	return added(in, part)
}

// resources is the resources of a pod.
func resources(p *Pod) admit.PodResources {
	r := admit.PodResources{}
	for _, c := range p.Spec.InitContainers {
		r.InitContainers = append(r.InitContainers, c.Resources)
	}
	for _, c := range p.Spec.Containers {
		r.Containers = append(r.Containers, c.Resources)
	}
	return r
}

// class is the class of a pod: the one in its status, or of its resources. It is empty
// if a quantity is malformed.
func class(p *Pod) string {
	if p.Status != nil && p.Status.QOSClass != "" {
		return p.Status.QOSClass
	}
	r := resources(p)
	class, err := r.QOS()
	if err != nil {
		return ""
	}
	return string(class)
}

// Admission is the answer of PodTolerationRestriction.
type Admission struct {
	Allowed     bool                    `json:"allowed"`
	Tolerations []toleration.Toleration `json:"tolerations"` // those of the pod, if it is allowed
}

func restriction(in *Input) Result {
	r := admit.Restriction{Class: admit.QOSClass(class(in.pod())), Update: in.Operation == "UPDATE"}
	if in.Namespace != nil {
		read := func(name string) []toleration.Toleration {
			text, ok := in.Namespace.Metadata.Annotations[name]
			if !ok {
				return nil
			}
			list, err := admit.ParseAnnotation(text)
			if err != nil {
				return nil
			}
			return list
		}
		r.Defaults, r.Whitelist = read(admit.AnnotationDefaults), read(admit.AnnotationWhitelist)
	}
	after := r.Append([]toleration.Toleration{}, in.pod().Spec.Tolerations)
	if err := r.Check(after); err != nil {
		return Result{Answer: Admission{}, Reason: err.Error()}
	}
	return Result{Answer: Admission{true, after}, Reason: "becomes " + toleration.FormatList(after)}
}

// covers is whether the first toleration tolerates whatever the second does, for as
// long. Kubernetes' own test errs (rule A5).
func covers(in *Input) Result {
	list := append(slices.Clone(in.Tolerations), toleration.Toleration{}, toleration.Toleration{})
	a, b := &list[0], &list[1]
	right, theirs := coversOne(a, b), admit.UpstreamIsSuperset(a, b)
	r := Result{Answer: right, Reason: fmt.Sprintf("whether %s tolerates every taint that %s tolerates, for as long", a, b)}
	if theirs != right {
		r.Alternatives = []Alternative{{[]string{"kubernetes"}, theirs, "the superset test of PodTolerationRestriction errs"}}
	}
	return r
}

// coversOne is for tolerations that are not valid, too: what matches nothing is covered by all.
func coversOne(a, b *toleration.Toleration) bool {
	v, w, every := a.Values(), b.Values(), toleration.Rules{Comparisons: true}
	wider := v.Kind == toleration.EveryValue || v == w || w.Kind == toleration.OneValue && every.Holds(a.Operator, w.Value, a.Value) ||
		v.Kind == w.Kind && (v.Kind == toleration.IntegersAbove && v.Bound < w.Bound || v.Kind == toleration.IntegersBelow && v.Bound > w.Bound)
	switch {
	case w.Kind == toleration.NoValue:
		return true
	case !wider, a.Key != "" && a.Key != b.Key, a.Effect != "" && a.Effect != b.Effect:
		return false
	}
	evicting := b.Effect == "" || b.Effect == taint.NoExecute
	return !evicting || secondsOf(a) >= secondsOf(b)
}

// secondsOf returns the seconds of t as far as they are told apart (rules E2, E3).
func secondsOf(t *toleration.Toleration) int64 {
	if t.TolerationSeconds == nil {
		return math.MaxInt64
	}
	return min(max(0, *t.TolerationSeconds), math.MaxInt64/int64(time.Second)+1)
}

func addToleration(in *Input) Result {
	x := toleration.Toleration{}
	if in.Toleration != nil {
		x = *in.Toleration
	}
	before := in.pod().Spec.Tolerations
	after, changed := addOrUpdate(before, x)
	reason := "it is there already"
	switch {
	case changed && len(after) == len(before):
		reason = "it replaces the one with the same key, operator, value and effect"
	case changed:
		reason = "none has the same key, operator, value and effect"
	}
	return Result{Answer: after, Reason: reason}
}

// addOrUpdate is [toleration.Upsert] as Kubernetes does it: an empty operator is not Equal.
func addOrUpdate(list []toleration.Toleration, x toleration.Toleration) (after []toleration.Toleration, changed bool) {
	after = slices.Clone(list)
	found := false
	for i, t := range after {
		switch {
		case !t.Matches(&x) || t.Operator != x.Operator:
		case t.Equal(&x):
			found = true
		default:
			after[i], found, changed = x, true, true
		}
	}
	if !found {
		return append(after, x), true
	}
	return after, changed
}

// newNode is the taints of a node that registers.
func newNode(in *Input) Result {
	return taintList(in.taints(), admit.NewNode{}.Append(nil, in.taints()))
}

// TaintsOrRefusal is a list of taints, or that there is none.
type TaintsOrRefusal struct {
	Refused bool          `json:"refused,omitempty"`
	Taints  []taint.Taint `json:"taints,omitempty"`
}

// registerWithTaints reads the flag of the kubelet.
func registerWithTaints(in *Input) Result {
	text := ""
	if in.Flags != nil {
		text = in.Flags.RegisterWithTaints
	}
	list, err := taint.ParseList(text)
	if err != nil {
		return Result{Answer: TaintsOrRefusal{Refused: true}, Reason: err.Error()}
	}
	return Result{Answer: TaintsOrRefusal{Taints: list}, Reason: "valid taints, each key and effect once"}
}

func kubeletUpdate(in *Input) Result {
	var old []taint.Taint
	if in.OldNode != nil {
		old = in.OldNode.Spec.Taints
	}
	ok := taint.Equal(in.taints(), old)
	reason := "the taints are the same in the same order"
	if !ok {
		reason = "a kubelet may not change the taints of its node"
	}
	return Result{Answer: ok, Reason: reason}
}

// outOfService is whether a pod that is being deleted is deleted by force.
func outOfService(in *Input) Result {
	ready := conditions(in.node()).Ready == lifecycle.True
	switch {
	case ready:
		return Result{Answer: false, Reason: "the node is Ready"}
	case taint.KeyExists(in.taints(), taint.KeyOutOfService):
		return Result{Answer: true, Reason: "the node is not Ready and has the key " + taint.KeyOutOfService}
	}
	return Result{Answer: false, Reason: "the node does not have the key " + taint.KeyOutOfService}
}

// cloudShutdown is the taints of a node after a look of the cloud node life-cycle controller.
func cloudShutdown(in *Input) Result {
	list, mark := in.taints(), taint.Taint{Key: taint.KeyCloudProviderShutdown, Effect: taint.NoSchedule}
	switch {
	case conditions(in.node()).Ready == lifecycle.True:
		list, _ = taint.Remove(nil, list, mark)
	case in.ShutDown:
		list, _ = taint.Upsert(nil, list, mark)
	}
	return taintList(in.taints(), list)
}

// conditions is the conditions in a node's status.
func conditions(n *Node) (c lifecycle.Conditions) {
	if n.Status != nil {
		for _, condition := range n.Status.Conditions {
			c.Set(condition.Type, condition.Status)
		}
	}
	return c
}
