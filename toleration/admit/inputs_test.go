package admit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/exported"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// given is one kind of input in all the forms that functions take.
type given struct {
	list   []toleration.Toleration
	taints []taint.Taint
	names  []string
	text   string
	pod    admit.PodResources
}

// one returns the last toleration, or the zero one.
func (g *given) one() *toleration.Toleration {
	if len(g.list) == 0 {
		return &toleration.Toleration{}
	}
	return &g.list[len(g.list)-1]
}

// kinds are nothing, the same twice, what is not valid, and much of everything.
func kinds() [4]given {
	a := toleration.MustParse("a=1:NoExecute@60")
	seconds := int64(-1 << 63)
	odd := toleration.Toleration{Operator: "In", Key: "\xff,", Value: "-", Effect: "odd", TolerationSeconds: &seconds}
	long := strings.Repeat("9", 1<<16)
	huge := []toleration.Toleration{{Key: long, Value: long, Effect: taint.Effect(long)}}
	var names []string
	requests := make(map[string]admit.Quantity)
	for i := range 1000 {
		names = append(names, fmt.Sprint("example.com/r", i))
		requests[names[i]] = admit.Quantity(long)
		huge = append(huge, toleration.Toleration{Key: names[i], Operator: toleration.OpExists, Effect: taint.NoSchedule})
	}
	resources := func(name, amount string) admit.PodResources {
		r := admit.Resources{Requests: map[string]admit.Quantity{name: admit.Quantity(amount)}}
		return admit.PodResources{Containers: []admit.Resources{r, r}}
	}
	return [4]given{
		{},
		{[]toleration.Toleration{a, a}, slices.Repeat([]taint.Taint{taint.MustParse("a:NoSchedule")}, 2), []string{"x/y", "x/y"}, `[{"key":"a"},{"key":"a"}]`, resources("x/y", "1")},
		{[]toleration.Toleration{{}, odd}, []taint.Taint{{}, {Key: "\xff"}}, []string{"", "\xff"}, "\xff", resources("cpu", "\xff")},
		{huge, make([]taint.Taint, 1000), names, strings.Repeat("[", 1<<16), admit.PodResources{Containers: []admit.Resources{{Requests: requests}}}},
	}
}

// inputs has what each function answers for the four kinds.
var inputs = map[string]struct {
	ask  func(g *given) any
	want [4]string
}{
	"Pressure.Admits": {func(g *given) any {
		return admit.Pressure{Memory: true, BestEffort: true, Tolerations: g.list}.Admits()
	}, [4]string{"false", "false", "true", "false"}},
	"IsExtendedResource": {func(g *given) any { return admit.IsExtendedResource(g.text) }, [4]string{"false", "false", "false", "false"}},
	"ParseAnnotation": {func(g *given) any {
		list, err := admit.ParseAnnotation(g.text)
		return fmt.Sprint(len(list), err != nil)
	}, [4]string{"0 false", "2 false", "0 true", "0 true"}},
	"UpstreamIsSuperset":       {func(g *given) any { return admit.UpstreamIsSuperset(g.one(), g.one()) }, [4]string{"true", "true", "true", "true"}},
	"UpstreamMerge":            {func(g *given) any { return len(admit.UpstreamMerge(nil, g.list, g.list)) }, [4]string{"0", "1", "2", "1001"}},
	"Chain.Append":             {func(g *given) any { return len(admit.Chain{admit.DaemonSet{}, admit.StaticPod{}}.Append(nil, g.list)) }, [4]string{"7", "9", "9", "1008"}},
	"ControlPlane.Append":      {func(g *given) any { return len(admit.ControlPlane{}.Append(nil, g.taints)) }, [4]string{"1", "2", "3", "2"}},
	"DaemonSet.Append":         {func(g *given) any { return len(admit.DaemonSet{}.Append(nil, g.list)) }, [4]string{"6", "8", "8", "1007"}},
	"DefaultSeconds.Append":    {func(g *given) any { return len(admit.DefaultSeconds{}.Append(nil, g.list)) }, [4]string{"2", "4", "2", "1003"}},
	"ExtendedResources.Append": {func(g *given) any { return len(admit.ExtendedResources{Names: g.names}.Append(nil, g.list)) }, [4]string{"0", "3", "4", "1001"}},
	"NewNode.Append":           {func(g *given) any { return len(admit.NewNode{}.Append(nil, g.taints)) }, [4]string{"1", "3", "3", "1001"}},
	"PodResources.Extended":    {func(g *given) any { return len(g.pod.Extended()) }, [4]string{"0", "1", "0", "1000"}},
	"PodResources.QOS":         {func(g *given) any { class, err := g.pod.QOS(); return fmt.Sprint(class, " ", err != nil) }, [4]string{"BestEffort false", "BestEffort false", " true", "BestEffort false"}},
	"Quantity.MilliValue": {func(g *given) any {
		n, err := admit.Quantity(g.text).MilliValue()
		return fmt.Sprint(n, " ", err != nil)
	}, [4]string{"0 true", "0 true", "0 true", "0 true"}},
	"Restriction.Append": {func(g *given) any {
		r := admit.Restriction{Defaults: g.list, Class: admit.QOSClass(g.text)}
		exact := r
		exact.Exact = true
		return fmt.Sprint(len(r.Append(nil, g.list)), len(exact.Append(nil, g.list)))
	}, [4]string{"0 0", "2 2", "3 5", "1002 2003"}},
	"Restriction.Check": {func(g *given) any {
		r := admit.Restriction{Whitelist: g.list}
		exact := r
		exact.Exact = true
		return fmt.Sprint(len(refused(r, g.list)), len(refused(exact, g.list)))
	}, [4]string{"0 0", "0 0", "0 4", "0 3"}},
	"RuntimeClass.Append": {func(g *given) any { return len(admit.RuntimeClass{Tolerations: g.list}.Append(nil, g.list)) }, [4]string{"0", "1", "2", "1001"}},
	"StaticPod.Append":    {func(g *given) any { return len(admit.StaticPod{}.Append(nil, g.list)) }, [4]string{"1", "3", "3", "1002"}},
}

// Every exported function has an answer for empty, nil, repeated, invalid and huge
// input, and none panics.
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
