package scheduler

import (
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
)

// The feature gates that the in-tree plugins look at.
const (
	comparisonOperators featuregate.Feature = "TaintTolerationComparisonOperators"
	resizePreemption    featuregate.Feature = "InPlacePodVerticalScalingSchedulerPreemption"
)

// value returns what an argument says, and what the feature gate does if it says
// nothing.
func value(argument *bool, feature featuregate.Feature) bool {
	if argument != nil {
		return *argument
	}
	return gate(feature)
}

// gate reports whether a feature is on, as the scheduler's command line and
// defaults have it. In a program that does not know the feature, it is off: asking
// for it would panic.
func gate(feature featuregate.Feature) bool {
	if _, known := utilfeature.DefaultMutableFeatureGate.GetAll()[feature]; !known {
		return false
	}
	return utilfeature.DefaultFeatureGate.Enabled(feature)
}
