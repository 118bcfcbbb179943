package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/bench/internal/benchtext"
)

// times runs the benchmarks of the revisions in turns, one round after the
// other, and prints what benchstat makes of it.
func (c *comparison) times(ctx context.Context) error {
	for i := range c.count {
		c.progress("run %d of %d", i+1, c.count)
		for _, r := range []*revision{c.old, c.new} {
			for _, name := range slices.Sorted(maps.Keys(r.binaries)) {
				args := []string{"-test.bench", c.bench, "-test.benchtime", c.benchtime}
				text, err := finish(command(ctx, filepath.Join(r.root, name), r.binaries[name], append(args, always...)...))
				if err != nil {
					return fmt.Errorf("%s: %w", r.name, err)
				}
				r.outputs = append(r.outputs, output{name, text})
			}
		}
	}
	return c.report(ctx)
}

// always are the flags of every run: no tests, and one processor, so that names
// have no number of them.
var always = []string{"-test.run", "^$", "-test.cpu", "1", "-test.benchmem"}

// report writes the results to files, and lets benchstat compare them.
func (c *comparison) report(ctx context.Context) error {
	dir := c.temp
	if c.results != "" {
		dir = c.results
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	args := c.benchstat[:len(c.benchstat):len(c.benchstat)]
	for _, r := range []*revision{c.old, c.new} {
		var text strings.Builder
		for _, o := range r.outputs {
			text.WriteString(o.text)
		}
		file := filepath.Join(dir, r.role+".txt")
		if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
			return err
		}
		args = append(args, r.role+"="+file)
	}
	if len(c.benchstat) == 0 {
		return nil
	}
	text, err := execute(ctx, c.repository, args[0], args[1:]...)
	if err == nil {
		fmt.Fprintln(c.stdout, text)
	}
	return err
}

// benchmark is a benchmark of a package.
type benchmark struct {
	pkg, name string
}

// collect returns the values of a metric that a revision printed, in the order
// of the runs.
func (r *revision) collect(metric string) (map[benchmark][]float64, error) {
	values := make(map[benchmark][]float64)
	for _, o := range r.outputs {
		file, err := benchtext.Read(strings.NewReader(o.text))
		if err != nil {
			return nil, fmt.Errorf("%s: package %s: %w", r.name, o.pkg, err)
		}
		for _, result := range file.Results {
			if value, ok := result.Metrics[metric]; ok {
				b := benchmark{o.pkg, result.Name}
				values[b] = append(values[b], value)
			}
		}
	}
	return values, nil
}

// collect returns the values of a metric of both revisions.
func (c *comparison) collect(metric string) (old, new map[benchmark][]float64, err error) {
	if old, err = c.old.collect(metric); err != nil {
		return nil, nil, err
	}
	new, err = c.new.collect(metric)
	return old, new, err
}

// common returns what both revisions have measured, in a fixed order.
func common(old, new map[benchmark][]float64) []benchmark {
	var both []benchmark
	for b := range old {
		if len(new[b]) > 0 {
			both = append(both, b)
		}
	}
	slices.SortFunc(both, func(a, b benchmark) int {
		return cmp.Or(strings.Compare(a.pkg, b.pkg), strings.Compare(a.name, b.name))
	})
	return both
}
