//go:build perf

// Package perf runs scheduler_perf of Kubernetes with the in-tree plugins and with
// the plugin of match/kube/scheduler. It needs etcd in the path (go build
// go.etcd.io/etcd/server/v3 makes it) and the module cache where it was built, and
// takes ten minutes:
//
//	go test -tags perf -run '^$' -bench . -benchtime 1x -timeout 30m . -args -data-items-dir DIR
//
// The time at each extension point is in the files that it writes to DIR.
package perf

import (
	"fmt"
	"os"
	"testing"

	_ "k8s.io/component-base/logs/json/register"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	perf "k8s.io/kubernetes/test/integration/scheduler_perf"

	"github.com/tolero-dev/tolero/match/kube/scheduler"
)

func TestMain(m *testing.M) {
	if err := perf.InitTests(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	m.Run()
}

func BenchmarkPerfScheduling(b *testing.B) {
	perf.RunBenchmarkPerfScheduling(b, "testdata/performance-config.yaml", "taints", frameworkruntime.Registry{scheduler.Name: scheduler.New})
}
