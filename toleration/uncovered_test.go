package toleration_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// showsUncovered reports whether t tolerates x and no toleration of cover does for as
// long.
func showsUncovered(t *toleration.Toleration, cover []toleration.Toleration, x *taint.Taint) bool {
	if !t.Tolerates(x) {
		return false
	}
	alone := answer(match.EvictionDelay([]taint.Taint{*x}, []toleration.Toleration{*t}))
	covered := answer(match.MostLenient.Delay([]taint.Taint{*x}, cover, time.Time{}))
	return !tolerates(cover, x) || outlasts(alone, covered)
}

// checkUncovered compares Uncovered with the answers for each taint.
func checkUncovered(t *testing.T, list, cover []toleration.Toleration, taints []taint.Taint) {
	t.Helper()
	witnesses := make(map[int]taint.Taint)
	for i, x := range toleration.Uncovered(list, cover) {
		witnesses[i] = x
	}
	for i := range list {
		uncovered, valid := false, false
		for j := range taints {
			if showsUncovered(&list[i], cover, &taints[j]) {
				uncovered = true
				valid = valid || validTaint(&taints[j])
			}
		}
		x, found := witnesses[i]
		if found != uncovered {
			t.Fatalf("%q by %q: uncovered %v, by %v", list[i], cover, found, x)
		}
		if found && (!showsUncovered(&list[i], cover, &x) || valid && !validTaint(&x)) {
			t.Fatalf("%q by %q: %v does not show it", list[i], cover, x)
		}
	}
}

func TestUncoveredIsExact(t *testing.T) {
	eachOrder(t, func(t *testing.T, _ []taint.Taint, lists [][]toleration.Toleration) {
		var all []toleration.Toleration
		for _, list := range lists {
			if len(list) == 1 {
				all = append(all, list[0])
			}
		}
		taints := span(all)
		for _, cover := range lists[:min(len(lists), 250)] {
			checkUncovered(t, all, cover, taints)
		}
	})
}

// Where effects and keys cross, where several cover one, and at the ends of the range.
func TestUncovered(t *testing.T) {
	for _, c := range []struct{ list, cover, want string }{
		{"a", "", "0 a:NoSchedule"},
		{"", "a", ""},
		{`a?In x,a>y`, "", ""},
		{"a>0,a>5:NoExecute@60,a=x", "a<3,a>2", "2 a=x:NoSchedule"},
		{"a:NoExecute@60,a:NoExecute,a:NoExecute@0", "a:NoExecute@60", "1 a:NoExecute"},
		{"a:NoExecute@60", "a=x:NoExecute,a@50", "0 a:NoExecute"},
		{"a>0:NoExecute@60", "a>7:NoExecute@90,a<9:NoExecute@70", ""},
		{"a>0:NoExecute@80", "a>7:NoExecute@90,a<9:NoExecute@70", "0 a=7:NoExecute"},
		{"a", "a:NoSchedule,a:PreferNoSchedule,a:NoExecute", "0 a"},
		{"a:Odd", "a", ""},
		{"a,a:Odd", "a:Odd", "0 a:NoSchedule"},
		{"a<0", "a<-5", "0 a=-5:"},
		{"a<5", "a<-5", "0 a=0:NoSchedule"},
		{"a>-3", "a>5", "0 a=5:NoSchedule"},
		{"*", "key,*:NoSchedule,*:PreferNoSchedule", "0 key-1:NoExecute"},
		{"*>3", "*>4", "0 key=4:NoSchedule"},
		{`"-k"=5,"-k"`, `"-k"=5`, `1 -k`},
		{`a=""`, `a=x`, `0 a:NoSchedule`},
		{"a<5:NoSchedule", "", "0 a=0:NoSchedule"},
		{"a<5:Odd", "", "0 a=-9223372036854775808:Odd"}, // none is valid
		{"a<5", "a<4", "0 a=4:NoSchedule"},
		{"a<-4", "a<-5", "0 a=-5:"},
		{`a="!"`, "", `0 a="!":`},
		{"*:NoSchedule", "key:NoSchedule", "0 key-1:NoSchedule"},
		{"*:NoExecute@80", "*:NoExecute@60,key:NoExecute@300", "0 key-1:NoExecute"},
		{"a:NoExecute@80", "a=:NoExecute@300,a:NoExecute@60", "0 a=value-1:NoExecute"},
	} {
		got := ""
		for i, x := range toleration.Uncovered(mustParseList(t, c.list), mustParseList(t, c.cover)) {
			got += fmt.Sprintf("%d %v;", i, x)
		}
		if c.want != "" {
			c.want += ";"
		}
		if got != c.want {
			t.Errorf("%s by %s: %s, want %s", c.list, c.cover, got, c.want)
		}
	}
}

// One integer among others has fewer seconds: it is between the ends of the range, where
// tolerations for any key grant some of the others enough.
func TestUncoveredInteger(t *testing.T) {
	for _, c := range []struct{ list, cover string }{
		{"a>0:NoExecute@80", "a<8:NoExecute@90,a=8:NoExecute@60,a>8:NoExecute@90"},
		{"a>0:NoExecute@80", "*<8:NoExecute@90,a=3:NoExecute@95,a=8:NoExecute@60,a>8:NoExecute@95"},
		{"a>6:NoExecute@80", "*=7:NoExecute@90,a=8:NoExecute@60,a>8:NoExecute@95"},
		{"a<10:NoExecute@80", "*=9:NoExecute@90,a=8:NoExecute@60,a<8:NoExecute@95"},
	} {
		got := ""
		for i, x := range toleration.Uncovered(mustParseList(t, c.list), mustParseList(t, c.cover)) {
			got += fmt.Sprintf("%d %v", i, x)
		}
		if got != "0 a=8:NoExecute" {
			t.Errorf("%s by %s: %s", c.list, c.cover, got)
		}
	}
}

// The iteration stops early, and may be run again.
func TestUncoveredStops(t *testing.T) {
	each := toleration.Uncovered(mustParseList(t, "a,b,c"), nil)
	for range 2 {
		var seen []int
		for i := range each {
			if seen = append(seen, i); i == 1 {
				break
			}
		}
		if !slices.Equal(seen, []int{0, 1}) {
			t.Errorf("seen: %v", seen)
		}
	}
}
