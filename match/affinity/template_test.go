package affinity_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match/affinity"
)

func TestMayMatch(t *testing.T) {
	one := func(key, operator string, values ...string) affinity.Requirement {
		return affinity.Requirement{Key: key, Operator: operator, Values: values}
	}
	pool := affinity.Template{
		Labels:       map[string]string{"pool": "gpu"},
		Requirements: []affinity.Requirement{in("arch", "amd64", "arm64"), one("cpus", "Gt", "3"), one("cpus", "Lt", "9"), notIn("size", "xl"), one("team", "Exists"), one("old", "DoesNotExist")},
		Open:         []string{"zone", "cloud.example.com/"},
	}
	term := func(list ...affinity.Requirement) []affinity.Term { return []affinity.Term{{Expressions: list}} }
	for name, c := range map[string]struct {
		a    affinity.Required
		want bool
	}{
		"nothing":                {affinity.Required{}, true},
		"a label":                {affinity.Required{NodeSelector: map[string]string{"pool": "gpu"}}, true},
		"another value":          {affinity.Required{NodeSelector: map[string]string{"pool": "cpu"}}, false},
		"a label that none has":  {affinity.Required{NodeSelector: map[string]string{"disk": "ssd"}}, false},
		"an open label":          {affinity.Required{NodeSelector: map[string]string{"zone": "a", "cloud.example.com/x": "y"}}, true},
		"a longer key than that": {affinity.Required{NodeSelector: map[string]string{"zone-of": "a"}}, false},
		"no value for a label":   {affinity.Required{NodeSelector: map[string]string{"zone": "a b"}}, false},
		"one of the values":      {affinity.Required{NodeSelector: map[string]string{"arch": "arm64"}}, true},
		"none of the values":     {affinity.Required{Terms: term(in("arch", "s390x"))}, false},
		"all but the values":     {affinity.Required{Terms: term(notIn("arch", "arm64", "amd64"))}, false},
		"between the bounds":     {affinity.Required{Terms: term(one("cpus", "Gt", "7"))}, true},
		"beyond the bounds":      {affinity.Required{Terms: term(one("cpus", "Gt", "8"))}, false},
		"all between the bounds": {affinity.Required{Terms: term(notIn("cpus", "4", "5", "6", "7", "8"))}, false},
		"all but one":            {affinity.Required{Terms: term(notIn("cpus", "4", "5", "7", "8"))}, true},
		"excluded":               {affinity.Required{Terms: term(in("size", "xl"))}, false},
		"not excluded":           {affinity.Required{Terms: term(in("size", "xl", "s"))}, true},
		"the absence":            {affinity.Required{Terms: term(one("size", "DoesNotExist"))}, true},
		"any value":              {affinity.Required{NodeSelector: map[string]string{"team": "a"}}, true},
		"no value":               {affinity.Required{Terms: term(one("team", "DoesNotExist"))}, false},
		"what is not there":      {affinity.Required{Terms: term(one("old", "Exists"))}, false},
		"the second term":        {affinity.Required{Terms: append(term(in("arch", "s390x")), term(in("arch", "amd64"))...)}, true},
		"no terms":               {affinity.Required{Terms: []affinity.Term{}}, false},
		"an empty term":          {affinity.Required{Terms: []affinity.Term{{}}}, false},
		"some name":              {affinity.Required{Terms: []affinity.Term{{Fields: []affinity.Requirement{in("metadata.name", "n")}}}}, true},
		"no such field":          {affinity.Required{Terms: []affinity.Term{{Fields: []affinity.Requirement{in("metadata.name", "n", "m")}}}}, false},
		"a volume elsewhere":     {affinity.Required{Terms: term(in("zone", "a")), Volumes: [][]affinity.Term{term(in("zone", "b"))}}, false},
		"a volume there":         {affinity.Required{Terms: append(term(in("zone", "a")), term(in("zone", "b"))...), Volumes: [][]affinity.Term{term(in("zone", "b"))}}, true},
	} {
		if got := c.a.MayMatch(&pool); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	open := affinity.Template{Open: []string{""}}
	if a := (affinity.Required{NodeSelector: map[string]string{"any": "thing"}}); !a.MayMatch(&open) {
		t.Error("a template whose labels are not known excludes a selector")
	}
}

// labelings returns all ways to give three keys one of some values or none.
func labelings(values []string) (all []map[string]string) {
	n := len(values) + 1
	for at := range n * n * n {
		labels := make(map[string]string)
		for i, key := range []string{"a", "b", "c"} {
			if v := at / []int{1, n, n * n}[i] % n; v > 0 {
				labels[key] = values[v-1]
			}
		}
		all = append(all, labels)
	}
	return all
}

// allows is what a Template says of a node, in the words of its documentation.
func allows(t *affinity.Template, labels map[string]string) bool {
	for _, key := range []string{"a", "b", "c"} {
		value, has := labels[key]
		want, fixed := t.Labels[key]
		named := false
		for _, r := range t.Requirements {
			if r.Key != key || fixed {
				continue
			}
			named = true
			meets := affinity.Required{Terms: []affinity.Term{{Expressions: []affinity.Requirement{r}}}}
			if !meets.Matches("", labels) {
				return false
			}
		}
		if fixed && (!has || value != want) || !fixed && !named && has && !slices.Contains(t.Open, key) {
			return false
		}
	}
	return true
}

// MayMatch is Matches for some node that the template allows, on random small templates and pods.
func TestMayMatchAgainstAllNodes(t *testing.T) {
	values := []string{"0", "1", "2", "3", "4", "5", "6", "x", "other"}
	r := rand.New(rand.NewPCG(1, 2))
	requirement := func() affinity.Requirement {
		operator := []string{"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"}[r.IntN(6)]
		list := []string{}
		for len(list) < map[string]int{"In": 2, "NotIn": 2, "Gt": 1, "Lt": 1}[operator] {
			list = append(list, values[r.IntN(6)])
		}
		if len(list) == 2 && r.IntN(2) == 0 {
			list = append(list, "x")
		}
		return affinity.Requirement{Key: []string{"a", "b", "c"}[r.IntN(3)], Operator: operator, Values: list}
	}
	requirements := func(most int) (list []affinity.Requirement) {
		for range r.IntN(most + 1) {
			list = append(list, requirement())
		}
		return list
	}
	selector := func() map[string]string {
		m := make(map[string]string)
		for range r.IntN(2) {
			m[[]string{"a", "b", "c"}[r.IntN(3)]] = values[r.IntN(len(values))]
		}
		return m
	}
	terms := func() (list []affinity.Term) {
		for range r.IntN(3) {
			list = append(list, affinity.Term{Expressions: requirements(3)})
		}
		return list
	}
	matched, all := 0, labelings(values)
	for range 6000 {
		template := affinity.Template{Labels: selector(), Requirements: requirements(3), Open: slices.Collect(maps.Keys(selector()))}
		pod := affinity.Required{NodeSelector: selector(), Terms: terms()}
		for range r.IntN(2) {
			pod.Volumes = append(pod.Volumes, terms())
		}
		want, any := false, false
		for _, labels := range all {
			if allows(&template, labels) {
				any = true
				if pod.Matches("", labels) {
					want = true
					break
				}
			}
		}
		if !any {
			continue
		}
		if got := pod.MayMatch(&template); got != want {
			t.Fatalf("%+v\n%+v\ngot %v", template, pod, got)
		}
		if want {
			matched++
		}
	}
	if matched < 600 || matched > 5400 {
		t.Errorf("%d of 6000 match: the cases are one-sided", matched)
	}
}

// Crafted terms, of which no combination holds, and long lists end soon.
func TestMayMatchIsBounded(t *testing.T) {
	var pod affinity.Required
	for v := range 30 {
		var list []affinity.Term
		for i := range 3 {
			list = append(list, affinity.Term{Expressions: []affinity.Requirement{in(fmt.Sprint("k", v), fmt.Sprint(i))}})
		}
		pod.Volumes = append(pod.Volumes, list)
	}
	pod.Volumes = append(pod.Volumes, []affinity.Term{{}})
	many := make([]string, 20000)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	long := affinity.Required{Terms: []affinity.Term{{Expressions: []affinity.Requirement{notIn("k", many...), {Key: "k", Operator: "Lt", Values: []string{"20000"}}}}}}
	done := make(chan bool)
	go func() {
		done <- pod.MayMatch(&affinity.Template{Open: []string{""}}) && long.MayMatch(&affinity.Template{Open: []string{""}, Requirements: []affinity.Requirement{{Key: "k", Operator: "Exists"}}})
	}()
	select {
	case got := <-done:
		if !got {
			t.Error("it does not give up with true")
		}
	case <-time.After(time.Minute):
		t.Fatal("it does not end")
	}
}
