package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The picture that is checked in is that of the results that are.
func TestNoDrift(t *testing.T) {
	got, err := draw("results.txt", "P3/pools")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("scaling.svg")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("go generate would change scaling.svg (-checked in +drawn):\n%s", diff)
	}
}

// results writes a file of lines "nodes peer match index".
func results(t *testing.T, head string, lines ...string) string {
	t.Helper()
	text := head + "\n"
	for _, line := range lines {
		f := strings.Fields(line)
		text += "BenchmarkP3/x/nodes=" + f[0] + " 1 " + f[1] + " peer-sample-ns/pod " + f[2] + " match-sample-ns/pod " + f[3] + " index-ns/pod\n"
	}
	name := filepath.Join(t.TempDir(), "results.txt")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// Whatever the results say, the picture is XML that says it too.
func TestPictureIsXML(t *testing.T) {
	picture, err := draw(results(t, `cpu: </text><script>&"`, "10-8 1000 100 10", "10-8 3000 300 30", "100-8 2e9 5000 20", "100-8 4e9 5000 20"), "P3/x")
	if err != nil {
		t.Fatal(err)
	}
	var elements []string
	var text strings.Builder
	decoder := xml.NewDecoder(bytes.NewReader(picture))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			elements = append(elements, token.Name.Local)
		case xml.CharData:
			text.Write(token)
		}
	}
	if slices.Contains(elements, "script") {
		t.Error("the results got into the markup")
	}
	for _, want := range []string{
		`</text><script>&"`, "Medians of 2 runs", "10 nodes: 2\u00a0µs", "100 nodes: 3\u00a0s",
		"Kubernetes’ helper: from 2\u00a0µs to 3\u00a0s.", "compile/index: from 20\u00a0ns to 20\u00a0ns.", "150,000,000 ×",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the picture does not say %q", want)
		}
	}
}

func TestErrors(t *testing.T) {
	two := results(t, "", "10 3 2 1", "100 3 2 1")
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"no file", []string{"-results", filepath.Join(t.TempDir(), "none")}, "no such file"},
		{"argument", []string{"more"}, `argument "more": there are only flags`},
		{"flag", []string{"-x"}, "not defined: -x"},
		{"other benchmark", []string{"-results", two, "-benchmark", "P3/y"}, "0 numbers of nodes in the results of BenchmarkP3/y"},
		{"one size", []string{"-results", results(t, "", "10 3 2 1", "10 3 2 1"), "-benchmark", "P3/x"}, "1 numbers of nodes"},
		{"nothing taken", []string{"-results", results(t, "", "10 3 2 1", "100 3 0 1"), "-benchmark", "P3/x"}, "match-sample-ns/pod of BenchmarkP3/x/nodes=100 is 0, want a positive number"},
		{"no time", []string{"-results", results(t, "", "10 3 2 1", "100 NaN 2 1"), "-benchmark", "P3/x"}, "peer-sample-ns/pod of BenchmarkP3/x/nodes=100 is NaN"},
		{"no number", []string{"-results", results(t, "", "10 x 2 1"), "-benchmark", "P3/x"}, `line 2: BenchmarkP3/x/nodes=10: "x" is not a number`},
		{"no such folder", []string{"-results", two, "-benchmark", "P3/x", "-o", filepath.Join(t.TempDir(), "none", "x.svg")}, "no such file"},
	} {
		if err := run(test.args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
	if err := run([]string{"-h"}, io.Discard, io.Discard); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h: %v", err)
	}
}

func TestOutput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.svg")
	input := []string{"-results", results(t, "", "10 3 2 1", "100 3 2 1"), "-benchmark", "P3/x"}
	var stdout bytes.Buffer
	if err := run(input, &stdout, io.Discard); err != nil {
		t.Fatal(err)
	}
	if err := run(append(input, "-o", file), io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	if written, err := os.ReadFile(file); err != nil || !bytes.Equal(written, stdout.Bytes()) || !bytes.HasPrefix(written, []byte("<svg ")) {
		t.Errorf("%v; the file and standard output differ, or are no picture", err)
	}
}

func TestNumbers(t *testing.T) {
	for value, want := range map[float64]string{
		1: "1", 9.994: "9.99", 12.34: "12.3", 99.96: "100", 123.4: "123", 1000: "1,000", 56789: "56,789", 1e6: "1,000,000", 0.5: "0.5",
	} {
		if got := digits(value); got != want {
			t.Errorf("digits(%v) = %s, want %s", value, got, want)
		}
	}
	for value, want := range map[float64]string{
		86.4: "86.4 ns", 999.4: "999 ns", 999.6: "1 µs", 1234: "1.23 µs", 18.77e6: "18.8 ms", 5e9: "5 s", 7.2e12: "7,200 s",
	} {
		if got := strings.ReplaceAll(duration(value), "\u00a0", " "); got != want {
			t.Errorf("duration(%v) = %s, want %s", value, got, want)
		}
	}
	for value, want := range map[float64]float64{57021: 57000, 3.14159: 3.1, 99.9: 100, 12: 12} {
		if got := rounded(value); got < want*0.9999 || got > want*1.0001 {
			t.Errorf("rounded(%v) = %v, want %v", value, got, want)
		}
	}
}

// A scale takes in all values, ends on powers of ten, and equal ratios are
// equally long on it.
func TestScale(t *testing.T) {
	s := newScale(86, 23e6, 400, 100)
	if s.low != 10 || s.high != 1e8 || len(s.ticks()) != 8 {
		t.Errorf("%+v with ticks %v", s, s.ticks())
	}
	if s.at(s.low) != 400 || s.at(s.high) != 100 {
		t.Errorf("the ends are at %v and %v", s.at(s.low), s.at(s.high))
	}
	if a, b := s.at(20)-s.at(200), s.at(5e5)-s.at(5e6); a-b > 1e-9 || b-a > 1e-9 {
		t.Errorf("ten times as much is %v or %v away", a, b)
	}
	if s := newScale(100, 100, 0, 1); s.at(100) != 0 || s.at(1000) != 1 {
		t.Errorf("a scale of one value is %+v", s)
	}
}
