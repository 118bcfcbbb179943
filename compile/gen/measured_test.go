package gen_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile/gen"
	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// pools are n tolerations with real keys, as in figure P2.
func pools(n int) []toleration.Toleration {
	keys := corpus.Keys()
	var list []toleration.Toleration
	for i := range n {
		list = append(list, toleration.Toleration{Key: keys[i*7%len(keys)], Operator: toleration.OpEqual, Value: "true", Effect: taint.NoSchedule})
	}
	return list
}

// corpusList is the list of the corpus with the given identity.
func corpusList(identity string) []toleration.Toleration {
	for _, list := range corpus.Tolerations() {
		if list.List == identity {
			return list.Tolerations
		}
	}
	return nil
}

// measuredLists are the lists that benchmarks ask about.
func measuredLists() []gen.List {
	daemonSet, err := toleration.ParseListLenient("node.kubernetes.io/not-ready:NoExecute,node.kubernetes.io/unreachable:NoExecute," +
		"node.kubernetes.io/disk-pressure:NoSchedule,node.kubernetes.io/memory-pressure:NoSchedule,node.kubernetes.io/pid-pressure:NoSchedule," +
		"node.kubernetes.io/unschedulable:NoSchedule,node.kubernetes.io/network-unavailable:NoSchedule")
	if err != nil {
		panic(err)
	}
	defaults, err := toleration.ParseListLenient("node.kubernetes.io/not-ready:NoExecute@300,node.kubernetes.io/unreachable:NoExecute@300")
	if err != nil {
		panic(err)
	}
	everything, err := toleration.ParseListLenient("node.kubernetes.io/not-ready:NoExecute@300,example.com/cores>16,example.com/cores<-5:NoExecute@60," +
		"dedicated=ml:NoSchedule,dedicated=web,*:PreferNoSchedule,*=x:NoExecute@5")
	if err != nil {
		panic(err)
	}
	lists := []gen.List{
		{Name: "daemon set", Source: "rule A2", Tolerations: daemonSet}, // two effects
		{Name: "defaults", Source: "rule A1", Tolerations: defaults},    // what most pods have
		{Name: "linstor", Source: "the corpus", Tolerations: corpusList("47633652c8")},
		{Name: "neuron", Source: "the corpus", Tolerations: corpusList("87f12acad5")},
		{Name: "alertmanager", Source: "the corpus", Tolerations: corpusList("9c136d74c5")},
		{Name: "everything", Source: "the tests", Tolerations: everything}, // a toleration of every kind
	}
	for _, n := range []int{1, 2, 4, 8, 16, 32} {
		lists = append(lists, gen.List{Name: fmt.Sprintf("pools %02d", n), Source: "figure P8", Tolerations: pools(n)})
	}
	return lists
}

// TestMeasured compares the packages below internal/measured, which hold the
// lists for benchmarks in every order of tests and form, with what is generated.
func TestMeasured(t *testing.T) {
	for name, set := range gen.Variants {
		o := gen.Options{Package: name, Exported: true, Command: "go test ./compile/gen -run Measured -update"}
		set(&o)
		files := map[string]func([]gen.List, gen.Options) ([]byte, error){"lists.go": gen.Generate}
		if !strings.HasPrefix(name, "by") { // the orders have TestOrders
			files["lists_test.go"] = gen.GenerateTest
		}
		for file, generate := range files {
			source, err := generate(measuredLists(), o)
			if err != nil {
				t.Fatal(err)
			}
			compareFile(t, filepath.Join("internal", "measured", name, file), source)
		}
	}
}
