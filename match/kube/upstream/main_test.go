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
// TaintTolerationComparisonOperators off and on, and gives it the rules by which
// this module has to be asked: with the gate off none, as by default (rule N4).
func withGate(t *testing.T, run func(t *testing.T, rules ...toleration.Rules)) {
	t.Run("gate off", func(t *testing.T) {
		setGate(t, false)
		run(t)
	})
	t.Run("gate on", func(t *testing.T) {
		setGate(t, true)
		run(t, toleration.Rules{Comparisons: true})
	})
}

func setGate(tb testing.TB, on bool) {
	featuregatetesting.SetFeatureGateDuringTest(tb, utilfeature.DefaultFeatureGate, features.TaintTolerationComparisonOperators, on)
}
