// Run tests other projects with tolero under their calls:
//
//	cd match/kube/upstream && ADOPTERS=1 go run ./adopters/run [-only karpenter,kueue]
//
// For each project it runs the unmodified unit tests of the released module twice: first
// with the project's code as it is, then with the calls of Kubernetes' helpers rewritten
// to call match/kube. The rewritten files are made from the module cache into a temporary
// folder, and replace the originals through go test -overlay. They also hold the original
// functions under another name, so that a test of ours, put into the same package, asks
// both the same questions and times them in turns. The program prints the tables for the
// README of match/kube. The exit status is 1 if a test passed before and not after, if an
// answer differs, or if something could not be run.
//
// It requires ADOPTERS=1 because it compiles for minutes for each project, and longer the
// first time. It writes to the build and module caches, as the go command does. All else is
// in the folder tolero-adopters of the user's cache, and is removed at the end, also if
// something fails, the run is interrupted, or the time of -limit is over, which ends what was
// started. If a run is killed, the next one removes what it left; it refuses a folder with
// anything else in it. Only one can run at a time.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	os.Exit(command())
}

func command() int {
	only := flag.String("only", "", "names of projects, separated by commas; all without")
	limit := flag.Duration("limit", time.Hour, "the time for everything")
	adopters := flag.String("adopters", "adopters", "the folder of the projects' modules")
	verbose := flag.Bool("v", false, "print what the tests print")
	flag.Parse()
	if os.Getenv("ADOPTERS") == "" {
		fmt.Println("nothing is run: set ADOPTERS=1, it takes minutes and gigabytes")
		return 0
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, *limit)
	defer cancel()
	cache, err := os.UserCacheDir()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	chosen, err := choose(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	rows, err := run(ctx, chosen, *adopters, cache, *verbose)
	fmt.Print(table(rows, time.Now()))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// choose returns the projects with the names, or all.
func choose(names string) (chosen []project, err error) {
	if names == "" {
		return projects, nil
	}
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(projects, func(p project) bool { return p.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no project %s", name)
		}
		chosen = append(chosen, projects[i])
	}
	return chosen, nil
}

// run runs the tests of some projects, with a folder in cache that is gone when it returns.
// One that fails does not keep the others from being run; the error says what has failed.
func run(ctx context.Context, chosen []project, adopters, cache string, verbose bool) (rows []*row, err error) {
	work, err := open(cache)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, work.close()) }()
	for _, name := range []string{"TMPDIR", "GOTMPDIR"} { // a killed process leaves its files there
		if old, ok := os.LookupEnv(name); ok {
			defer os.Setenv(name, old)
		} else {
			defer os.Unsetenv(name)
		}
		os.Setenv(name, work.temp())
	}
	for i := range chosen {
		if ctx.Err() != nil {
			break
		}
		p := &chosen[i]
		r, failed := p.run(ctx, adopters, work, verbose)
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", p.name, failed))
		}
		if r != nil {
			rows = append(rows, r)
		}
	}
	return rows, err
}
