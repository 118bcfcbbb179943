package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// progress prints outcomes as they come, in the order of the mutants.
type progress struct {
	out       io.Writer
	verbose   bool
	explained equivalents

	mu      sync.Mutex
	waiting map[int]string // what is to be printed for mutants that came early
	next    int
}

func newProgress(out io.Writer, verbose bool, explained equivalents) *progress {
	return &progress{out: out, verbose: verbose, explained: explained, waiting: map[int]string{}}
}

// done takes the outcome of the i-th mutant.
func (p *progress) done(i int, m *Mutant, o outcome) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting[i] = ""
	unexplained := o.alive() && p.explained[m.equivalent()] == ""
	if p.verbose || unexplained || o == timedOut {
		p.waiting[i] = fmt.Sprintf("%v: %s", o, m.diff())
	}
	for {
		text, ok := p.waiting[p.next]
		if !ok {
			return
		}
		fmt.Fprint(p.out, text)
		delete(p.waiting, p.next)
		p.next++
	}
}

// report prints what is wrong with the list of explained mutants and the
// numbers, and reports whether anything is wrong at all.
func report(out io.Writer, mutants []Mutant, outcomes []outcome, explained equivalents) (failed bool) {
	var count [unreached + 1]int
	same := 0
	used, files := map[equivalent]bool{}, map[string]bool{}
	for i := range mutants {
		count[outcomes[i]]++
		e := mutants[i].equivalent()
		files[e.file] = true
		if explained[e] == "" {
			continue
		}
		used[e] = true
		if outcomes[i].alive() {
			same++
		} else {
			failed = true
			fmt.Fprintf(out, "explained as equivalent, but %v: %s", outcomes[i], mutants[i].diff())
		}
	}
	for e := range explained {
		if files[e.file] && !used[e] {
			failed = true
			fmt.Fprintf(out, "explained as equivalent, but there is no such mutant: %s: %s\n\t- %s\n\t+ %s\n", e.file, e.decl, e.before, e.after)
		}
	}
	alive := count[survived] + count[unreached] - same
	fmt.Fprintf(out, "%d mutants: %d not viable, %d killed, %d timed out, %d equivalent, %d survived\n",
		len(mutants), count[notViable], count[killed], count[timedOut], same, alive)
	return failed || alive > 0
}

// fields splits a list of packages at commas and spaces.
func fields(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}
