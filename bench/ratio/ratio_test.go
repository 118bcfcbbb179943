package ratio

import (
	"flag"
	"os"
	"slices"
	"testing"
	"time"
)

// The benchmarks that the tests run make a few turns only.
func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("test.benchtime", "4x")
	os.Exit(m.Run())
}

// spin works long enough for once a turn.
func spin() {
	for start := processorTime(); processorTime()-start < round; {
	}
}

func milliseconds(times ...int) (list []time.Duration) {
	for _, t := range times {
		list = append(list, time.Duration(t)*time.Millisecond)
	}
	return list
}

func TestMedianPerUnit(t *testing.T) {
	for _, test := range []struct {
		m    measured
		want float64
	}{
		{measured{Side: Side{Units: 1}, repeats: 1, times: milliseconds(7)}, 7e6},
		{measured{Side: Side{Units: 1}, repeats: 1, times: milliseconds(900, 1, 3)}, 3e6},
		{measured{Side: Side{Units: 1}, repeats: 1, times: milliseconds(900, 5, 1, 3)}, 4e6},
		{measured{Side: Side{Units: 10}, repeats: 4, times: milliseconds(4)}, 1e5},
	} {
		if got := test.m.nanoseconds(); got != test.want {
			t.Errorf("%v by %d times %d: %v ns, want %v", test.m.times, test.m.repeats, test.m.Units, got, test.want)
		}
	}
}

// Every side has its figure, the sides take turns at being first, and the
// ratio is that of the figures.
func TestMeasure(t *testing.T) {
	firsts := map[string]bool{}
	result := testing.Benchmark(func(b *testing.B) {
		var order []string
		side := func(name string, units int) Side {
			return Side{Name: name, Units: units, Do: func() int {
				order = append(order, name)
				spin()
				return units
			}}
		}
		r := Measure(b, "thing", side("a", 1), side("b", 100))
		r.Report(b, "a", "b")
		order = order[2:] // calibration
		for i := 0; i+1 < len(order); i += 2 {
			if order[i] == order[i+1] {
				t.Errorf("%s twice in a turn", order[i])
			}
			firsts[order[i]] = true
		}
	})
	a, b := result.Extra["a-ns/thing"], result.Extra["b-ns/thing"]
	if a <= 0 || b <= 0 || result.Extra["a/b"] != a/b {
		t.Errorf("the metrics are %v", result.Extra)
	}
	if result.N != 4 || len(firsts) != 2 {
		t.Errorf("in %d turns %v came first", result.N, firsts)
	}
}

// Work that waits does not go on forever.
func TestWaiting(t *testing.T) {
	m := measured{Side: Side{Units: 1, Do: func() int { time.Sleep(200 * round); return 0 }}}
	m.calibrate()
	if m.repeats > 8 {
		t.Errorf("%d times in a row", m.repeats)
	}
}

func TestAgree(t *testing.T) {
	answers := []int{4, 4, 5}
	var failed []bool
	for _, names := range [][]string{{"0", "1"}, {"0", "1", "2"}} {
		result := testing.Benchmark(func(b *testing.B) {
			var sides []Side
			for i, answer := range answers {
				sides = append(sides, Side{Name: string(rune('0' + i)), Units: 1, Do: func() int { spin(); return answer }})
			}
			Measure(b, "x", sides...).Agree(b, names...)
		})
		failed = append(failed, result.N == 0)
	}
	if !slices.Equal(failed, []bool{false, true}) {
		t.Errorf("failed: %v", failed)
	}
}
