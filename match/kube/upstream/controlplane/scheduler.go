package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// side is a scheduler that is compared: which program, and with which configuration.
type side struct {
	name, program, config string
}

// running is a scheduler that runs, and where it serves its metrics.
type running struct {
	*process
	url   string
	token string
}

const kubeconfig = `apiVersion: v1
kind: Config
current-context: loopback
contexts: [{name: loopback, context: {cluster: loopback, user: admin}}]
clusters: [{name: loopback, cluster: {server: %q, insecure-skip-tls-verify: true}}]
users: [{name: admin, user: {token: %q}}]
`

// schedule starts a scheduler. Of its configuration the place of the kubeconfig and
// the leader election are changed, the rate of its client, and how long pods back off.
func (p *plane) schedule(ctx context.Context, s side) (*running, error) {
	credentials := filepath.Join(p.dir, "kubeconfig")
	if err := os.WriteFile(credentials, fmt.Appendf(nil, kubeconfig, p.server, p.token), 0o600); err != nil {
		return nil, err
	}
	adapted := strings.NewReplacer("/etc/kubernetes/scheduler.conf", credentials+"\n  qps: 2000\n  burst: 2000",
		"leaderElect: true", "leaderElect: false",
		"clientConnection:", fmt.Sprintf("podInitialBackoffSeconds: 1\npodMaxBackoffSeconds: %d\nclientConnection:", backoff/time.Second)).Replace(s.config)
	file := filepath.Join(p.dir, s.name+".yaml")
	if err := os.WriteFile(file, []byte(adapted), 0o600); err != nil {
		return nil, err
	}
	ports, err := freePorts(1)
	if err != nil {
		return nil, err
	}
	process, err := start(p.dir, s.name+".log", s.program, "--config="+file, "--bind-address=127.0.0.1",
		fmt.Sprint("--secure-port=", ports[0]), "--cert-dir="+p.dir, "--authorization-always-allow-paths=/readyz,/metrics",
		"--authentication-skip-lookup=true", "--feature-gates="+p.gates)
	if err != nil {
		return nil, err
	}
	r := &running{process, local("https", ports[0]), p.token}
	if err := r.waitFor(ctx, func() bool { return healthy(r.url+"/readyz", r.token) }); err != nil {
		r.stop()
		return nil, err
	}
	return r, nil
}

// cost is how often an extension point was run and how long that took.
type cost struct {
	count, seconds float64
}

// cost reads what the scheduler says of an extension point.
func (r *running) cost(point string) (c cost, err error) {
	body, err := get(r.url+"/metrics", r.token)
	if err != nil {
		return c, err
	}
	lines := bufio.NewScanner(bytes.NewReader(body))
	lines.Buffer(nil, len(body)+1)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), "} ")
		if !strings.Contains(name, `extension_point="`+point+`"`) {
			continue
		}
		number, _ := strconv.ParseFloat(value, 64)
		switch {
		case strings.HasPrefix(name, "scheduler_framework_extension_point_duration_seconds_count"):
			c.count += number
		case strings.HasPrefix(name, "scheduler_framework_extension_point_duration_seconds_sum"):
			c.seconds += number
		}
	}
	return c, lines.Err()
}
