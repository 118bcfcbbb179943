package main

import (
	"go/ast"
	"regexp"
	"slices"
	"sync"
	"time"
)

// firstBatch is the time of the tests that are tried first. To start a process
// takes some milliseconds, which is more than most tests take.
const firstBatch = 50 * time.Millisecond

// batches divides tests, the quickest first, so that each batch takes about as
// long as those before it together. The test named first is a batch of its own
// before the others.
func batches(tests []*test, first string) (all [][]*test) {
	if i := slices.IndexFunc(tests, func(t *test) bool { return t.name == first }); i >= 0 {
		all = append(all, tests[i:i+1])
		tests = slices.Delete(slices.Clone(tests), i, i+1)
	}
	var spent, limit time.Duration = 0, firstBatch
	start := 0
	for i, t := range tests {
		if spent += t.cpu; spent > limit && i > start {
			all = append(all, tests[start:i])
			start, limit = i, 2*spent
		}
	}
	if start < len(tests) {
		all = append(all, tests[start:])
	}
	return all
}

// killers remembers the test that killed the last mutant of a function: often it
// kills the next one too.
type killers struct {
	mu   sync.Mutex
	last map[*ast.FuncDecl]string
}

func (r *runner) killer(m *Mutant) string {
	r.killers.mu.Lock()
	defer r.killers.mu.Unlock()
	return r.killers.last[m.fn]
}

var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// setKiller finds in the output of tests which one killed m.
func (r *runner) setKiller(m *Mutant, output []byte) {
	if match := failedTest.FindSubmatch(output); match != nil {
		r.killers.mu.Lock()
		defer r.killers.mu.Unlock()
		r.killers.last[m.fn] = string(match[1])
	}
}
