package manifest

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Pool is an object that nodes are made from, or that describes some: a NodePool or NodeClaim of
// Karpenter, a MachineDeployment, MachineSet or MachinePool of Cluster API, or a ResourceFlavor of
// Kueue. A MachineSet of a MachineDeployment is left out. It is plain data; copies share lists and
// labels.
type Pool struct {
	Object
	Taints        []taint.Taint           // that its nodes keep
	StartupTaints []taint.Taint           // that its nodes are made with, for somebody else to remove
	Tolerations   []toleration.Toleration // that a ResourceFlavor gives to the pods that it admits
	Labels        affinity.Template       // what is known of the labels of its nodes
	// OnDemand says that pods that wait make it grow: a NodePool without replicas, a NodeClaim
	// without a node, and what has the annotation by which the cluster autoscaler knows a largest
	// size. A limit that is reached is not looked at.
	OnDemand bool
	NodeName string // of a NodeClaim: the node that has come of it, or empty
}

// ReadinessRule is a NodeReadinessRule of the node readiness controller: the nodes that it selects
// have the taint while a condition is not as it should be. It is plain data; a copy shares the
// selector.
type ReadinessRule struct {
	Object
	Taint    taint.Taint
	Selector affinity.Required // of nodes by labels, as in [Budget]
	DryRun   bool              // it changes nothing
}

// Where the fields of pools come from, with the versions that were read:
//
//   - Karpenter 1.14.1, pkg/apis/v1/nodepool.go and nodeclaim.go; which labels a pool without them
//     may give, pkg/apis/v1/labels.go and pkg/scheduling/requirements.go.
//   - Cluster API 1.12.1, api/core/v1beta2/machine_types.go and common_types.go.
//   - The cluster autoscaler at 0369bcb7, cloudprovider/clusterapi/clusterapi_unstructured.go, Labels
//     and Taints: an annotation replaces a taint of the template with its key and effect.
//   - Kueue 0.15.2, apis/kueue/v1beta2/resourceflavor_types.go.
//   - The node readiness controller at 00ef9cbc, api/v1alpha1/nodereadinessrule_types.go.
const (
	autoscalerTaints = "capacity.cluster-autoscaler.kubernetes.io/taints"
	autoscalerLabels = "capacity.cluster-autoscaler.kubernetes.io/labels"
	autoscalerSize   = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size"
	nodePoolLabel    = "karpenter.sh/nodepool"
)

// ofMachine are labels that every machine has, and whose values pools leave open.
var ofMachine = []string{
	"kubernetes.io/hostname", "kubernetes.io/arch", "kubernetes.io/os", "node.kubernetes.io/instance-type",
	"topology.kubernetes.io/zone", "topology.kubernetes.io/region", "beta.kubernetes.io/arch", "beta.kubernetes.io/os",
	"beta.kubernetes.io/instance-type", "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region",
}

// ofKarpenter are those that Karpenter or its providers give to nodes besides.
var ofKarpenter = append([]string{
	"karpenter.sh/capacity-type", "node.kubernetes.io/windows-build", "karpenter.k8s.aws/", "karpenter.azure.com/", "karpenter.k8s.gcp/",
	"topology.k8s.aws/",
}, ofMachine...)

// pool is what is read of the specs of pools and rules.
type pool struct {
	taints, startup entries[taint.Taint] // of the template; those of a NodeClaim are in spec
	requirements    []affinity.Requirement
	labels          map[string]string // of the template, or nodeLabels
	selector        affinity.Required // of a rule
	rule            ReadinessRule
}

// poolGroups are the kinds of pools and their API groups.
var poolGroups = map[string]string{
	"NodePool": "karpenter.sh", "NodeClaim": "karpenter.sh", "ResourceFlavor": "kueue.x-k8s.io",
	"MachineDeployment": "cluster.x-k8s.io", "MachineSet": "cluster.x-k8s.io", "MachinePool": "cluster.x-k8s.io",
}

// poolOf makes a pool of an object of one of these kinds. Of a ResourceFlavor all labels are open that it
// does not name: Kueue compares no others.
func poolOf(o *object) Pool {
	p, t := Pool{Object: o.Object, NodeName: o.state.nodeName}, &o.spec.pool
	switch o.Kind {
	case "NodePool":
		labels := map[string]string{nodePoolLabel: p.Name}
		maps.Copy(labels, t.labels)
		p.Taints, p.StartupTaints = o.checked(&t.taints, "spec.template.spec.taints"), o.checked(&t.startup, "spec.template.spec.startupTaints")
		p.Labels, p.OnDemand = affinity.Template{Labels: labels, Requirements: t.requirements, Open: ofKarpenter}, o.spec.replicas == nil
	case "NodeClaim":
		p.Taints, p.StartupTaints = o.checked(&o.spec.taints, "spec.taints"), o.checked(&t.startup, "spec.startupTaints")
		p.Labels, p.OnDemand = affinity.Template{Labels: o.labels, Requirements: t.requirements, Open: ofKarpenter}, p.NodeName == ""
	case "ResourceFlavor":
		p.Taints, p.Tolerations = o.checked(&t.taints, "spec.nodeTaints"), o.spec.tolerations.decoded()
		o.faults = o.spec.tolerations.check(o.faults, (toleration.Rules{}).Validate(o.spec.tolerations.all), "spec.tolerations")
		p.Labels = affinity.Template{Labels: t.labels, Open: []string{""}}
	default:
		p.fromMachines(o)
	}
	return p
}

// fromMachines takes all taints for such that stay, as the autoscaler does. Those with the propagation
// OnInitialization are for somebody else to remove if he wants to, which nothing here tells.
func (p *Pool) fromMachines(o *object) {
	p.Taints = o.checked(&o.spec.pool.taints, "spec.template.spec.taints")
	if text, found := o.annotations[autoscalerTaints]; found {
		for _, one := range strings.Split(text, ",") {
			t, err := taint.Parse(one)
			if err != nil {
				o.fault(`metadata.annotations["`+autoscalerTaints+`"]`, "invalid value", one, "want taints such as a=b:NoSchedule, with commas between them; the autoscaler leaves it out")
				continue
			}
			p.Taints, _ = taint.Upsert(nil, p.Taints, t)
		}
	}
	labels := make(map[string]string)
	for key, value := range o.spec.pool.labels {
		if managed(key) {
			labels[key] = value
		}
	}
	for _, label := range strings.Split(o.annotations[autoscalerLabels], ",") {
		if key, value, found := strings.Cut(label, "="); found {
			labels[key] = value
		}
	}
	p.Labels = affinity.Template{Labels: labels, Open: ofMachine}
	size := o.annotations[autoscalerSize]
	p.OnDemand = size != "" && size != "0"
}

// managed reports whether Cluster API copies a label of a Machine to its node.
func managed(key string) bool {
	domain, _, _ := strings.Cut(key, "/")
	for _, of := range []string{"node.cluster.x-k8s.io", "node-restriction.kubernetes.io"} {
		if domain == of || strings.HasSuffix(domain, "."+of) {
			return true
		}
	}
	return domain == "node-role.kubernetes.io"
}

// checked returns the taints that decode, and adds the faults of all.
func (o *object) checked(list *entries[taint.Taint], path string) []taint.Taint {
	o.faults = list.check(o.faults, taint.Validate(list.all), path)
	return list.decoded()
}

// keepPool adds a pool or a readiness rule, and reports whether o is one.
func (l *Loader) keepPool(o *object) bool {
	group, found := poolGroups[o.Kind]
	switch found = found && o.in([]string{group}); {
	case found && o.owner().Kind == "MachineDeployment":
	case found:
		o.faults = slices.DeleteFunc(o.faults, func(f *taint.FieldError) bool { return strings.HasSuffix(f.Field, ".propagation") })
		l.around.Pools = append(l.around.Pools, poolOf(o))
	case o.Kind == "NodeReadinessRule" && o.in([]string{"readiness.node.x-k8s.io"}):
		r := o.spec.pool.rule
		r.Object, r.Selector = o.Object, o.spec.pool.selector
		o.faults = slices.DeleteFunc(o.faults, func(f *taint.FieldError) bool { return strings.HasPrefix(f.Field, "spec.nodeSelector.match") })
		if invalid := new(taint.FieldErrors); errors.As(taint.Validate([]taint.Taint{r.Taint}), &invalid) {
			for _, f := range invalid.Faults {
				o.fault("spec.taint"+strings.TrimPrefix(f.Field, "taints[0]"), f.Problem, f.Value, f.Detail)
			}
		}
		l.around.Readiness = append(l.around.Readiness, r)
	default:
		return false
	}
	l.report(o)
	return true
}

// poolField reads the field of a spec with the given name, if it is one of a pool or a rule.
func (w *walker) poolField(p *pool, name string) (known bool, err error) {
	if !w.state {
		return false, nil
	}
	switch name {
	case "nodeTaints":
		p.taints, err = w.taints()
	case "startupTaints":
		p.startup, err = w.taints()
	case "requirements":
		err = w.requirements(&p.requirements)
		orEqual(p.requirements)
	case "nodeLabels":
		err = w.wordMap(&p.labels)
	case "taint":
		err = w.object(func(name string) error {
			known, err := w.taintField(&p.rule.Taint, name)
			if !known {
				return w.unknown("taint", name)
			}
			return err
		})
	case "dryRun":
		err = w.flag(&p.rule.DryRun)
	default:
		return false, nil
	}
	return true, err
}

// orEqual replaces Karpenter's operators Gte and Lte by those that Kubernetes has.
func orEqual(list []affinity.Requirement) {
	for i := range list {
		r := &list[i]
		if len(r.Values) != 1 || r.Operator != "Gte" && r.Operator != "Lte" {
			continue
		}
		if bound, err := strconv.ParseInt(r.Values[0], 10, 32); err == nil {
			by := int64(1)
			if r.Operator == "Gte" {
				by = -1
			}
			r.Operator, r.Values = r.Operator[:1]+"t", []string{strconv.FormatInt(bound+by, 10)}
		}
	}
}

// poolAnnotations reads the annotations that the autoscaler reads.
func (w *walker) poolAnnotations(o *object) error {
	return w.object(func(name string) error {
		if name != autoscalerTaints && name != autoscalerLabels && name != autoscalerSize {
			return w.skip()
		}
		value := ""
		err := w.text(&value)
		if o.annotations == nil {
			o.annotations = make(map[string]string)
		}
		o.annotations[name] = value
		return err
	})
}

// machineField reads the field of a template's spec with the given name, if it is one of nodes.
func (w *walker) machineField(p *pool, name string) (known bool, err error) {
	switch {
	case p == nil || !w.state:
		return false, nil
	case name == "taints":
		p.taints, err = w.taints()
		return true, err
	case name == "startupTaints" || name == "requirements":
		return w.poolField(p, name)
	}
	return false, nil
}

// anySelector reads spec.nodeSelector: labels for a pod, or the selector of a rule. What only that
// has is a fault, which is taken back when the kind is known.
func (w *walker) anySelector(s *spec) error {
	if !w.state {
		return w.nodeSelector(&s.attraction)
	}
	labels := make(map[string]string)
	rule, term := &s.pool.selector, affinity.Term{}
	err := w.object(func(name string) error {
		token, err := w.dec.Token()
		if err != nil {
			return err
		}
		labels[name], _ = token.(string)
		switch {
		case token == labels[name]:
			return nil
		case name == "matchLabels" && token == json.Delim('{'):
			w.refuse("", "want a string, found an object")
			rule.NodeSelector = make(map[string]string)
			return w.fields(func(key string) error {
				value := ""
				err := w.text(&value)
				rule.NodeSelector[key] = value
				return err
			})
		case name == "matchExpressions" && token == json.Delim('['):
			w.refuse("", "want a string, found a list")
			return w.elements(func(int) error {
				var r affinity.Requirement
				err := w.requirement(&r)
				term.Expressions = append(term.Expressions, r)
				return err
			})
		}
		return w.mismatch("a string", token)
	})
	if len(term.Expressions) > 0 {
		rule.Terms = []affinity.Term{term}
	}
	if w.placement && len(labels) > 0 {
		s.attraction.NodeSelector = labels
	}
	return err
}
