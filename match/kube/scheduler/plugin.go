package scheduler

import (
	"context"
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	fwk "k8s.io/kube-scheduler/framework"
)

// Name is the name of the plugin in the registry and in configuration files. An
// in-tree name cannot be registered a second time, so it is a new one.
const Name = "ToleroTaintToleration"

// Plugin is the plugin. It decides as the in-tree plugins TaintToleration and
// NodeUnschedulable do together.
//
// Plugins come from [New] and [NewPlugin]; the zero Plugin is not ready. A Plugin
// must not be copied. All of its methods may be called concurrently. It retains
// nothing of the pods and nodes that it is asked about, unless [Args.Narrow] is
// set: then the node objects of the last cycle.
type Plugin struct {
	comparisons bool // the operators Gt and Lt count (rule N4)
	deferred    bool // a resize that was deferred is not for the taints to decide
	cordons     bool // spec.unschedulable counts (rule F7)
	named       bool // messages name the taint
	unfit       refusal
	cordoned    refusal
	narrow      *narrower // nil if PreFilter does not narrow
}

var (
	_ fwk.PreFilterPlugin   = (*Plugin)(nil)
	_ fwk.FilterPlugin      = (*Plugin)(nil)
	_ fwk.PreScorePlugin    = (*Plugin)(nil)
	_ fwk.ScorePlugin       = (*Plugin)(nil)
	_ fwk.EnqueueExtensions = (*Plugin)(nil)
	_ fwk.SignPlugin        = (*Plugin)(nil)
)

// New makes a [Plugin] as the scheduler's registry asks for it, and is what
// app.WithPlugin takes:
//
//	app.NewSchedulerCommand(app.WithPlugin(scheduler.Name, scheduler.New))
//
// args are the plugin's arguments from the configuration file; nil means none.
// The error names the argument that is not known or not valid. New retains
// nothing of its parameters.
func New(_ context.Context, args runtime.Object, _ fwk.Handle) (fwk.Plugin, error) {
	parsed, err := parseArgs(args)
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", Name, err)
	}
	return NewPlugin(parsed), nil
}

// NewPlugin makes a [Plugin] with the given arguments, for programs that do not
// read them from a configuration file. It reads the feature gates once.
func NewPlugin(args Args) *Plugin {
	pl := &Plugin{
		comparisons: gate(comparisonOperators),
		deferred:    gate(resizePreemption),
		cordons:     !args.IgnoreCordon,
		named:       args.NameTaints,
	}
	if args.ComparisonOperators != nil {
		pl.comparisons = *args.ComparisonOperators
	}
	pl.unfit.init(reasonTaints)
	pl.cordoned.init(reasonCordon)
	if args.Narrow {
		pl.narrow = newNarrower(pl.comparisons, pl.cordons)
	}
	return pl
}

// Name returns [Name].
func (pl *Plugin) Name() string { return Name }

// settled reports whether the plugin has no say about a pod: it runs on its node
// already, and waits there to be given more resources.
func (pl *Plugin) settled(pod *v1.Pod) bool {
	return pl.deferred && resizeDeferred(pod)
}

func resizeDeferred(pod *v1.Pod) bool {
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == v1.PodResizePending {
			return c.Reason == v1.PodReasonDeferred
		}
	}
	return false
}
