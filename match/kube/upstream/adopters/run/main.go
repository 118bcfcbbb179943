// Run tests other projects with tolero under their calls:
//
//	cd match/kube/upstream && ADOPTERS=1 go run ./adopters/run [-only karpenter,kueue]
//
// For each project it runs the unmodified unit tests of its released module twice, as
// they are and with the calls of Kubernetes' helpers rewritten to those of match/kube.
// The rewritten files are made from the module cache, live in a temporary folder, and
// take the place of the originals through go test -overlay. They also hold the original
// functions under another name, so that a test of ours, put into the same package, gives
// both the same questions and times them in turns. It prints a table for the README of
// match/kube. The exit status is 1 if a test passed before and not after, if an answer
// differs, or if something could not be run.
//
// It asks for the environment variable because it compiles much: minutes for each project,
// and more the first time. It writes nothing but build and module caches and links in the
// user's cache, and ends what it started when it is interrupted or its time is over.
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
