package whatif_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/compile/index/whatif"
)

// drained evaluates a plan that evicts two web servers from each of three nodes.
func drained(t *testing.T) *whatif.Result {
	t.Helper()
	fleet, pods := cluster()
	plan, err := whatif.Parse("taint nodes --all maintenance:NoExecute")
	if err != nil {
		t.Fatal(err)
	}
	r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Each limit is kept up to its number, and broken by one more. Six of nine pods are
// evicted from three nodes.
func TestLimits(t *testing.T) {
	r := drained(t)
	web := []string{"Deployment web"}
	for _, c := range []struct {
		limits whatif.Limits
		want   []string
	}{
		{whatif.Limits{}, nil},
		{whatif.Limits{MaxNodes: 3, MaxPods: 6, MaxPercent: 67, MaxPerOwner: 6, Budgets: []whatif.Budget{{Owners: web, Allowed: 6}, {Allowed: 6}}}, nil},
		{whatif.Limits{MaxNodes: 2}, []string{"3 nodes are affected, and 2 are allowed"}},
		{whatif.Limits{MaxPods: 5}, []string{"6 pods are evicted, and 5 are allowed"}},
		{whatif.Limits{MaxPercent: 66}, []string{"6 pods are evicted, and 5 are allowed by the share of running pods"}},
		{whatif.Limits{MaxPercent: 66.6666666667}, nil},
		{whatif.Limits{MaxPercent: 0.1}, []string{"6 pods are evicted, and 0 are allowed by the share of running pods"}},
		{whatif.Limits{MaxPerOwner: 5}, []string{`6 pods of "Deployment web" are evicted, and 5 are allowed`}},
		{whatif.Limits{Budgets: []whatif.Budget{{Name: "a", Owners: []string{"DaemonSet agent"}}, {Name: "b", Owners: append(web, web...), Allowed: 5}, {Name: "c"}, {Name: "d", Owners: []string{}}}},
			[]string{`6 pods of budget "b" are evicted, and 5 are allowed`, `6 pods of budget "c" are evicted, and 0 are allowed`}},
		{whatif.Limits{MaxNodes: 1, MaxPods: 1, MaxPercent: 1, MaxPerOwner: 1}, []string{"3 nodes are affected, and 1 is allowed", "6 pods are evicted, and 1 is allowed",
			"6 pods are evicted, and 0 are allowed by the share of running pods", `6 pods of "Deployment web" are evicted, and 1 is allowed`}},
	} {
		vs, err := r.Check(c.limits)
		var got []string
		for _, v := range vs {
			got = append(got, v.String())
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, %v, want %q", c.limits, got, err, c.want)
		}
	}
}

func TestLimitsThatMakeNoSense(t *testing.T) {
	r := drained(t)
	l := whatif.Limits{MaxNodes: -1, MaxPods: -2, MaxPercent: math.NaN(), MaxPerOwner: -3, Budgets: []whatif.Budget{{Allowed: 1}, {Allowed: -4}}}
	want := `limits.maxNodes: invalid value "-1": must not be negative; limits.maxPods: invalid value "-2": must not be negative; ` +
		`limits.maxPercent: invalid value "NaN": must be from 0 to 100; limits.maxPerOwner: invalid value "-3": must not be negative; ` +
		`limits.budgets[1].allowed: invalid value "-4": must not be negative`
	if vs, err := r.Check(l); vs != nil || err == nil || err.Error() != want {
		t.Errorf("%v, %v, want %s", vs, err, want)
	}
	if stages, err := r.Stages(l); stages != nil || err == nil || err.Error() != want {
		t.Errorf("%v, %v, want %s", stages, err, want)
	}
	for _, percent := range []float64{-0.1, 100.1, math.Inf(1)} {
		if _, err := r.Check(whatif.Limits{MaxPercent: percent}); err == nil {
			t.Errorf("%v %% is a share", percent)
		}
	}
	if _, err := r.Check(whatif.Limits{MaxPercent: 100}); err != nil {
		t.Error(err)
	}
}

// Owners come by name, and pods without an owner are no owner's.
func TestOwnersInOrder(t *testing.T) {
	fleet, _ := cluster()
	var pods whatif.Pods
	for i := range 60 {
		owner := ""
		if i%3 > 0 {
			owner = fmt.Sprint("owner-", i%30)
		}
		pods.Set(whatif.Pod{Name: fmt.Sprint(i), Node: "node-1", Owner: owner})
	}
	plan, _ := whatif.Parse("taint nodes node-1 x:NoExecute")
	r, err := whatif.Evaluate(fleet, &pods, plan, whatif.Options{})
	if err != nil {
		t.Fatal(err)
	}
	vs, err := r.Check(whatif.Limits{MaxPerOwner: 1})
	if err != nil || len(vs) != 20 {
		t.Errorf("%v, %v", vs, err)
	}
	for i := 1; i < len(vs); i++ {
		if vs[i-1].Name >= vs[i].Name || vs[i].Count != 2 {
			t.Errorf("%v after %v", vs[i], vs[i-1])
		}
	}
}

// A stage has as many nodes as its limits allow, and no more.
func TestStages(t *testing.T) {
	r := drained(t)
	for _, c := range []struct {
		limits whatif.Limits
		want   []int // nodes
	}{
		{whatif.Limits{}, []int{3}},
		{whatif.Limits{MaxNodes: 1}, []int{1, 1, 1}},
		{whatif.Limits{MaxNodes: 2}, []int{2, 1}},
		{whatif.Limits{MaxPods: 5}, []int{2, 1}},
		{whatif.Limits{MaxPods: 3}, []int{1, 1, 1}},
		{whatif.Limits{MaxPercent: 50}, []int{2, 1}},
		{whatif.Limits{MaxPerOwner: 4}, []int{2, 1}},
		{whatif.Limits{Budgets: []whatif.Budget{{Allowed: 4}, {Owners: []string{"Deployment web"}, Allowed: 2}}}, []int{1, 1, 1}},
	} {
		stages, err := r.Stages(c.limits)
		var got []int
		for _, s := range stages {
			got = append(got, s.Summary().Nodes)
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, %v, want %v", c.limits, got, err, c.want)
		}
	}
	_, err := r.Stages(whatif.Limits{MaxPods: 1, MaxPerOwner: 1})
	var alone *whatif.LimitError
	if want := `node "node-1" alone goes over a limit: 2 pods are evicted, and 1 is allowed`; !errors.As(err, &alone) || err.Error() != want || len(alone.Violations) != 2 {
		t.Errorf("%v, want %s", err, want)
	}
	if got := (&whatif.LimitError{Node: "a"}).Error(); got != `node "a" goes over a limit` {
		t.Error(got)
	}
}

// Iterations stop when they are told to.
func TestIterationsStop(t *testing.T) {
	r := drained(t)
	n := 0
	for range r.Nodes() {
		n++
		break
	}
	for range r.Evictions() {
		n++
		break
	}
	for range r.Classes() {
		n++
		break
	}
	if n != 3 {
		t.Errorf("%d steps, want 3", n)
	}
}

// Numbers agree with their verbs: one pod is, two pods are.
func TestNumbersOfViolations(t *testing.T) {
	for want, v := range map[string]whatif.Violation{
		`1 pod of budget "db" is evicted, and 0 are allowed`:               {Limit: "Budgets", Name: "db", Count: 1},
		`1 pod is evicted, and 0 are allowed by the share of running pods`: {Limit: "MaxPercent", Count: 1},
		`2 pods are evicted, and 1 is allowed`:                             {Limit: "MaxPods", Count: 2, Allowed: 1},
		`3 pods of "Deployment shop/cart" are evicted, and 2 are allowed`:  {Limit: "MaxPerOwner", Name: "Deployment shop/cart", Count: 3, Allowed: 2},
		`2 nodes are affected, and 1 is allowed`:                           {Limit: "MaxNodes", Count: 2, Allowed: 1},
	} {
		if got := v.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
