// Package benchtext reads the output of Go benchmarks: the text that go test
// -bench writes and benchstat reads. It knows the little that the programs beside
// it need, which is less than the module golang.org/x/perf would bring in.
package benchtext

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// File is what one or more runs printed, in their order. The zero File is empty;
// a File is plain data and belongs to the caller.
type File struct {
	// Config has the last value of each configuration line, such as "cpu: x".
	Config  map[string]string
	Results []Result
}

// Result is a line of results.
type Result struct {
	Name       string // without "Benchmark" and with "-8" of eight processors
	Iterations int
	Metrics    map[string]float64 // by unit
}

// Read reads until the end. Lines that are neither configuration nor results are
// passed over, as go test mixes them with what a program prints. A result whose
// values are no numbers is an error that names the line.
func Read(r io.Reader) (*File, error) {
	f := &File{Config: make(map[string]string)}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "Benchmark"):
			result, ok, err := parse(line)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			if ok {
				f.Results = append(f.Results, result)
			}
		default:
			if key, value, found := strings.Cut(line, ": "); found && isKey(key) {
				f.Config[key] = strings.TrimSpace(value)
			}
		}
	}
	return f, lines.Err()
}

// parse takes a line apart. It is not one of results if it has no number of
// iterations: then it is the name alone, printed before the benchmark runs.
func parse(line string) (result Result, ok bool, err error) {
	fields := strings.Fields(line)
	if len(fields) < 4 {
		return Result{}, false, nil
	}
	iterations, err := strconv.Atoi(fields[1])
	if err != nil {
		return Result{}, false, nil
	}
	result = Result{strings.TrimPrefix(fields[0], "Benchmark"), iterations, make(map[string]float64)}
	for pair := fields[2:]; len(pair) > 0; pair = pair[2:] {
		if len(pair) == 1 {
			return Result{}, false, fmt.Errorf("%s: the value %q has no unit", fields[0], pair[0])
		}
		value, err := strconv.ParseFloat(pair[0], 64)
		if err != nil {
			return Result{}, false, fmt.Errorf("%s: %q is not a number of %s", fields[0], pair[0], pair[1])
		}
		result.Metrics[pair[1]] = value
	}
	return result, true, nil
}

// isKey reports whether a line that starts so is one of configuration.
func isKey(text string) bool {
	return text != "" && strings.ToLower(text) == text && !strings.ContainsAny(text, " \t")
}
