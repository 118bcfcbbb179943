package affinity_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/match/affinity"
)

func in(key string, values ...string) affinity.Requirement {
	return affinity.Requirement{Key: key, Operator: "In", Values: values}
}

func notIn(key string, values ...string) affinity.Requirement {
	return affinity.Requirement{Key: key, Operator: "NotIn", Values: values}
}

func TestMatches(t *testing.T) {
	labels := map[string]string{"zone": "a", "cpus": "9", "empty": "", "most": "9223372036854775807"}
	term := func(list ...affinity.Requirement) []affinity.Term { return []affinity.Term{{Expressions: list}} }
	field := func(list ...affinity.Requirement) []affinity.Term { return []affinity.Term{{Fields: list}} }
	one := func(key, operator string, values ...string) []affinity.Term {
		return term(affinity.Requirement{Key: key, Operator: operator, Values: values})
	}
	for name, c := range map[string]struct {
		a    affinity.Required
		want bool
	}{
		"nothing":                     {affinity.Required{}, true},
		"selector":                    {affinity.Required{NodeSelector: map[string]string{"zone": "a", "cpus": "9"}}, true},
		"selector, one of two":        {affinity.Required{NodeSelector: map[string]string{"zone": "a", "cpus": "91"}}, false},
		"selector, a lesser value":    {affinity.Required{NodeSelector: map[string]string{"zone": "Z"}}, false},
		"selector, no such label":     {affinity.Required{NodeSelector: map[string]string{"gpu": ""}}, false},
		"no term":                     {affinity.Required{Terms: []affinity.Term{}}, false},
		"an empty term":               {affinity.Required{Terms: []affinity.Term{{}}}, false},
		"selector and term":           {affinity.Required{NodeSelector: map[string]string{"zone": "b"}, Terms: term(in("zone", "a"))}, false},
		"In":                          {affinity.Required{Terms: term(in("zone", "b", "a"))}, true},
		"In, another":                 {affinity.Required{Terms: term(in("zone", "b"))}, false},
		"In, no such label":           {affinity.Required{Terms: term(in("gpu", ""))}, false},
		"In without values":           {affinity.Required{Terms: term(in("zone"))}, false},
		"NotIn":                       {affinity.Required{Terms: one("zone", "NotIn", "b")}, true},
		"NotIn, the value":            {affinity.Required{Terms: one("zone", "NotIn", "a")}, false},
		"NotIn, no such label":        {affinity.Required{Terms: one("gpu", "NotIn", "")}, true},
		"NotIn without values":        {affinity.Required{Terms: one("gpu", "NotIn")}, false},
		"Exists":                      {affinity.Required{Terms: one("empty", "Exists")}, true},
		"Exists, no such label":       {affinity.Required{Terms: one("gpu", "Exists")}, false},
		"Exists with a value":         {affinity.Required{Terms: one("zone", "Exists", "a")}, false},
		"DoesNotExist":                {affinity.Required{Terms: one("gpu", "DoesNotExist")}, true},
		"DoesNotExist, the label":     {affinity.Required{Terms: one("empty", "DoesNotExist")}, false},
		"DoesNotExist with a value":   {affinity.Required{Terms: one("gpu", "DoesNotExist", "a")}, false},
		"Gt":                          {affinity.Required{Terms: one("cpus", "Gt", "8")}, true},
		"Gt, equal":                   {affinity.Required{Terms: one("cpus", "Gt", "9")}, false},
		"Gt, less":                    {affinity.Required{Terms: one("cpus", "Gt", "10")}, false},
		"Gt, 64 bits":                 {affinity.Required{Terms: one("most", "Gt", "9223372036854775806")}, true},
		"Gt, 65 bits":                 {affinity.Required{Terms: one("cpus", "Lt", "9223372036854775808")}, false},
		"Gt of a word":                {affinity.Required{Terms: one("zone", "Gt", "7")}, false},
		"Gt of no label":              {affinity.Required{Terms: one("gpu", "Gt", "7")}, false},
		"Gt, two values":              {affinity.Required{Terms: one("cpus", "Gt", "1", "2")}, false},
		"Gt, a word":                  {affinity.Required{Terms: one("cpus", "Gt", "x")}, false},
		"Gt, hexadecimal":             {affinity.Required{Terms: one("most", "Gt", "a")}, false},
		"Lt, hexadecimal":             {affinity.Required{Terms: one("zone", "Lt", "11")}, false},
		"Gt without values":           {affinity.Required{Terms: one("cpus", "Gt")}, false},
		"Gt, no label value":          {affinity.Required{Terms: one("cpus", "Gt", "-1")}, false},
		"Lt":                          {affinity.Required{Terms: one("cpus", "Lt", "10")}, true},
		"Lt, equal":                   {affinity.Required{Terms: one("cpus", "Lt", "9")}, false},
		"unknown operator":            {affinity.Required{Terms: one("zone", "in", "a")}, false},
		"invalid key":                 {affinity.Required{Terms: one("a b", "DoesNotExist")}, false},
		"invalid value":               {affinity.Required{Terms: one("gpu", "NotIn", "a b")}, false},
		"one of two requirements":     {affinity.Required{Terms: term(in("zone", "a"), in("cpus", "8"))}, false},
		"one of two terms":            {affinity.Required{Terms: append(term(in("zone", "b")), term(in("zone", "a"))...)}, true},
		"after an invalid term":       {affinity.Required{Terms: append(one("zone", "?"), term(in("zone", "a"))...)}, true},
		"name":                        {affinity.Required{Terms: field(in("metadata.name", "node-1"))}, true},
		"a greater name":              {affinity.Required{Terms: field(in("metadata.name", "node-2"))}, false},
		"a lesser name":               {affinity.Required{Terms: field(in("metadata.name", "node-0"))}, false},
		"not the name":                {affinity.Required{Terms: field(notIn("metadata.name", "node-1"))}, false},
		"not a greater name":          {affinity.Required{Terms: field(notIn("metadata.name", "node-2"))}, true},
		"not a lesser name":           {affinity.Required{Terms: field(notIn("metadata.name", "node-0"))}, true},
		"no name":                     {affinity.Required{Terms: field(in("metadata.name"))}, false},
		"unknown operator for fields": {affinity.Required{Terms: field(affinity.Requirement{Key: "metadata.name", Operator: "Isnt", Values: []string{"node-2"}})}, false},
		"another unknown operator":    {affinity.Required{Terms: field(affinity.Requirement{Key: "metadata.name", Operator: "Outside", Values: []string{"node-2"}})}, false},
		"two names":                   {affinity.Required{Terms: field(in("metadata.name", "node-1", "node-2"))}, false},
		"Exists is not for fields":    {affinity.Required{Terms: field(affinity.Requirement{Key: "metadata.name", Operator: "Exists", Values: []string{"node-1"}})}, false},
		"another field":               {affinity.Required{Terms: field(in("spec.unschedulable", ""))}, true},
		"another field, like a name":  {affinity.Required{Terms: field(in("metadata.kind", "node-1"))}, false},
		"a field and a label":         {affinity.Required{Terms: []affinity.Term{{Fields: []affinity.Requirement{in("metadata.name", "node-1")}, Expressions: []affinity.Requirement{in("zone", "a")}}}}, true},
		"another field, with a value": {affinity.Required{Terms: field(in("spec.unschedulable", "node-1"))}, false},
		"a field and no label":        {affinity.Required{Terms: []affinity.Term{{Fields: []affinity.Requirement{in("metadata.name", "node-1")}, Expressions: []affinity.Requirement{in("zone", "b")}}}}, false},
	} {
		if got := c.a.Matches("node-1", labels); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// Every valid requirement for fields admits an unknown name.
func TestOfAnUnknownName(t *testing.T) {
	for _, c := range []struct {
		r    affinity.Requirement
		want bool
	}{
		{in("metadata.name", "x"), true}, {notIn("metadata.name", "x"), true}, {notIn("metadata.name", ""), true}, {in("spec.unschedulable", "x"), true},
		{in("metadata.name", "x", "y"), false}, {in("metadata.name"), false}, {affinity.Requirement{Key: "metadata.name", Operator: "Exists"}, false},
	} {
		a := affinity.Required{Terms: []affinity.Term{{Fields: []affinity.Requirement{c.r}}}}
		if got := a.Matches("", nil); got != c.want {
			t.Errorf("%+v: %t", c.r, got)
		}
	}
}

// One term of each volume has to hold, beside what the pod itself requires. The name of the
// node does not matter to volumes.
func TestVolumes(t *testing.T) {
	zone := func(zones ...string) []affinity.Term {
		return []affinity.Term{{Expressions: []affinity.Requirement{in("zone", zones...)}}}
	}
	named := []affinity.Term{{Expressions: zone("a")[0].Expressions, Fields: []affinity.Requirement{in("metadata.name", "other")}}}
	for _, c := range []struct {
		a    affinity.Required
		want bool
	}{
		{affinity.Required{Volumes: [][]affinity.Term{zone("a")}}, true},
		{affinity.Required{Volumes: [][]affinity.Term{zone("b")}}, false},
		{affinity.Required{Volumes: [][]affinity.Term{zone("a", "b"), zone("a")}}, true},
		{affinity.Required{Volumes: [][]affinity.Term{zone("a"), zone("b")}}, false},
		{affinity.Required{Volumes: [][]affinity.Term{append(zone("b"), zone("a")...)}}, true},
		{affinity.Required{Volumes: [][]affinity.Term{named}}, true},
		{affinity.Required{Volumes: [][]affinity.Term{{}}}, false},
		{affinity.Required{Terms: zone("b"), Volumes: [][]affinity.Term{zone("a")}}, false},
		{affinity.Required{NodeSelector: map[string]string{"zone": "b"}, Volumes: [][]affinity.Term{zone("a")}}, false},
	} {
		if got := c.a.Matches("n", map[string]string{"zone": "a"}); got != c.want {
			t.Errorf("%+v: %t", c.a, got)
		}
	}
}

func TestIsZero(t *testing.T) {
	for _, c := range []struct {
		a    affinity.Required
		want bool
	}{
		{affinity.Required{}, true},
		{affinity.Required{NodeSelector: map[string]string{}}, true},
		{affinity.Required{NodeSelector: map[string]string{"zone": "a"}}, false},
		{affinity.Required{Terms: []affinity.Term{}}, false}, // admits no node
		{affinity.Required{Volumes: [][]affinity.Term{}}, true},
		{affinity.Required{Volumes: [][]affinity.Term{nil}}, false}, // nor does this
	} {
		if got := c.a.IsZero(); got != c.want {
			t.Errorf("%+v: %t", c.a, got)
		}
	}
}

func TestKeys(t *testing.T) {
	a := affinity.Required{NodeSelector: map[string]string{"a": "", "b": ""}, Terms: []affinity.Term{
		{Expressions: []affinity.Requirement{in("c"), in("a")}, Fields: []affinity.Requirement{in("metadata.name")}}, {Expressions: []affinity.Requirement{in("d")}},
	}, Volumes: [][]affinity.Term{{{Expressions: []affinity.Requirement{in("e")}}}, {{Expressions: []affinity.Requirement{in("f")}}}}}
	var all []string
	for key := range a.Keys {
		all = append(all, key)
	}
	slices.Sort(all)
	if want := []string{"a", "a", "b", "c", "d", "e", "f", "metadata.name"}; !slices.Equal(all, want) {
		t.Errorf("got %q", all)
	}
	for n := range all {
		seen := 0
		for range a.Keys {
			if seen++; seen > n {
				break
			}
		}
		if seen != n+1 {
			t.Errorf("%d keys, want %d", seen, n+1)
		}
	}
}

// Terms that are empty do not become no affinity on a trip through JSON.
func TestJSON(t *testing.T) {
	for _, a := range []affinity.Required{{}, {Terms: []affinity.Term{}}, {Terms: []affinity.Term{{}}}, {Volumes: [][]affinity.Term{{{Expressions: []affinity.Requirement{in("a", "x")}}}}}} {
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		var back affinity.Required
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(a, back) {
			t.Errorf("%s: %+v, %v", text, back, err)
		}
	}
}

// The names are those of the API, so that a pod's spec can be read into it.
func TestNames(t *testing.T) {
	a := affinity.Required{NodeSelector: map[string]string{"a": "x"}, Terms: []affinity.Term{{
		Expressions: []affinity.Requirement{{Key: "a", Operator: "In", Values: []string{"x"}}}, Fields: []affinity.Requirement{{Key: "metadata.name", Operator: "Exists"}},
	}}}
	const want = `{"nodeSelector":{"a":"x"},"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","operator":"In","values":["x"]}],` +
		`"matchFields":[{"key":"metadata.name","operator":"Exists"}]}]}`
	if got, err := json.Marshal(a); err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}
