package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

var epoch = time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)

func at(seconds float64) time.Time {
	return epoch.Add(time.Duration(seconds * float64(time.Second)))
}

// story is three facts of two subjects.
func story() []fact {
	return []fact{{"x", "lost", at(1)}, {"y", "evicted", at(3)}, {"x", "back", at(5)}}
}

func TestAgree(t *testing.T) {
	within := bounds{early: 200 * time.Millisecond, late: time.Second, tie: 100 * time.Millisecond}
	for _, test := range []struct {
		name  string
		seen  []fact
		fault string // what the error says, "" for none
	}{
		{"the same", story(), ""},
		{"a little late", []fact{{"x", "lost", at(1.9)}, {"y", "evicted", at(3)}, {"x", "back", at(5)}}, ""},
		{"too late", []fact{{"x", "lost", at(2.1)}, {"y", "evicted", at(3)}, {"x", "back", at(5)}}, "out of bounds"},
		{"too early", []fact{{"x", "lost", at(1)}, {"y", "evicted", at(2.7)}, {"x", "back", at(5)}}, "out of bounds"},
		{"missing", story()[:2], `predicted 15:04:06.000 "lost", 15:04:10.000 "back"`},
		{"more", append(story(), fact{"z", "evicted", at(6)}), "z:"},
		{"for another reason", []fact{{"x", "lost", at(1)}, {"y", "cancelled", at(3)}, {"x", "back", at(5)}}, "y:"},
		{"the other way round", []fact{{"x", "back", at(1)}, {"y", "evicted", at(3)}, {"x", "lost", at(5)}}, "x:"},
		{"in another order", []fact{{"y", "evicted", at(3)}, {"x", "lost", at(1)}, {"x", "back", at(5)}}, "came before it"},
	} {
		_, err := agree(story(), test.seen, within)
		if fine := err == nil; fine != (test.fault == "") || !fine && !strings.Contains(err.Error(), test.fault) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	a, err := agree(story(), story(), within)
	if err != nil || a.facts != 3 || a.pairs != 3 {
		t.Errorf("%+v, %v", a, err)
	}
	tie := bounds{late: time.Second, early: time.Second, tie: 3 * time.Second}
	if _, err := agree(story()[:2], []fact{story()[1], story()[0]}, tie); err != nil {
		t.Errorf("a tie has no order: %v", err)
	}
}

func TestMerge(t *testing.T) {
	a, b := story(), []fact{{"z", "first", at(0)}, {"z", "middle", at(4)}, {"z", "last", at(9)}}
	var got []string
	for _, f := range merge(a, b) {
		got = append(got, f.what)
	}
	if want := []string{"first", "lost", "evicted", "middle", "back", "last"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
