package main

import (
	"fmt"
	"testing"
	"time"
)

func TestBatches(t *testing.T) {
	var tests []*test
	for i, ms := range []time.Duration{1, 2, 3, 20, 30, 40, 100, 3000} {
		tests = append(tests, &test{name: string(rune('a' + i)), cpu: ms * time.Millisecond})
	}
	for first, want := range map[string]string{
		"":  "[[a b c d] [e f] [g] [h]]",
		"z": "[[a b c d] [e f] [g] [h]]",
		"h": "[[h] [a b c d] [e f] [g]]",
		"a": "[[a] [b c d] [e f] [g] [h]]",
	} {
		var names [][]string
		for _, batch := range batches(tests, first) {
			var row []string
			for _, t := range batch {
				row = append(row, t.name)
			}
			names = append(names, row)
		}
		if got := fmt.Sprint(names); got != want {
			t.Errorf("first %q: %s, want %s", first, got, want)
		}
	}
	if got := batches(nil, "a"); len(got) != 0 {
		t.Errorf("of no tests: %v", got)
	}
}
