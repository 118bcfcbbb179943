// Package measured has the toleration lists that the benchmarks of package gen ask
// about. The tests generate code for them when they run: see TestMeasured.
package measured

import (
	"fmt"

	"github.com/tolero-dev/tolero/compile/gen"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Sizes are the lengths of the lists of figure P8.
var Sizes = []int{1, 2, 4, 8, 16, 32}

// Lists returns the lists: real ones, one with a toleration of every kind, and those
// of figure P8.
func Lists() []gen.List {
	lists := []gen.List{
		{Name: "daemon set", Source: "rule A2", Tolerations: parse("node.kubernetes.io/not-ready:NoExecute,node.kubernetes.io/unreachable:NoExecute," +
			"node.kubernetes.io/disk-pressure:NoSchedule,node.kubernetes.io/memory-pressure:NoSchedule,node.kubernetes.io/pid-pressure:NoSchedule," +
			"node.kubernetes.io/unschedulable:NoSchedule,node.kubernetes.io/network-unavailable:NoSchedule")}, // two effects
		{Name: "defaults", Source: "rule A1", Tolerations: parse("node.kubernetes.io/not-ready:NoExecute@300,node.kubernetes.io/unreachable:NoExecute@300")}, // what most pods have
		{Name: "linstor", Source: "the corpus", Tolerations: corpusList("47633652c8")},
		{Name: "neuron", Source: "the corpus", Tolerations: corpusList("87f12acad5")},
		{Name: "alertmanager", Source: "the corpus", Tolerations: corpusList("9c136d74c5")},
		{Name: "everything", Source: "the tests", Tolerations: parse("node.kubernetes.io/not-ready:NoExecute@300,example.com/cores>16," +
			"example.com/cores<-5:NoExecute@60,dedicated=ml:NoSchedule,dedicated=web,*:PreferNoSchedule,*:NoExecute@5")}, // a toleration of every kind
	}
	for _, n := range Sizes {
		lists = append(lists, gen.List{Name: fmt.Sprintf("pools %02d", n), Source: "figure P8", Tolerations: Pools(n)})
	}
	return lists
}

// Pools returns n tolerations with real keys, as in figure P2.
func Pools(n int) []toleration.Toleration {
	var list []toleration.Toleration
	for i := range n {
		list = append(list, toleration.Toleration{Key: PoolKey(i), Operator: toleration.OpEqual, Value: "true", Effect: taint.NoSchedule})
	}
	return list
}

// PoolKey returns the key of the i-th toleration of [Pools].
func PoolKey(i int) string {
	keys := corpus.Keys()
	return keys[i*7%len(keys)]
}

// corpusList returns the list of the corpus with the given identity.
func corpusList(identity string) []toleration.Toleration {
	for _, list := range corpus.Tolerations() {
		if list.List == identity {
			return list.Tolerations
		}
	}
	panic("the corpus has no list " + identity)
}

func parse(text string) []toleration.Toleration {
	list, err := notation.Tolerations(text)
	if err != nil {
		panic(err)
	}
	return list
}
