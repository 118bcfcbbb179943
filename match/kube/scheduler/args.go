package scheduler

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// Args are the plugin's arguments, in the args of its pluginConfig entry:
//
//	pluginConfig:
//	- name: ToleroTaintToleration
//	  args:
//	    nameTaints: true
//
// The zero Args are the defaults, with which the plugin does and says exactly what
// the in-tree plugins do and say. Args are plain data: copies share the pointers.
type Args struct {
	// Name is the name of the plugin, [Name] if empty. It must be the one under which
	// the plugin is registered, so that configuration files cannot set it; see [Named].
	Name string `json:"-"`
	// ComparisonOperators says whether tolerations with the operators Gt and Lt
	// count. Nil is as the feature gate TaintTolerationComparisonOperators says.
	ComparisonOperators *bool `json:"comparisonOperators,omitempty"`
	// DeferredResize says whether taints are ignored for a pod that waits on its
	// node for a resize that was deferred. Nil is as the feature gate
	// InPlacePodVerticalScalingSchedulerPreemption says.
	DeferredResize *bool `json:"deferredResize,omitempty"`
	// NameTaints makes messages name the taint that refuses a pod, the first in
	// the order of the node (rule F3). A cluster with many different taints gets
	// long events.
	NameTaints bool `json:"nameTaints,omitempty"`
	// IgnoreCordon leaves spec.unschedulable to the plugin NodeUnschedulable
	// (rule F7). Without it there is no need for that plugin.
	IgnoreCordon bool `json:"ignoreCordon,omitempty"`
	// Narrow says whether PreFilter may tell the scheduler which nodes to look at,
	// where they are few: see [Plugin.PreFilter]. Nil is true.
	Narrow *bool `json:"narrow,omitempty"`
}

func (a *Args) name() string {
	if a.Name == "" {
		return Name
	}
	return a.Name
}

// parseArgs reads the arguments that the scheduler hands over: those of a plugin
// that it does not know come as text.
func parseArgs(object runtime.Object) (Args, error) {
	var args Args
	switch object := object.(type) {
	case nil:
		return args, nil
	case *runtime.Unknown:
		if err := yaml.UnmarshalStrict(object.Raw, &args); err != nil {
			return Args{}, fmt.Errorf("args: %w", err)
		}
		return args, nil
	}
	return args, fmt.Errorf("args: want *runtime.Unknown, got %T", object)
}
