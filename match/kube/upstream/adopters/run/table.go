package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// table returns the tables for the README: the tests of each project, and each call that
// was timed.
func table(rows []*row, now time.Time) string {
	var tests, calls, dialects strings.Builder
	fmt.Fprintf(&tests, "Run on %s with %s:\n\n", now.UTC().Format(time.DateOnly), runtime.Version())
	tests.WriteString("| project | packages | tests run | passed before | passed after | same answers |\n|---|---|---|---|---|---|\n")
	calls.WriteString("| call | ns before | ns after | allocations before | allocations after |\n|---|---|---|---|---|\n")
	for _, r := range rows {
		run, before := r.before.tests()
		_, after := r.after.tests()
		same := ""
		for _, line := range r.ours.output {
			kind, rest, _ := strings.Cut(line, " ")
			switch kind {
			case "same":
				same = strings.TrimPrefix(same+" + "+rest, " + ")
			case "dialect":
				fmt.Fprintf(&dialects, "\n%s %s: dialect %s\n", r.project.module, r.version, rest)
			case "call":
				fmt.Fprintf(&calls, "| %s, %s |\n", r.project.name, strings.ReplaceAll(rest, "|", " | "))
			}
		}
		if len(r.project.packages) == 0 {
			continue
		}
		fmt.Fprintf(&tests, "| `%s` %s | %d | %d | %d | %d | %s |\n", r.project.module, r.version, len(r.project.packages), run, before, after, same)
	}
	return tests.String() + "\n" + calls.String() + dialects.String()
}
