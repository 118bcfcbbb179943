package page

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/taint"
)

// TestAlike counts the taints that package explain is asked about: values that a list does
// not have are one, unless it compares them.
func TestAlike(t *testing.T) {
	f := &Fleet{}
	for i := range 1000 {
		f.Nodes = append(f.Nodes, Node{Name: fmt.Sprint(i), Taints: []taint.Taint{{Key: "pool", Value: fmt.Sprint(i), Effect: taint.NoSchedule}}, Count: 1})
	}
	for text, want := range map[string]int{"": 1, "pool==7:NoSchedule": 2, "pool==7:NoSchedule,pool==8:NoSchedule,other": 3, "pool==none": 1, "pool>7:NoSchedule": 1000} {
		f.Pods = []Pod{{Name: "p", Tolerations: must(notation.Tolerations(text)), Count: 1}}
		b := newBuilder(f)
		b.NearTaints = len(b.taints)
		first, like := b.alike(b.rows[0])
		if len(first) != want || len(like) != 1000 {
			t.Errorf("%q: %d kinds of %d taints, want %d", text, len(first), len(like), want)
		}
	}
}
