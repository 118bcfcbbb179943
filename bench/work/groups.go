package work

import (
	"fmt"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/toleration"
)

// IndexOfGroups returns an index of nodes that are counted: they get names, and
// share the lists of their group.
func IndexOfGroups(groups []scenario.NodeGroup) *index.Index {
	ix := index.New(toleration.Rules{Comparisons: true})
	n := 0
	for i := range groups {
		for range groups[i].Count {
			ix.Set(fmt.Sprintf("node-%07d", n), groups[i].Taints)
			n++
		}
	}
	return ix
}
