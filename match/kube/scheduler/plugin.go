package scheduler

import (
	"context"
	"fmt"
	"hash/maphash"
	"sync/atomic"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/tolero-dev/tolero/toleration"
)

// Name is the name of the plugin in the registry and in configuration files, unless it
// is given another one: see [Named]. kube-scheduler does not let an in-tree name be
// registered a second time, so it is a new one.
const Name = "ToleroTaintToleration"

// Plugin is the plugin. It decides as the in-tree plugins TaintToleration and
// NodeUnschedulable do together.
//
// Plugins come from [New], [Named] and [NewPlugin]; the zero Plugin is not ready. A
// Plugin must not be copied. All of its methods may be called concurrently. It retains
// up to 32 of the last pods that were asked about many nodes, the node objects of
// the last cycle, and at most a quarter as many older ones, those of the last change that
// hints were asked about, and up to 32,768 lists of tolerations of the pods that waited for
// it or for changes before.
//
// Nobody may change these objects, as nobody may change what client-go's caches hold: the
// plugin knows them by their addresses, and to compare what is in them takes as long as to
// ask. It does not notice a change in place; with KUBE_CACHE_MUTATION_DETECTOR=true client-go
// does, for all objects that come from an informer. A program that makes its own objects
// makes a new one for each change.
type Plugin struct {
	name     string
	rules    toleration.Rules // whether the operators Gt and Lt count (rule N4)
	deferred bool             // a resize that was deferred is not for the taints to decide
	cordons  bool             // spec.unschedulable counts (rule F7)
	named    bool             // messages name the taint
	unfit    refusal
	cordoned refusal

	fleet     atomic.Pointer[fleet]
	questions questions
	latest    atomic.Pointer[question] // the last one to be prepared
	signer    signer
	pending   pending

	narrow   *narrower    // nil if PreFilter does not narrow
	stateKey fwk.StateKey // of what PreFilter notes
	leftOut  string       // the scheduler's words for nodes that were left out
}

var (
	_ fwk.PreFilterPlugin   = (*Plugin)(nil)
	_ fwk.FilterPlugin      = (*Plugin)(nil)
	_ fwk.PostFilterPlugin  = (*Plugin)(nil)
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
	return newNamed(Name, args)
}

// Named returns [New] for a plugin with another name, for programs that have a registry
// of their own and find plugins by name: cluster-autoscaler gives the weight that the
// configuration has for the in-tree name, and YuniKorn runs the filters on its list.
//
//	registry["TaintToleration"] = scheduler.Named("TaintToleration")
//
// The name must be that under which the function is registered. An empty name is [Name].
func Named(name string) func(context.Context, runtime.Object, fwk.Handle) (fwk.Plugin, error) {
	return func(_ context.Context, args runtime.Object, _ fwk.Handle) (fwk.Plugin, error) {
		return newNamed(name, args)
	}
}

func newNamed(name string, args runtime.Object) (fwk.Plugin, error) {
	parsed, err := parseArgs(args)
	parsed.Name = name
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", parsed.name(), err)
	}
	return NewPlugin(parsed), nil
}

// NewPlugin makes a [Plugin] with the given arguments, for programs that do not
// read them from a configuration file. It reads the feature gates once.
func NewPlugin(args Args) *Plugin {
	pl := &Plugin{
		name:     args.name(),
		rules:    toleration.Rules{Comparisons: value(args.ComparisonOperators, comparisonOperators)},
		deferred: value(args.DeferredResize, resizePreemption),
		cordons:  !args.IgnoreCordon,
		named:    args.NameTaints,
	}
	pl.signer.key, pl.signer.seed = pl.name+"/tolerations", maphash.MakeSeed()
	pl.stateKey = fwk.StateKey(pl.name + "/narrowed")
	pl.leftOut = fmt.Sprintf("node(s) didn't satisfy plugin(s) %v", []string{pl.name})
	pl.unfit.init(reasonTaints)
	pl.cordoned.init(reasonCordon)
	if args.Narrow == nil || *args.Narrow {
		pl.narrow = newNarrower(pl.rules, pl.cordons)
	}
	return pl
}

// Name returns the name that the plugin was made with.
func (pl *Plugin) Name() string { return pl.name }

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
