package manifest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/exported"
)

// given is a source, and what was read of it.
type given struct {
	source  string
	loader  *Loader
	cluster *Cluster
}

// node returns the last node, or the zero one; pod likewise.
func (g *given) node() *Node {
	if len(g.cluster.Nodes) == 0 {
		return &Node{}
	}
	return &g.cluster.Nodes[len(g.cluster.Nodes)-1]
}

func (g *given) pod() *Pod {
	if len(g.cluster.Pods) == 0 {
		return &Pod{}
	}
	return &g.cluster.Pods[len(g.cluster.Pods)-1]
}

// fault returns the last fault, or an empty one.
func (g *given) fault() *Fault {
	if len(g.cluster.Faults) == 0 {
		return &Fault{Err: read1.Faults[0].Err}
	}
	return &g.cluster.Faults[len(g.cluster.Faults)-1]
}

// read1 is a cluster with a fault.
var read1 = func() *Cluster {
	var l Loader
	_ = l.Read("", strings.NewReader(`{"kind":"Node","spec":{"taints":[{}]}}`))
	return l.Cluster()
}()

// kinds are nothing, the same object twice, what is not valid, and much of everything.
func kinds() [4]given {
	long := strings.Repeat("9", 1<<16)
	all := [4]given{
		{},
		{source: nodeJSON + nodeJSON + podJSON + podJSON},
		{source: `{"kind":"Node","spec":{"taints":[{"key":"\ufffd","effect":"odd"},7]}}{"kind":"Pod","spec":{"tolerations":[7,{"operator":"exists"}]}}{`},
		{source: strings.Repeat(nodeJSON+podJSON, 1000) + `{"kind":"Pod","metadata":{"name":"` + long + `"},"spec":{"tolerations":[{"key":"` + long + `"}]}}`},
	}
	for i := range all {
		all[i].loader = &Loader{}
		_ = all[i].loader.Read("f", strings.NewReader(all[i].source))
		all[i].cluster = all[i].loader.Cluster()
	}
	return all
}

// inputs has what each function answers for the four kinds.
var inputs = map[string]struct {
	ask  func(g *given) any
	want [4]string
}{
	"Budget.Protects": {func(g *given) any {
		p := *g.pod()
		p.State = &PodState{}
		return fmt.Sprint((&Budget{}).Protects(&p), (&Budget{Object: Object{Namespace: p.Namespace}}).Protects(&p))
	}, [4]string{"false false", "false true", "true true", "true true"}},
	"Cluster.Pending": {func(g *given) any { return len(slices.Collect(g.cluster.Pending())) }, [4]string{"0", "0", "1", "1"}},
	"Fault.Error":     {func(g *given) any { return len(g.fault().Error()) }, [4]string{"89", "110", "218", "131182"}},
	"Fault.Unwrap":    {func(g *given) any { return g.fault().Unwrap() != nil }, [4]string{"true", "true", "true", "true"}},
	"Loader.Cluster": {func(g *given) any {
		c := g.loader.Cluster()
		return fmt.Sprint(len(c.Nodes), len(c.Pods), len(c.Faults))
	}, [4]string{"0 0 0", "2 2 1", "1 1 6", "1000 1001 1000"}},
	"Loader.Read": {func(g *given) any {
		err := new(Loader).Read("", strings.NewReader(g.source))
		return fmt.Sprint(err != nil, errors.Is(err, ErrEmpty))
	}, [4]string{"true true", "false false", "true false", "false false"}},
	"Loader.Workloads": {func(g *given) any { return len(g.loader.Workloads()) }, [4]string{"0", "2", "1", "1001"}},
	"Node.SpecField":   {func(g *given) any { return g.node().SpecField(len(g.source)) }, [4]string{"spec.taints[0]", "spec.taints[534]", "spec.taints[134]", "spec.taints[398145]"}},
	"Node.Taints":      {func(g *given) any { return len(g.node().Taints()) }, [4]string{"0", "1", "1", "1"}},
	"Object.ID":        {func(g *given) any { return len(g.pod().ID()) }, [4]string{"9", "7", "13", "65540"}},
	"Object.String":    {func(g *given) any { return len(g.pod().Object.String()) }, [4]string{"23", "22", "28", "65558"}},
	"Owner.String":     {func(g *given) any { return len(Owner{Kind: g.pod().Kind, Name: g.pod().Name}.String()) }, [4]string{"0", "5", "4", "65540"}},
	"Pod.Finished":     {func(g *given) any { p := Pod{Phase: g.source}; return p.Finished() }, [4]string{"false", "false", "false", "false"}},
	"Pod.Pending":      {func(g *given) any { return g.pod().Pending() }, [4]string{"true", "false", "true", "true"}},
	"Pod.SpecField":    {func(g *given) any { return g.pod().SpecField(0) }, [4]string{"tolerations[0]", "spec.tolerations[0]", "spec.tolerations[1]", "spec.tolerations[0]"}},
	"Pod.Tolerations":  {func(g *given) any { return len(g.pod().Tolerations()) }, [4]string{"0", "1", "1", "1"}},
}

// Every exported function has an answer for empty, repeated, invalid and huge input,
// and none panics.
func TestInputs(t *testing.T) {
	exported.Same(t, inputs)
	all := kinds()
	for name, in := range inputs {
		for i := range all {
			if got := fmt.Sprint(in.ask(&all[i])); got != in.want[i] {
				t.Errorf("%s of %s: %q, want %q", name, [...]string{"nothing", "the same twice", "what is not valid", "very much"}[i], got, in.want[i])
			}
		}
	}
}
