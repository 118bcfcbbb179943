package index_test

import (
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// What an Impact says of nodes that are new or gone says nothing of who had to leave another.
func TestChangesAreUsedAgain(t *testing.T) {
	pods := index.NewPods(toleration.Rules{})
	class := pods.Add(nil)
	out := []taint.Taint{taint.MustParse("k:NoExecute")}
	var c index.Impact
	for range 2 {
		for what, fill := range map[string]func(){
			"added": func() { pods.NodeAdded(&c, nil) }, "deleted": func() { pods.NodeDeleted(&c, nil) },
		} {
			pods.NodeUpdated(&c, nil, out)
			for got := range c.MustLeave() {
				if got != class {
					t.Errorf("class %d must leave", got)
				}
			}
			fill()
			for got := range c.MustLeave() {
				t.Errorf("%s: class %d must leave", what, got)
			}
		}
	}
}
