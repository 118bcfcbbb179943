// Command controlplane runs etcd, kube-apiserver and, one after the other, the
// kube-scheduler of Kubernetes and the one with the plugin of match/kube/scheduler, as it
// is and without narrowing, on loopback, and compares what they make of the same nodes and
// pods: which pods are bound, which are pending, and why. Then it runs
// kube-controller-manager over a fleet whose kubelets and drivers it plays. It compares
// which nodes are tainted and which pods are evicted, when, in which order, and why, with
// what taint/lifecycle, match/evict and match/device/evict predict. Last it installs admission
// policies of compile/gen/admission, and then the webhook of match/kube/admission, and compares which of
// 10,000 pods the API server refuses with toleration/policy. The script run builds the programs and calls it.
//
//	./run [-part schedulers|controllers|policies|webhook] [-nodes 300] [-pods 1500] [-limit 10m]
//
// It exits with status 1 at the first difference, and stops what it has started.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

func main() {
	dir := flag.String("dir", "", "the working `directory`, with the programs in bin")
	nodes := flag.Int("nodes", 300, "how many nodes")
	pods := flag.Int("pods", 1500, "how many pods")
	limit := flag.Duration("limit", 10*time.Minute, "how long the comparison may take")
	part := flag.String("part", "", "what to compare: schedulers, controllers, policies or webhook, and all if it is empty")
	plugin := flag.String("config", "", "the configuration `file` that enables the plugin")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	ctx, end := context.WithTimeout(ctx, *limit)
	defer end()
	if err := run(ctx, *dir, *part, *plugin, *nodes, *pods); err != nil {
		fmt.Fprintln(os.Stderr, "controlplane:", err)
		os.Exit(1)
	}
	fmt.Println("no difference")
}

const stock = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection:
  leaderElect: true
clientConnection:
  kubeconfig: /etc/kubernetes/scheduler.conf
`

func run(ctx context.Context, dir, part, plugin string, nodes, pods int) error {
	if err := os.MkdirAll(filepath.Join(dir, "logs"), 0o700); err != nil {
		return err
	}
	parts := []struct {
		name string
		run  func() error
	}{
		{"schedulers", func() error { return schedulers(ctx, dir, plugin, nodes, pods) }},
		{"controllers", func() error { return controllers(ctx, dir) }},
		{"policies", func() error { return policies(ctx, dir, 10_000) }},
		{"webhook", func() error { return webhook(ctx, dir, 2_000) }},
	}
	found := false
	for _, p := range parts {
		if part != "" && part != p.name {
			continue
		}
		found = true
		if err := p.run(); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("there is no part %q", part)
	}
	return nil
}

// schedulers compares the schedulers, without and with Gt and Lt.
func schedulers(ctx context.Context, dir, plugin string, nodes, pods int) error {
	config, err := os.ReadFile(plugin)
	if err != nil {
		return err
	}
	wide := strings.Replace(string(config), "nameTaints: false", "narrow: false", 1)
	if wide == string(config) {
		return fmt.Errorf("%s does not have nameTaints: false", plugin)
	}
	sides := []side{{"stock", "kube-scheduler", stock}, {"plugin", "kube-scheduler-plugin", string(config)}, {"wide", "kube-scheduler-plugin", wide}}
	for _, comparisons := range []bool{false, true} {
		gates := fmt.Sprintf("TaintTolerationComparisonOperators=%t", comparisons)
		c := newCluster(nodes, pods, comparisons)
		fmt.Printf("\n%s: %d nodes, %d pods\n", gates, len(c.nodes), len(c.pods))
		if err := comparison(ctx, dir, gates, comparisons, sides, c); err != nil {
			return fmt.Errorf("%s: %w", gates, err)
		}
	}
	return nil
}

// comparison runs the schedulers on the same cluster and compares them.
func comparison(ctx context.Context, dir, gates string, comparisons bool, sides []side, c *cluster) error {
	p, err := newPlane(ctx, dir, gates)
	if err != nil {
		return err
	}
	defer p.stop()
	at, after := make([]outcome, len(sides)), make([]outcome, len(sides))
	for i, s := range sides {
		if at[i], after[i], err = p.one(ctx, s, c, comparisons); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if err := compare(at[0], at[i], true); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if err := compare(after[0], after[i], false); err != nil {
			return fmt.Errorf("%s: after the changes: %w", s.name, err)
		}
	}
	fmt.Printf("the same %d pods are pending, for the same reasons:\n", len(at[0].pending))
	at[0].print(os.Stdout, 5)
	fmt.Printf("after the changes the same %d pods are pending\n", len(after[0].pending))
	return nil
}

// one lets one scheduler schedule the cluster, and then what changes make possible.
func (p *plane) one(ctx context.Context, s side, c *cluster, comparisons bool) (at, after outcome, err error) {
	if err := c.createNodes(ctx, p.client); err != nil {
		return at, after, err
	}
	if err := c.createPods(ctx, p.client); err != nil {
		return at, after, err
	}
	r, err := p.schedule(ctx, s)
	if err != nil {
		return at, after, err
	}
	defer r.stop()
	for _, stage := range []struct {
		name    string
		outcome *outcome
		prepare func() error
	}{
		{"at the start", &at, func() error { return nil }},
		{"after changes", &after, func() error { return c.change(ctx, p.client, at) }},
	} {
		before := at // nothing yet at the start
		if err := stage.prepare(); err != nil {
			return at, after, err
		}
		if *stage.outcome, err = settle(ctx, p.client); err != nil {
			return at, after, err
		}
		if err := stage.outcome.verify(ctx, p.client, before, comparisons); err != nil {
			return at, after, err
		}
		filter, err := r.cost("Filter")
		if err != nil {
			return at, after, err
		}
		fmt.Printf("%-7s %-14s %5d bound, %5d pending, each as match says; so far %.0f cycles, %.0f ms at Filter\n", s.name, stage.name,
			len(stage.outcome.bound), len(stage.outcome.pending), filter.count, 1000*filter.seconds)
	}
	return at, after, clear(ctx, p.client)
}
