package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/bench/internal/benchtext"
)

// series is one line of the chart.
type series struct {
	metric string // of the results
	label  string
	class  string // in the style sheet
	points []point
}

// point is the median of what was measured for a fleet.
type point struct {
	nodes, nanoseconds float64
}

// chart is what the picture shows.
type chart struct {
	series []series
	runs   int    // the fewest of any point
	cpu    string // that it was measured on
}

// newChart takes the points of a benchmark from results. Each of the series
// must have two sizes of fleet or more, the same for all.
func newChart(results *benchtext.File, benchmark string) (*chart, error) {
	c := &chart{runs: math.MaxInt, cpu: results.Config["cpu"], series: []series{
		{metric: "peer-sample-ns/pod", label: "Kubernetes’ helper", class: "peer"},
		{metric: "match-sample-ns/pod", label: "match", class: "match"},
		{metric: "index-ns/pod", label: "compile/index", class: "index"},
	}}
	for i := range c.series {
		if err := c.collect(&c.series[i], results.Results, benchmark); err != nil {
			return nil, err
		}
		if got, want := c.series[i].points, c.series[0].points; !slices.EqualFunc(got, want, sameNodes) {
			return nil, fmt.Errorf("%s and %s are not of the same numbers of nodes", c.series[i].metric, c.series[0].metric)
		}
	}
	return c, nil
}

func sameNodes(a, b point) bool { return a.nodes == b.nodes }

// collect fills in the points of s.
func (c *chart) collect(s *series, results []benchtext.Result, benchmark string) error {
	byNodes := make(map[float64][]float64)
	for _, result := range results {
		nodes, ok := nodesOf(result.Name, benchmark)
		if !ok {
			continue
		}
		value, found := result.Metrics[s.metric]
		if !found || value <= 0 || math.IsInf(value, 0) || math.IsNaN(value) {
			return fmt.Errorf("%s of Benchmark%s is %v, want a positive number", s.metric, result.Name, value)
		}
		byNodes[nodes] = append(byNodes[nodes], value)
	}
	if len(byNodes) < 2 {
		return fmt.Errorf("%d numbers of nodes in the results of Benchmark%s, want 2 or more", len(byNodes), benchmark)
	}
	for _, nodes := range slices.Sorted(maps.Keys(byNodes)) {
		s.points = append(s.points, point{nodes, median(byNodes[nodes])})
		c.runs = min(c.runs, len(byNodes[nodes]))
	}
	return nil
}

// processors is what go test puts behind the names of benchmarks that run on
// more than one.
var processors = regexp.MustCompile(`-\d+$`)

// nodesOf returns the number of nodes that a benchmark's name ends in, if it is
// of the benchmark.
func nodesOf(name, benchmark string) (nodes float64, ok bool) {
	digits, ok := strings.CutPrefix(processors.ReplaceAllString(name, ""), benchmark+"/nodes=")
	n, err := strconv.ParseUint(digits, 10, 32)
	return float64(n), ok && err == nil && n > 0
}

func median(values []float64) float64 {
	slices.SortFunc(values, cmp.Compare)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
