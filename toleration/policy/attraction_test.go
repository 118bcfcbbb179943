package policy_test

import (
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/toleration/policy"
)

func in(key string, values ...string) policy.Requirement {
	return policy.Requirement{Key: key, Operator: "In", Values: values}
}

func notIn(key string, values ...string) policy.Requirement {
	return policy.Requirement{Key: key, Operator: "NotIn", Values: values}
}

func TestAttractionAdmits(t *testing.T) {
	labels := map[string]string{"zone": "a", "cpus": "9", "empty": "", "most": "9223372036854775807"}
	term := func(list ...policy.Requirement) []policy.Term { return []policy.Term{{Expressions: list}} }
	field := func(list ...policy.Requirement) []policy.Term { return []policy.Term{{Fields: list}} }
	one := func(key, operator string, values ...string) []policy.Term {
		return term(policy.Requirement{Key: key, Operator: operator, Values: values})
	}
	for name, c := range map[string]struct {
		a    policy.Attraction
		want bool
	}{
		"nothing":                     {policy.Attraction{}, true},
		"selector":                    {policy.Attraction{NodeSelector: map[string]string{"zone": "a", "cpus": "9"}}, true},
		"selector, one of two":        {policy.Attraction{NodeSelector: map[string]string{"zone": "a", "cpus": "91"}}, false},
		"selector, a lesser value":    {policy.Attraction{NodeSelector: map[string]string{"zone": "Z"}}, false},
		"selector, no such label":     {policy.Attraction{NodeSelector: map[string]string{"gpu": ""}}, false},
		"no term":                     {policy.Attraction{Terms: []policy.Term{}}, false},
		"an empty term":               {policy.Attraction{Terms: []policy.Term{{}}}, false},
		"selector and term":           {policy.Attraction{NodeSelector: map[string]string{"zone": "b"}, Terms: term(in("zone", "a"))}, false},
		"In":                          {policy.Attraction{Terms: term(in("zone", "b", "a"))}, true},
		"In, another":                 {policy.Attraction{Terms: term(in("zone", "b"))}, false},
		"In, no such label":           {policy.Attraction{Terms: term(in("gpu", ""))}, false},
		"In without values":           {policy.Attraction{Terms: term(in("zone"))}, false},
		"NotIn":                       {policy.Attraction{Terms: one("zone", "NotIn", "b")}, true},
		"NotIn, the value":            {policy.Attraction{Terms: one("zone", "NotIn", "a")}, false},
		"NotIn, no such label":        {policy.Attraction{Terms: one("gpu", "NotIn", "")}, true},
		"NotIn without values":        {policy.Attraction{Terms: one("gpu", "NotIn")}, false},
		"Exists":                      {policy.Attraction{Terms: one("empty", "Exists")}, true},
		"Exists, no such label":       {policy.Attraction{Terms: one("gpu", "Exists")}, false},
		"Exists with a value":         {policy.Attraction{Terms: one("zone", "Exists", "a")}, false},
		"DoesNotExist":                {policy.Attraction{Terms: one("gpu", "DoesNotExist")}, true},
		"DoesNotExist, the label":     {policy.Attraction{Terms: one("empty", "DoesNotExist")}, false},
		"DoesNotExist with a value":   {policy.Attraction{Terms: one("gpu", "DoesNotExist", "a")}, false},
		"Gt":                          {policy.Attraction{Terms: one("cpus", "Gt", "8")}, true},
		"Gt, equal":                   {policy.Attraction{Terms: one("cpus", "Gt", "9")}, false},
		"Gt, less":                    {policy.Attraction{Terms: one("cpus", "Gt", "10")}, false},
		"Gt, 64 bits":                 {policy.Attraction{Terms: one("most", "Gt", "9223372036854775806")}, true},
		"Gt, 65 bits":                 {policy.Attraction{Terms: one("cpus", "Lt", "9223372036854775808")}, false},
		"Gt of a word":                {policy.Attraction{Terms: one("zone", "Gt", "7")}, false},
		"Gt of no label":              {policy.Attraction{Terms: one("gpu", "Gt", "7")}, false},
		"Gt, two values":              {policy.Attraction{Terms: one("cpus", "Gt", "1", "2")}, false},
		"Gt, a word":                  {policy.Attraction{Terms: one("cpus", "Gt", "x")}, false},
		"Gt, hexadecimal":             {policy.Attraction{Terms: one("most", "Gt", "a")}, false},
		"Lt, hexadecimal":             {policy.Attraction{Terms: one("zone", "Lt", "11")}, false},
		"Gt without values":           {policy.Attraction{Terms: one("cpus", "Gt")}, false},
		"Gt, no label value":          {policy.Attraction{Terms: one("cpus", "Gt", "-1")}, false},
		"Lt":                          {policy.Attraction{Terms: one("cpus", "Lt", "10")}, true},
		"Lt, equal":                   {policy.Attraction{Terms: one("cpus", "Lt", "9")}, false},
		"unknown operator":            {policy.Attraction{Terms: one("zone", "in", "a")}, false},
		"invalid key":                 {policy.Attraction{Terms: one("a b", "DoesNotExist")}, false},
		"invalid value":               {policy.Attraction{Terms: one("gpu", "NotIn", "a b")}, false},
		"one of two requirements":     {policy.Attraction{Terms: term(in("zone", "a"), in("cpus", "8"))}, false},
		"one of two terms":            {policy.Attraction{Terms: append(term(in("zone", "b")), term(in("zone", "a"))...)}, true},
		"after an invalid term":       {policy.Attraction{Terms: append(one("zone", "?"), term(in("zone", "a"))...)}, true},
		"name":                        {policy.Attraction{Terms: field(in("metadata.name", "node-1"))}, true},
		"a greater name":              {policy.Attraction{Terms: field(in("metadata.name", "node-2"))}, false},
		"a lesser name":               {policy.Attraction{Terms: field(in("metadata.name", "node-0"))}, false},
		"not the name":                {policy.Attraction{Terms: field(notIn("metadata.name", "node-1"))}, false},
		"not a greater name":          {policy.Attraction{Terms: field(notIn("metadata.name", "node-2"))}, true},
		"not a lesser name":           {policy.Attraction{Terms: field(notIn("metadata.name", "node-0"))}, true},
		"no name":                     {policy.Attraction{Terms: field(in("metadata.name"))}, false},
		"unknown operator for fields": {policy.Attraction{Terms: field(policy.Requirement{Key: "metadata.name", Operator: "Isnt", Values: []string{"node-2"}})}, false},
		"another unknown operator":    {policy.Attraction{Terms: field(policy.Requirement{Key: "metadata.name", Operator: "Outside", Values: []string{"node-2"}})}, false},
		"two names":                   {policy.Attraction{Terms: field(in("metadata.name", "node-1", "node-2"))}, false},
		"Exists is not for fields":    {policy.Attraction{Terms: field(policy.Requirement{Key: "metadata.name", Operator: "Exists", Values: []string{"node-1"}})}, false},
		"another field":               {policy.Attraction{Terms: field(in("spec.unschedulable", ""))}, true},
		"another field, like a name":  {policy.Attraction{Terms: field(in("metadata.kind", "node-1"))}, false},
		"a field and a label":         {policy.Attraction{Terms: []policy.Term{{Fields: []policy.Requirement{in("metadata.name", "node-1")}, Expressions: []policy.Requirement{in("zone", "a")}}}}, true},
		"another field, with a value": {policy.Attraction{Terms: field(in("spec.unschedulable", "node-1"))}, false},
		"a field and no label":        {policy.Attraction{Terms: []policy.Term{{Fields: []policy.Requirement{in("metadata.name", "node-1")}, Expressions: []policy.Requirement{in("zone", "b")}}}}, false},
	} {
		if got := c.a.Admits("node-1", labels); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// Every valid requirement for fields admits an unknown name.
func TestAttractionOfAnUnknownName(t *testing.T) {
	for _, c := range []struct {
		r    policy.Requirement
		want bool
	}{
		{in("metadata.name", "x"), true}, {notIn("metadata.name", "x"), true}, {notIn("metadata.name", ""), true}, {in("spec.unschedulable", "x"), true},
		{in("metadata.name", "x", "y"), false}, {in("metadata.name"), false}, {policy.Requirement{Key: "metadata.name", Operator: "Exists"}, false},
	} {
		a := policy.Attraction{Terms: []policy.Term{{Fields: []policy.Requirement{c.r}}}}
		if got := a.Admits("", nil); got != c.want {
			t.Errorf("%+v: %t", c.r, got)
		}
	}
}

func TestAttractionIsZero(t *testing.T) {
	for _, c := range []struct {
		a    policy.Attraction
		want bool
	}{
		{policy.Attraction{}, true},
		{policy.Attraction{NodeSelector: map[string]string{}}, true},
		{policy.Attraction{NodeSelector: map[string]string{"zone": "a"}}, false},
		{policy.Attraction{Terms: []policy.Term{}}, false}, // admits no node
	} {
		if got := c.a.IsZero(); got != c.want {
			t.Errorf("%+v: %t", c.a, got)
		}
	}
}

func TestAttractionKeys(t *testing.T) {
	a := policy.Attraction{NodeSelector: map[string]string{"a": "", "b": ""}, Terms: []policy.Term{
		{Expressions: []policy.Requirement{in("c"), in("a")}, Fields: []policy.Requirement{in("metadata.name")}}, {Expressions: []policy.Requirement{in("d")}},
	}}
	var all []string
	for key := range a.Keys {
		all = append(all, key)
	}
	slices.Sort(all)
	if want := []string{"a", "a", "b", "c", "d", "metadata.name"}; !slices.Equal(all, want) {
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
