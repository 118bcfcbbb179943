package devices

import (
	"context"
	"flag"
	"os"
	"strconv"
	"testing"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
)

// quiet is a logger that discards everything.
var quiet klog.Logger

func TestMain(m *testing.M) {
	_ = flag.Set("rapid.checks", "2000") // the command line may still say otherwise
	flag.Parse()
	// Off by default before Kubernetes 1.37.
	if err := utilfeature.DefaultMutableFeatureGate.Set("DRADeviceTaints=true,DRADeviceTaintRules=true"); err != nil {
		panic(err)
	}
	klog.SetLogger(quiet)
	os.Exit(m.Run())
}

// quietly is a context with the quiet logger.
func quietly() context.Context {
	return klog.NewContext(context.Background(), quiet)
}

// checkLess has rapid draw only a part of its checks, in a test in which each takes
// long.
func checkLess(t *testing.T, part int) {
	checks := flag.Lookup("rapid.checks").Value
	before := checks.String()
	n, err := strconv.Atoi(before)
	if err != nil {
		t.Fatal(err)
	}
	_ = checks.Set(strconv.Itoa(max(1, n/part)))
	t.Cleanup(func() { _ = checks.Set(before) })
}
