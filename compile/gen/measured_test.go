package gen_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile/gen"
	"github.com/tolero-dev/tolero/compile/gen/internal/measured"
)

// addMeasured generates packages for the lists of package measured: one with methods, and one
// that stands alone.
func (w *workspace) addMeasured(t testing.TB) {
	t.Helper()
	w.add(t, measured.Lists(), gen.Options{Package: "best", Exported: true, Rules: comparing})
	w.add(t, measured.Lists(), gen.Options{Package: "standalone", Exported: true, Functions: true, Standalone: true, Rules: comparing})
}

// measuredWorkspace returns a workspace with every form of code for the lists of
// package measured, and with the tests and benchmarks of testdata/measured.
func measuredWorkspace(t testing.TB) *workspace {
	t.Helper()
	w := newWorkspace(t)
	w.addMeasured(t)
	tests, err := filepath.Glob("testdata/measured/*_test.go")
	if err != nil || len(tests) == 0 {
		t.Fatalf("no tests in testdata/measured: %v", err)
	}
	for _, file := range tests {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w.write(t, filepath.Join("measured", filepath.Base(file)), text)
	}
	w.packages = append(w.packages, "./measured")
	return w
}

// TestMeasured generates the code that benchmarks ask, in both forms, runs the generated tests and those of testdata/measured, and fuzzes the code
// for a list with a toleration of every kind.
func TestMeasured(t *testing.T) {
	w := measuredWorkspace(t)
	w.test(t)
	for _, name := range []string{"best", "standalone"} {
		w.run(t, "test", "-run=^$", "-fuzz=^FuzzEverything$", "-fuzztime=2000x", "./"+name)
	}
}

// BenchmarkP8 measures figure P8. The benchmark itself is in testdata/measured; it needs code that is generated and
// compiled here. All sides of a comparison run in one process.
func BenchmarkP8(b *testing.B) {
	p := buildMeasured(b)
	for _, n := range measured.Sizes {
		p.benchmark(b, "BenchmarkP8", fmt.Sprintf("%02d", n))
	}
}

// benchtime is what the flag of go test says.
func benchtime() string { return flag.Lookup("test.benchtime").Value.String() }

// program is the compiled test program of testdata/measured.
type program string

func buildMeasured(b *testing.B) program {
	b.Helper()
	w := measuredWorkspace(b)
	p := filepath.Join(w.dir, "measured.test")
	w.run(b, "test", "-c", "-o", p, "./measured")
	return program(p)
}

// benchmark runs one benchmark of the program for as long as b is asked to, and
// reports the program's figures as those of b.
func (p program) benchmark(b *testing.B, name, list string) {
	b.Run(list, func(b *testing.B) {
		output, err := exec.Command(string(p), "-test.run=^$", "-test.cpu=1", "-test.bench=^"+name+"$/^"+list+"$",
			"-test.benchtime="+benchtime()).CombinedOutput()
		if err != nil {
			b.Fatalf("%v\n%s", err, output)
		}
		figures := figuresOf(string(output), name+"/"+list)
		if len(figures) == 0 {
			b.Fatalf("no figures:\n%s", output)
		}
		b.ReportMetric(0, "ns/op")
		for unit, figure := range figures {
			b.ReportMetric(figure, unit)
		}
	})
}

// figuresOf returns the figures on the line of a benchmark, by their unit.
func figuresOf(output, name string) map[string]float64 {
	figures := make(map[string]float64)
	for line := range strings.Lines(output) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] != name {
			continue
		}
		for i := 2; i+1 < len(fields); i += 2 { // after the name and the number of turns
			if figure, err := strconv.ParseFloat(fields[i], 64); err == nil {
				figures[fields[i+1]] = figure
			}
		}
	}
	return figures
}
