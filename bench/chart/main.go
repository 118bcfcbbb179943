// Chart draws what one pod costs against fleets of growing size: by the helper of
// Kubernetes, by package match and by the fleet index. It reads the results of
// benchmark P3 of match/kube in the form that go test prints and benchstat reads,
// and writes an SVG picture.
//
//	go generate ./bench/chart
//	go run ./bench/chart -results FILE -benchmark P3/pools -o FILE
//
// results.txt beside it is checked in, and so is the picture. To measure anew:
//
//	cd match/kube/upstream
//	go test -run '^$' -bench P3/pools -cpu 1 -count 5 ./kube >../../../bench/chart/results.txt
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/tolero-dev/tolero/bench/internal/benchtext"
)

//go:generate go run . -results results.txt -o scaling.svg

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "chart:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("chart", flag.ContinueOnError)
	flags.SetOutput(stderr)
	results := flags.String("results", "results.txt", "the `file` of results")
	output := flags.String("o", "", "the `file` to write, instead of standard output")
	benchmark := flags.String("benchmark", "P3/pools", "the `name` of the benchmark, up to /nodes=")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("argument %q: there are only flags", flags.Arg(0))
	}
	picture, err := draw(*results, *benchmark)
	if err != nil {
		return err
	}
	if *output == "" {
		_, err = stdout.Write(picture)
		return err
	}
	return os.WriteFile(*output, picture, 0o644)
}

// draw returns the picture of a file of results.
func draw(name, benchmark string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	results, err := benchtext.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c, err := newChart(results, benchmark)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c.svg(), nil
}
