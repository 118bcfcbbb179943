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
// first time. Beside temporary files it writes only to the build and module caches, and
// links to the user's cache. It ends what it started when it is interrupted or after
// -limit.
package main

import (
	"context"
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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, *limit)
	defer cancel()
	status := 0
	var rows []*row
	for i := range projects {
		p := &projects[i]
		if *only != "" && !slices.Contains(strings.Split(*only, ","), p.name) {
			continue
		}
		r, err := p.run(ctx, *adopters, *verbose)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", p.name, err)
			status = 1
		}
		if r != nil {
			rows = append(rows, r)
		}
	}
	fmt.Print(table(rows, time.Now()))
	return status
}
