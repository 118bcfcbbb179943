package benchtext_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/bench/internal/benchtext"
)

func TestRead(t *testing.T) {
	const text = `goos: linux
cpu: AMD: the fast one
some: thing else that is printed
Benchmark: not a result
BenchmarkAlone
BenchmarkA/nodes=5-2         	       3	   12.5 ns/op	 0 allocs/op	 1e+06 peer/index
--- FAIL: BenchmarkB
goos: plan9
BenchmarkA/nodes=5-2 4 13 ns/op
PASS
ok  	example.com/x	1.2s
`
	want := &benchtext.File{
		Config: map[string]string{"goos": "plan9", "cpu": "AMD: the fast one", "some": "thing else that is printed"},
		Results: []benchtext.Result{
			{Name: "A/nodes=5-2", Iterations: 3, Metrics: map[string]float64{"ns/op": 12.5, "allocs/op": 0, "peer/index": 1e6}},
			{Name: "A/nodes=5-2", Iterations: 4, Metrics: map[string]float64{"ns/op": 13}},
		},
	}
	got, err := benchtext.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestReadErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"x\nBenchmarkA 1 two ns/op", `line 2: BenchmarkA: "two" is not a number of ns/op`},
		{"BenchmarkA 1 2 ns/op 3", `line 1: BenchmarkA: the value "3" has no unit`},
	} {
		if _, err := benchtext.Read(strings.NewReader(test.text)); err == nil || err.Error() != test.want {
			t.Errorf("%q: %v, want %s", test.text, err, test.want)
		}
	}
	broken := errors.New("broken")
	if _, err := benchtext.Read(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("%v, want %v", err, broken)
	}
}
