// Command kube-scheduler is the scheduler of Kubernetes with the plugin of
// match/kube/scheduler in its registry. It takes the flags and the configuration of
// kube-scheduler; the plugin is off until a profile enables it.
package main

import (
	"os"

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register" // for --logging-format=json
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	"k8s.io/kubernetes/cmd/kube-scheduler/app"

	"github.com/tolero-dev/tolero/match/kube/scheduler"
)

func main() {
	os.Exit(cli.Run(app.NewSchedulerCommand(app.WithPlugin(scheduler.Name, scheduler.New))))
}
