// Package ratio times pieces of work side by side in one benchmark: in turns, so
// that whatever disturbs the machine disturbs all of them, and says how many
// times longer one takes than another. Times of different runs, machines and
// builds say little about each other; ratios within a run do.
//
//	b.Run("100000 nodes", func(b *testing.B) {
//		r := ratio.Measure(b, "pod",
//			ratio.Side{Name: "peer", Units: 50, Do: ...},
//			ratio.Side{Name: "index", Units: 1000, Do: ...})
//		r.Report(b, "peer", "index")
//	})
//
// gives the metrics peer-ns/pod, index-ns/pod and peer/index. A name must be that
// of a side of the measurement, everywhere.
//
// What is taken is the processor time of the program where the system tells it,
// garbage collection included. On a machine that does other things too, the
// clock on the wall is unfair to long rounds: they are interrupted every time,
// and short ones seldom. Work that waits, or uses several processors, is not for
// this package.
package ratio

import (
	"slices"
	"testing"
	"time"
)

// Side is one piece of work.
type Side struct {
	Name string
	// Do does the work once and returns its answer, for [Result.Agree].
	Do func() int
	// Units is how much of the work that is, in the unit of the figures: the
	// number of pods, say.
	Units int
}

// Result is what [Measure] found. The zero Result has no sides. Copies share
// everything and may be read concurrently.
type Result struct {
	sides map[string]*measured
}

type measured struct {
	Side
	repeats int
	answer  int
	times   []time.Duration // of repeats each
}

// Measure times the sides in turns for as long as b asks for, and reports the
// median of each as the metric <name>-ns/<unit>. The time per iteration, which
// would be that of all sides together, is not reported. Names must differ.
func Measure(b *testing.B, unit string, sides ...Side) Result {
	r := Result{make(map[string]*measured)}
	order := make([]*measured, len(sides))
	for i, side := range sides {
		order[i] = &measured{Side: side}
		order[i].calibrate()
		r.sides[side.Name] = order[i]
	}
	for turn := 0; b.Loop(); turn++ {
		for i := range order {
			order[(turn+i)%len(order)].time() // nobody is always the first
		}
	}
	b.ReportMetric(0, "ns/op")
	for _, m := range order {
		b.ReportMetric(m.nanoseconds(), m.Name+"-ns/"+unit)
	}
	return r
}

// round is how long a piece of work must take for the clock not to count.
const round = time.Millisecond

// calibrate finds how often the work must be done in a row. It gives up on work
// that waits.
func (m *measured) calibrate() {
	start := time.Now()
	for m.repeats = 1; ; m.repeats *= 2 {
		m.time()
		elapsed := m.times[0]
		m.times = m.times[:0]
		if elapsed >= round || time.Since(start) >= 300*round {
			return
		}
	}
}

func (m *measured) time() {
	start := processorTime()
	for range m.repeats {
		m.answer = m.Do()
	}
	m.times = append(m.times, processorTime()-start)
}

// nanoseconds returns the median time of a unit.
func (m *measured) nanoseconds() float64 {
	sorted := slices.Sorted(slices.Values(m.times))
	n := len(sorted)
	median := (sorted[(n-1)/2] + sorted[n/2]) / 2
	return float64(median) / float64(m.repeats*m.Units)
}

// Nanoseconds returns the median time that the named side takes for a unit.
func (r Result) Nanoseconds(name string) float64 { return r.sides[name].nanoseconds() }

// Report reports how many times longer a unit takes with one side than with another
// as the metric <slow>/<fast>.
func (r Result) Report(b *testing.B, slow, fast string) {
	b.ReportMetric(r.Nanoseconds(slow)/r.Nanoseconds(fast), slow+"/"+fast)
}

// Agree ends the benchmark as failed if the answers of the named sides, in their
// last round, are not the same.
func (r Result) Agree(b *testing.B, names ...string) {
	b.Helper()
	for _, name := range names[1:] {
		if got, want := r.sides[name].answer, r.sides[names[0]].answer; got != want {
			b.Fatalf("%s answers %d, %s %d", name, got, names[0], want)
		}
	}
}
