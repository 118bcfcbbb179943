// Package watch is tolero watch: which pods become pending and why, which are evicted and when,
// and which taints come and go.
package watch

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/cluster"
	"github.com/tolero-dev/tolero/examples/internal/command"
)

// Command is tolero watch.
var Command = command.Command{
	Name:    "watch",
	Summary: "what changes in your cluster: pods pending and why, evictions and when, taints",
	About: `
Runs kubectl get --watch for nodes and pods until it is interrupted. First it tells what is
so already. A line tells when it was seen.`,
	Examples: `
  # your cluster
  tolero watch

  # the pods of one namespace
  tolero watch -n shop`,
	Run: func(p *command.Program, args []string) error {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return watch(ctx, p, args)
	},
}

var kinds = []string{"nodes", "pods"}

// Events that come close together are one change: until none has come for settle, but no longer
// than most, in which lists of all kinds should begin too.
var settle, most = 300 * time.Millisecond, 5 * time.Second

func watch(ctx context.Context, p *command.Program, args []string) error {
	if err := p.Parse(p.Flags(), args, 0); err != nil {
		return err
	}
	if p.Format != "text" || p.Given["f"] {
		return command.Usagef("tolero watch reads the cluster and writes text: it takes neither -f nor -o")
	}
	ctx, stop := context.WithCancel(ctx)
	events, failed := make(chan cluster.Event), make(chan error, len(kinds))
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	for _, kind := range kinds {
		running.Go(func() {
			if err := p.Kubectl.Watch(ctx, kind, func(e cluster.Event) {
				select {
				case events <- e:
				case <-ctx.Done():
				}
			}); err != nil {
				failed <- err
			}
		})
	}
	w := newWorld(p)
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return err
		case e := <-events:
			if err := w.take(e); err != nil {
				return err
			}
		case <-w.quiet.C:
			if err := w.tell(); err != nil {
				return err
			}
		}
	}
}
