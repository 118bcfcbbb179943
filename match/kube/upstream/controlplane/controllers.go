package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	coordination "k8s.io/api/coordination/v1"
	v1 "k8s.io/api/core/v1"
)

// inTime is how exact the times have to be. The controllers act at once or when a time is
// up. Late allows for the API server, the watches and a busy machine. Early allows only for
// clocks that were read one after the other.
//
// ofNodes is the same for nodes. They are predicted by a clock that is stretched to the
// looks: where looks are farther apart than elsewhere, a zone's token may come early, by
// some per cent of the time since the last one.
var (
	inTime  = bounds{early: 250 * time.Millisecond, late: 1500 * time.Millisecond, tie: 500 * time.Millisecond}
	ofNodes = bounds{early: time.Second, late: 1500 * time.Millisecond, tie: time.Second}
)

// controllers runs kube-controller-manager over a fleet whose kubelets, drivers and
// administrator follow a script, and compares who was tainted and evicted when, and why,
// with what packages taint/lifecycle, match/evict and match/device/evict make of the same.
func controllers(ctx context.Context, dir string) error {
	policy, audit := filepath.Join(dir, "audit.yaml"), filepath.Join(dir, "logs", "audit.log")
	if err := os.WriteFile(policy, []byte(auditPolicy), 0o600); err != nil {
		return err
	}
	p, err := newPlane(ctx, dir, "TaintTolerationComparisonOperators=false", "--audit-policy-file="+policy, "--audit-log-path="+audit)
	if err != nil {
		return err
	}
	defer p.stop()
	watching, stop := context.WithCancel(ctx)
	r, err := watchAll(watching, p.client)
	if err != nil {
		stop()
		return err
	}
	defer r.done.Wait()
	defer stop()
	config := settings()
	m, err := p.manage(ctx, config)
	if err != nil {
		return err
	}
	defer m.stop()
	s := &stage{client: p.client, devices: &drivers{p.client}, kubelets: &kubelets{client: p.client, leases: make(map[string]*coordination.Lease)}}
	if err := s.play(ctx, r, audit, config.MonitorPeriod); err != nil {
		return err
	}
	end := time.Now()
	if err := m.alive(); err != nil {
		return err
	}
	l, err := readLooks(audit)
	if err != nil {
		return err
	}
	if len(l) == 0 {
		return errors.New("no look at the canary")
	}
	log, err := readLog(filepath.Join(dir, "logs", managerLog))
	if err != nil {
		return err
	}
	seen, err := r.sightings()
	if err != nil {
		return err
	}
	return judge(&trace{config: settings(), acts: s.acts, looks: l.with(log, config.MonitorPeriod).filled(config.MonitorPeriod), seen: seen, log: log, end: end})
}

// play carries out the script, each step half-way between two looks, so that it is certain
// which looks see it.
func (s *stage) play(ctx context.Context, r *recorder, audit string, period time.Duration) error {
	if err := s.renew(ctx); err != nil {
		return err
	}
	if err := s.build(ctx); err != nil {
		return err
	}
	for r.condition(canary, v1.NodeReady).Status != v1.ConditionUnknown {
		if err := s.renew(ctx); err != nil {
			return err
		}
		if err := sleep(ctx, period); err != nil {
			return err
		}
	}
	steps := script()
	last := time.Now()
	for tick := range ticks {
		at, err := nextLook(ctx, audit, last, period)
		if err != nil {
			return err
		}
		last = at
		if err := sleep(ctx, time.Until(at.Add(period/2))); err != nil {
			return err
		}
		if err := s.renew(ctx); err != nil {
			return err
		}
		for _, step := range steps {
			if step.look == tick {
				if err := step.do(ctx, s); err != nil {
					return fmt.Errorf("at look %d: %w", tick, err)
				}
			}
		}
	}
	return nil
}

// nextLook waits for the look after last, and returns its time. If the log does not show it
// soon, because the canary is not lost, nextLook assumes that it came in time.
func nextLook(ctx context.Context, audit string, last time.Time, period time.Duration) (time.Time, error) {
	expected := last.Add(period + drift)
	for time.Until(expected.Add(period/4)) > 0 {
		l, err := readLooks(audit)
		if err != nil {
			return last, err
		}
		if n := len(l); n > 0 && l[n-1].After(last.Add(period/2)) {
			return l[n-1], nil
		}
		if err := sleep(ctx, 20*time.Millisecond); err != nil {
			return last, err
		}
	}
	return expected, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
