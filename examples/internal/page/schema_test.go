package page

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

//go:embed schema.json
var schemaText []byte

// schema is the part of JSON Schema that schema.json uses. An unknown word is an error,
// so that none is ignored.
type schema struct {
	Schema               string             `json:"$schema"`
	Title                string             `json:"title"`
	Ref                  string             `json:"$ref"`
	Defs                 map[string]*schema `json:"$defs"`
	Type                 any                `json:"type"`
	Const                any                `json:"const"`
	Enum                 []any              `json:"enum"`
	Pattern              string             `json:"pattern"`
	Minimum              *float64           `json:"minimum"`
	Maximum              *float64           `json:"maximum"`
	MinItems             *int               `json:"minItems"`
	MaxItems             *int               `json:"maxItems"`
	Items                *schema            `json:"items"`
	Required             []string           `json:"required"`
	Properties           map[string]*schema `json:"properties"`
	AdditionalProperties *bool              `json:"additionalProperties"`
}

func readSchema(t *testing.T) *schema {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(string(schemaText)))
	dec.DisallowUnknownFields()
	s := &schema{}
	if err := dec.Decode(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// check returns what is wrong with a value, or nil.
func (s *schema) check(root *schema, at string, v any) error {
	if s.Ref != "" {
		return root.Defs[strings.TrimPrefix(s.Ref, "#/$defs/")].check(root, at, v)
	}
	if s.Type != nil && !s.hasType(v) {
		return fmt.Errorf("%s: %v is not of type %v", at, v, s.Type)
	}
	if s.Const != nil && !reflect.DeepEqual(s.Const, v) {
		return fmt.Errorf("%s: %v is not %v", at, v, s.Const)
	}
	if s.Enum != nil && !s.has(v) {
		return fmt.Errorf("%s: %v is none of %v", at, v, s.Enum)
	}
	switch v := v.(type) {
	case string:
		if s.Pattern != "" && !regexp.MustCompile(s.Pattern).MatchString(v) {
			return fmt.Errorf("%s: %.40q does not match %s", at, v, s.Pattern)
		}
	case float64:
		if s.Minimum != nil && v < *s.Minimum || s.Maximum != nil && v > *s.Maximum {
			return fmt.Errorf("%s: %v is out of range", at, v)
		}
	case []any:
		return s.checkItems(root, at, v)
	case map[string]any:
		return s.checkFields(root, at, v)
	}
	return nil
}

func (s *schema) has(v any) bool {
	for _, e := range s.Enum {
		if reflect.DeepEqual(e, v) {
			return true
		}
	}
	return false
}

func (s *schema) hasType(v any) bool {
	names, many := s.Type.([]any)
	if !many {
		names = []any{s.Type}
	}
	for _, name := range names {
		n, number := v.(float64)
		switch name {
		case "integer":
			if number && n == math.Trunc(n) {
				return true
			}
		case "number":
			if number {
				return true
			}
		default:
			if got := map[reflect.Kind]string{reflect.String: "string", reflect.Slice: "array", reflect.Map: "object"}; v != nil && got[reflect.TypeOf(v).Kind()] == name {
				return true
			}
		}
	}
	return false
}

func (s *schema) checkItems(root *schema, at string, list []any) error {
	if s.MinItems != nil && len(list) < *s.MinItems || s.MaxItems != nil && len(list) > *s.MaxItems {
		return fmt.Errorf("%s: %d items", at, len(list))
	}
	for i, item := range list {
		if err := s.Items.check(root, fmt.Sprintf("%s[%d]", at, i), item); err != nil {
			return err
		}
	}
	return nil
}

func (s *schema) checkFields(root *schema, at string, fields map[string]any) error {
	for _, name := range s.Required {
		if _, found := fields[name]; !found {
			return fmt.Errorf("%s: %s is missing", at, name)
		}
	}
	for name, value := range fields {
		of := s.Properties[name]
		if of == nil {
			return fmt.Errorf("%s: %s is not in the schema", at, name)
		}
		if err := of.check(root, at+"."+name, value); err != nil {
			return err
		}
	}
	return nil
}

func TestSchema(t *testing.T) {
	s := readSchema(t)
	for name, f := range fleets() {
		text, err := json.Marshal(New(f))
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		if err := s.check(s, name, v); err != nil {
			t.Error(err)
		}
	}
}

// TestSchemaRefuses shows that the schema and its reader find faults.
func TestSchemaRefuses(t *testing.T) {
	s := readSchema(t)
	text, _ := json.Marshal(New(fleets()["small"]))
	for name, fault := range map[string]func(map[string]any){
		"missing":     func(v map[string]any) { delete(v, "cells") },
		"unknown":     func(v map[string]any) { v["more"] = 1.0 },
		"null":        func(v map[string]any) { v["rows"] = nil },
		"type":        func(v map[string]any) { v["pods"] = "1" },
		"negative":    func(v map[string]any) { v["nodes"] = -1.0 },
		"not whole":   func(v map[string]any) { v["nodes"] = 1.5 },
		"version":     func(v map[string]any) { v["version"] = 2.0 },
		"few kinds":   func(v map[string]any) { v["kinds"] = v["kinds"].([]any)[1:] },
		"colour":      func(v map[string]any) { v["kinds"].([]any)[0].(map[string]any)["dark"] = "url(x)" },
		"packed":      func(v map[string]any) { v["cells"].(map[string]any)["data"] = "<" },
		"width":       func(v map[string]any) { v["cells"].(map[string]any)["bytes"] = 3.0 },
		"many":        func(v map[string]any) { v["reasons"] = []any{[]any{0.0, 0.0, 0.0, 0.0}} },
		"field of it": func(v map[string]any) { delete(v["rows"].([]any)[0].(map[string]any), "pods") },
	} {
		var v map[string]any
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		fault(v)
		if err := s.check(s, "document", v); err == nil {
			t.Errorf("%s: nothing found", name)
		}
	}
}
