package page

import (
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// A label has up to 48 characters. It shows as many tolerations as there is room for, at least
// the beginning of one, and how many are missing.
func TestBriefs(t *testing.T) {
	key := func(letter string, n int) string { return strings.Repeat(letter, n) }
	for _, c := range []struct {
		keys []string
		want string
	}{
		{nil, "(none)"},
		{[]string{"a"}, "a"},
		{[]string{"a", "b"}, "a, b"},
		{[]string{"example0.com/a.b0c"}, "a.b0c"},
		{[]string{key("a", 48)}, key("a", 48)},
		{[]string{key("a", 49)}, key("a", 47) + "…"},
		{[]string{key("a", 23), key("b", 23)}, key("a", 23) + ", " + key("b", 23)},
		{[]string{key("a", 23), key("b", 24)}, key("a", 23) + ", +1 more"},
		{[]string{key("a", 19), key("b", 18), key("c", 30)}, key("a", 19) + ", " + key("b", 18) + ", +1 more"},
		{[]string{key("a", 19), key("b", 19), key("c", 30)}, key("a", 19) + ", +2 more"},
		{[]string{key("a", 39), key("b", 30)}, key("a", 39) + ", +1 more"},
		{[]string{key("a", 40), key("b", 30)}, key("a", 38) + "…, +1 more"},
	} {
		var list []toleration.Toleration
		for _, key := range c.keys {
			list = append(list, toleration.Toleration{Key: key, Operator: toleration.OpExists})
		}
		d := New(&Fleet{Pods: []Pod{{Name: "p", Tolerations: list, Count: 1}}})
		if got := d.Rows[0].Brief; got != c.want {
			t.Errorf("%q: got %s, want %s", c.keys, got, c.want)
		}
	}
}

// The labels of taints leave out the domains of their keys too.
func TestBriefsOfTaints(t *testing.T) {
	taints := []taint.Taint{{Key: "example0.com/a.b0c", Value: "1.0", Effect: taint.NoSchedule}, {Key: "b", Effect: taint.NoExecute}}
	d := New(&Fleet{Nodes: []Node{{Name: "n", Taints: taints, Count: 1}}})
	if got, want := d.Columns[0].Brief, "a.b0c=1.0:NoSchedule, b:NoExecute"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
