package main

import (
	"fmt"
	"maps"
	"testing"
)

// printed returns a revision whose one benchmark, B, had these allocations in
// its runs.
func printed(name string, allocations ...int) *revision {
	r := &revision{name: name}
	for _, n := range allocations {
		r.outputs = append(r.outputs, output{"p", fmt.Sprintf("BenchmarkB 1 5 ns/op %d allocs/op\nPASS\n", n)})
	}
	return r
}

func TestAllocations(t *testing.T) {
	for _, test := range []struct {
		name     string
		old, new []int
		word     string // none if there is nothing to tell
	}{
		{"equal", []int{3, 3}, []int{3, 3}, ""},
		{"more", []int{3, 3}, []int{4, 4}, worse},
		{"from none", []int{0, 0}, []int{1, 1}, worse},
		{"now and then more", []int{3, 4}, []int{4, 5}, ""},
		{"in one run", []int{3, 3}, []int{3, 9}, ""},
		{"fewer", []int{3, 4}, []int{2, 1}, better},
		{"now and then fewer", []int{3, 4}, []int{2, 3}, ""},
	} {
		c := &comparison{options: &options{}, old: printed("old", test.old...), new: printed("new", test.new...)}
		v := &verdict{}
		if err := c.allocations(v); err != nil {
			t.Fatal(err)
		}
		word := ""
		for _, r := range v.rows {
			word += r.word
		}
		if word != test.word || (v.err() != nil) != (word == worse) {
			t.Errorf("%s: %q and %v, want %q", test.name, word, v.err(), test.word)
		}
	}
}

// A benchmark that only one revision has is no reason to fail, and is said.
func TestOnly(t *testing.T) {
	c := &comparison{options: &options{}, old: printed("old", 1), new: printed("new", 1)}
	c.new.outputs = append(c.new.outputs, output{"p", "BenchmarkNew 1 5 ns/op 7 allocs/op\n"}, output{"q", "BenchmarkB 1 5 ns/op 7 allocs/op\n"})
	v := &verdict{}
	if err := c.allocations(v); err != nil || v.err() != nil || v.allocated != 1 {
		t.Errorf("%v, %v, %d compared", err, v.err(), v.allocated)
	}
	if got := fmt.Sprint(v.notes); got != "[only new has 2 of its benchmarks]" {
		t.Errorf("the notes are %s", got)
	}
}

func TestOutputWithoutSense(t *testing.T) {
	c := &comparison{options: &options{}, old: printed("old", 1), new: printed("new", 1)}
	c.new.outputs[0].text = "BenchmarkB 1 x allocs/op"
	if err := c.allocations(&verdict{}); err == nil || err.Error() != `new: package p: line 1: BenchmarkB: "x" is not a number of allocs/op` {
		t.Errorf("%v", err)
	}
}

func TestInstructionsVerdict(t *testing.T) {
	v := &verdict{tolerance: 0.01}
	for name, pair := range map[string][2][]counted{
		"same":           {{{1000, 1}}, {{1000, 1}}},
		"within":         {{{1000, 1}}, {{1010, 1}}},
		"worse":          {{{1000, 1}}, {{1012, 1}}},
		"uncertain":      {{{1000, 1}}, {{1100, 100}}},
		"better":         {{{1000, 1}}, {{900, 1}}},
		"from nothing":   {{{0, 1}}, {{3, 1}}},
		"nothing worse":  {{{0, 1}}, {{1, 1}}},
		"one as before":  {{{1000, 1}, {1000, 1}}, {{1100, 1}, {1000, 1}}},
		"one was as now": {{{1000, 1}, {1100, 1}}, {{1100, 1}, {1100, 1}}},
		"always worse":   {{{1000, 1}, {1020, 1}}, {{1100, 1}, {1040, 1}}},
		"always better":  {{{1000, 1}, {1020, 1}}, {{980, 1}, {900, 1}}},
		"once less":      {{{1000, 1}, {1020, 1}}, {{1000, 1}, {900, 1}}},
	} {
		v.instructions(benchmark{"p", name}, pair[0], pair[1])
	}
	got := map[string]string{}
	for _, r := range v.rows {
		got[r.name] = r.word
	}
	want := map[string]string{"same": same, "within": same, "uncertain": same, "nothing worse": same, "one as before": same, "one was as now": same, "once less": same, "worse": worse, "always worse": worse, "always better": better, "from nothing": worse, "better": better}
	if !maps.Equal(got, want) {
		t.Errorf("the words are %v, want %v", got, want)
	}
	if err := v.err(); err == nil || err.Error() != "worse in 3 respects" {
		t.Errorf("%v", err)
	}
}
