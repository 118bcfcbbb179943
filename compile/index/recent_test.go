package index_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// A list that comes again is found without its hash, if the last with its sketch was equal.
func TestListsThatComeAgainAreNotHashed(t *testing.T) {
	var pods index.Pods
	alike := [][]toleration.Toleration{{{Key: "a1z"}}, {{Key: "a2z"}}} // with one sketch
	for round := range 3 {
		for i, list := range alike {
			pods.Add(list)
			if other := alike[1-i]; !pods.Guessed(list) || pods.Guessed(other) {
				t.Errorf("round %d: after %v it is guessed: %v, and %v: %v", round, list, pods.Guessed(list), other, pods.Guessed(other))
			}
		}
	}
	c := pods.Add(nil)
	pods.Remove(c)
	if pods.Guessed(nil) {
		t.Error("a class without pods is guessed")
	}
}

// Sketches tell lists apart by the lengths of their strings, the ends of their keys and
// values, their seconds and their order: two lists of 2048 have the same one no more often
// than random numbers would.
func TestSketches(t *testing.T) {
	one := func(t toleration.Toleration) []toleration.Toleration { return []toleration.Toleration{t} }
	operators := []toleration.Operator{"", toleration.OpEqual, toleration.OpExists, "Gt"}
	effects := []taint.Effect{"", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute}
	for _, test := range []struct {
		name       string
		n, atLeast int
		list       func(i int) []toleration.Toleration
	}{
		{"lengths of keys", 64, 56, func(i int) []toleration.Toleration { return one(toleration.Toleration{Key: strings.Repeat("k", i)}) }},
		{"lengths of values", 64, 56, func(i int) []toleration.Toleration { return one(toleration.Toleration{Value: strings.Repeat("v", i)}) }},
		{"keys of one letter", 64, 56, func(i int) []toleration.Toleration { return one(toleration.Toleration{Key: letter(i)}) }},
		{"values of one letter", 64, 56, func(i int) []toleration.Toleration { return one(toleration.Toleration{Value: letter(i)}) }},
		{"last letters of keys", 64, 56, func(i int) []toleration.Toleration { return one(toleration.Toleration{Key: "key-" + letter(i)}) }},
		{"last letters of values", 64, 56, func(i int) []toleration.Toleration { return one(toleration.Toleration{Value: "value-" + letter(i)}) }},
		{"letters in the middle of values", 64, 56, func(i int) []toleration.Toleration {
			return one(toleration.Toleration{Value: "val" + letter(i) + "ue"})
		}},
		{"operators and effects", 16, 16, func(i int) []toleration.Toleration {
			return one(toleration.Toleration{Operator: operators[i%4], Effect: effects[i/4]})
		}},
		{"seconds", 16, 16, func(i int) []toleration.Toleration {
			if i == 0 {
				return one(toleration.Toleration{})
			}
			seconds := int64(i - 1)
			return one(toleration.Toleration{TolerationSeconds: &seconds})
		}},
		{"numbers of tolerations", 17, 16, func(i int) []toleration.Toleration { return make([]toleration.Toleration, i) }},
		{"orders", 16, 16, func(i int) []toleration.Toleration {
			list := make([]toleration.Toleration, 16)
			list[i].Key = "k"
			return list
		}},
		{"pairs", 2048, 1200, func(i int) []toleration.Toleration {
			return one(toleration.Toleration{Key: "key-" + letter(i%32), Value: "value-" + letter(i/32)})
		}},
	} {
		var lists [][]toleration.Toleration
		for i := range test.n {
			lists = append(lists, test.list(i))
		}
		if got := len(index.Sketches(lists)); got < test.atLeast {
			t.Errorf("%s: %d sketches of %d lists, want %d or more", test.name, got, test.n, test.atLeast)
		}
	}
}

func letter(i int) string { return fmt.Sprintf("%c", '0'+i) }
