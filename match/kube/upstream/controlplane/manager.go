package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// settings returns those of the node life-cycle controller. The grace period ends right
// before the tenth look, so that looks that are some per cent late decide the same. A zone
// gets its tokens between two looks: a look right after a node got its taint, which the
// informer does not have yet, would queue the node again, and that costs another token.
func settings() lifecycle.Config {
	c := lifecycle.Defaults()
	c.MonitorPeriod = time.Second
	c.GracePeriod = 9900 * time.Millisecond
	c.StartupGracePeriod = 15500 * time.Millisecond
	c.Rate = 1 / 4.4
	return c
}

const managerLog = "kube-controller-manager.log"

// manage starts kube-controller-manager with the three controllers that taint and evict.
func (p *plane) manage(ctx context.Context, c lifecycle.Config) (*process, error) {
	credentials := filepath.Join(p.dir, "kubeconfig")
	if err := os.WriteFile(credentials, fmt.Appendf(nil, kubeconfig, p.server, p.token), 0o600); err != nil {
		return nil, err
	}
	ports, err := freePorts(1)
	if err != nil {
		return nil, err
	}
	url := local("https", ports[0])
	m, err := start(p.dir, managerLog, "kube-controller-manager", "--kubeconfig="+credentials, "--leader-elect=false",
		"--controllers=node-lifecycle-controller,taint-eviction-controller,device-taint-eviction-controller",
		"--bind-address=127.0.0.1", fmt.Sprint("--secure-port=", ports[0]), "--cert-dir="+p.dir,
		"--authentication-skip-lookup=true", "--authorization-always-allow-paths=/healthz", "--kube-api-qps=1000", "--kube-api-burst=1000",
		fmt.Sprint("--node-monitor-period=", c.MonitorPeriod), fmt.Sprint("--node-monitor-grace-period=", c.GracePeriod),
		fmt.Sprint("--node-startup-grace-period=", c.StartupGracePeriod), fmt.Sprint("--node-eviction-rate=", c.Rate),
		fmt.Sprint("--secondary-node-eviction-rate=", c.SecondaryRate), fmt.Sprint("--large-cluster-size-threshold=", c.LargeZone),
		fmt.Sprint("--unhealthy-zone-threshold=", c.UnhealthyShare), "--feature-gates="+p.gates, "-v=4")
	if err != nil {
		return nil, err
	}
	if err := m.waitFor(ctx, func() bool { return healthy(url+"/healthz", p.token) }); err != nil {
		m.stop()
		return nil, err
	}
	return m, nil
}
