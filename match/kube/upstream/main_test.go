package upstream

import (
	"context"
	"flag"
	"os"
	"testing"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	featuregatetesting "k8s.io/component-base/featuregate/testing"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/features"

	"github.com/tolero-dev/tolero/toleration"
)

// quiet is a logger that discards everything: upstream logs an error for each
// value that it cannot compare.
var quiet klog.Logger

func TestMain(m *testing.M) {
	_ = flag.Set("rapid.checks", "2000") // the command line may still say otherwise
	flag.Parse()
	klog.SetLogger(quiet)
	os.Exit(m.Run())
}

// quietly is a context with the quiet logger.
func quietly() context.Context {
	return klog.NewContext(context.Background(), quiet)
}

// withGate runs the test with the feature gate
// TaintTolerationComparisonOperators off and on. effective turns a list into
// the one that this module has to be asked with (rule N4).
func withGate(t *testing.T, run func(t *testing.T, effective func([]toleration.Toleration) []toleration.Toleration)) {
	t.Run("gate off", func(t *testing.T) {
		setGate(t, false)
		run(t, func(list []toleration.Toleration) []toleration.Toleration {
			return toleration.Rules{}.Active(nil, list)
		})
	})
	t.Run("gate on", func(t *testing.T) {
		setGate(t, true)
		run(t, func(list []toleration.Toleration) []toleration.Toleration { return list })
	})
}

func setGate(tb testing.TB, on bool) {
	featuregatetesting.SetFeatureGateDuringTest(tb, utilfeature.DefaultFeatureGate, features.TaintTolerationComparisonOperators, on)
}
