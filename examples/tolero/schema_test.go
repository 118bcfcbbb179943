package main

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/cluster"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/golden"
	"github.com/tolero-dev/tolero/match/explain"
)

// schema is the part of JSON Schema that schema.json uses.
type schema struct {
	Schema     string             `json:"$schema,omitempty"`
	Title      string             `json:"title,omitempty"`
	Ref        string             `json:"$ref,omitempty"`
	Type       any                `json:"type,omitempty"` // a name or a list of them
	Const      any                `json:"const,omitempty"`
	Required   []string           `json:"required,omitempty"`
	Properties map[string]*schema `json:"properties,omitempty"`
	Additional any                `json:"additionalProperties,omitempty"` // false or a schema
	Items      *schema            `json:"items,omitempty"`
	OneOf      []*schema          `json:"oneOf,omitempty"`
	Defs       map[string]*schema `json:"$defs,omitempty"`
}

// written are the types that write their JSON themselves.
var written = map[reflect.Type]*schema{
	reflect.TypeFor[explain.Explanation](): {Type: "object", Required: []string{"scheduling", "eviction", "taints", "text"}, Properties: map[string]*schema{
		"scheduling": {Type: "string"}, "text": {Type: "string"}, "eviction": {Type: "object"}, "taints": {Type: "array", Items: &schema{Type: "object", Required: []string{"taint", "tolerated", "text"}}}}},
	reflect.TypeFor[explain.Repair](): {Type: "object", Required: []string{"goal", "additions", "edits", "size", "text"}, Properties: map[string]*schema{
		"goal": {Type: "string"}, "additions": {Type: "array"}, "edits": {Type: "array"}, "size": {Type: "integer"}, "text": {Type: "string"}}},
}

// of returns the schema of a type, and adds those of structs to defs.
func of(t reflect.Type, defs map[string]*schema) *schema {
	if s := written[t]; s != nil {
		return s
	}
	if t.Kind() != reflect.Pointer && t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return &schema{Type: "string"}
	}
	switch t.Kind() {
	case reflect.String:
		return &schema{Type: "string"}
	case reflect.Bool:
		return &schema{Type: "boolean"}
	case reflect.Float64:
		return &schema{Type: "number"}
	case reflect.Int, reflect.Int64:
		return &schema{Type: "integer"}
	case reflect.Slice:
		return &schema{Type: "array", Items: of(t.Elem(), defs)}
	case reflect.Map:
		return &schema{Type: "object", Additional: of(t.Elem(), defs)}
	case reflect.Pointer:
		s := *of(t.Elem(), defs)
		if s.Ref == "" {
			s.Type = []string{s.Type.(string), "null"}
		}
		return &s
	}
	name := strings.TrimPrefix(strings.ReplaceAll(strings.TrimPrefix(t.String(), "*"), ".json", "."), ".")
	if defs[name] == nil {
		s := &schema{Type: "object", Properties: make(map[string]*schema), Additional: false}
		defs[name] = s
		fields(t, s, defs)
	}
	return &schema{Ref: "#/$defs/" + name}
}

// fields adds the fields of a struct, those of embedded ones too.
func fields(t reflect.Type, s *schema, defs map[string]*schema) {
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || f.Anonymous || name == "" || name == "-" {
			continue
		}
		s.Properties[name] = of(f.Type, defs)
		if !strings.Contains(options, "omit") {
			s.Required = append(s.Required, name)
		}
	}
}

// whole returns the schema of what all commands print.
func whole() *schema {
	s := &schema{Schema: "https://json-schema.org/draft/2020-12/schema", Title: "What tolero COMMAND -o json prints; with -o yaml it is the same as YAML. The version changes when a field changes its meaning or is gone.",
		Type: "object", Required: []string{"version", "command", "result"}, Defs: make(map[string]*schema)}
	s.Properties = map[string]*schema{"unread": of(reflect.TypeFor[[]cluster.Unread](), s.Defs)}
	for _, c := range commands {
		if c.Result != nil {
			s.OneOf = append(s.OneOf, &schema{Properties: map[string]*schema{"version": {Const: command.Version}, "command": {Const: c.Name}, "result": of(reflect.TypeOf(c.Result), s.Defs)}})
		}
	}
	return s
}

// check returns what is wrong with a value, or nothing.
func (s *schema) check(root *schema, at string, v any) string {
	if s.Ref != "" {
		return root.Defs[strings.TrimPrefix(s.Ref, "#/$defs/")].check(root, at, v)
	}
	kind := map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Float64: "number", reflect.Slice: "array", reflect.Map: "object"}[reflect.ValueOf(v).Kind()]
	if n, ok := v.(float64); ok && n == float64(int64(n)) && (s.Type != "number") {
		kind = "integer"
	}
	if v == nil {
		kind = "null"
	}
	types, _ := s.Type.([]any)
	if s.Type != nil && s.Type != kind && !slices.Contains(types, any(kind)) && !(kind == "integer" && slices.Contains(types, any("number"))) {
		return fmt.Sprintf("%s: %v is of type %s, not %v", at, v, kind, s.Type)
	}
	if s.Const != nil && s.Const != v {
		return fmt.Sprintf("%s: %v is not %v", at, v, s.Const)
	}
	for _, name := range s.Required {
		if _, found := v.(map[string]any)[name]; !found {
			return fmt.Sprintf("%s: no %s", at, name)
		}
	}
	object, _ := v.(map[string]any)
	for name, value := range object {
		property := s.Properties[name]
		if property == nil && s.Additional == false {
			return fmt.Sprintf("%s: %s is not in the schema", at, name)
		}
		if more, ok := s.Additional.(map[string]any); ok {
			text, _ := json.Marshal(more)
			property = new(schema)
			_ = json.Unmarshal(text, property)
		}
		if property != nil {
			if wrong := property.check(root, at+"."+name, value); wrong != "" {
				return wrong
			}
		}
	}
	if list, ok := v.([]any); ok && s.Items != nil {
		for i := range list {
			if wrong := s.Items.check(root, fmt.Sprintf("%s[%d]", at, i), list[i]); wrong != "" {
				return wrong
			}
		}
	}
	if s.OneOf != nil {
		var all []string
		for _, one := range s.OneOf {
			wrong := one.check(root, at, v)
			if wrong == "" {
				return ""
			}
			all = append(all, wrong)
		}
		return strings.Join(all, "; ")
	}
	return ""
}

// The schema is that of the types, and what each command prints keeps it, for clusters of all
// sorts; something that does not keep it is found.
func TestSchema(t *testing.T) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", " ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(whole()); err != nil {
		t.Fatal(err)
	}
	golden.CheckFile(t, "schema.json", text.String())
	root := new(schema)
	if content, err := os.ReadFile("schema.json"); err != nil || json.Unmarshal(content, root) != nil {
		t.Fatal(err)
	}
	const data = "../internal/"
	inputs := [][]string{nil, {"-f", data + "matrix/testdata/cluster.json"}, {"-f", data + "why/testdata/pending.yaml"}, {"-f", data + "lint/testdata/cluster.yaml"}, {"-f", data + "page/testdata/pools.json"}}
	for _, c := range commands {
		if c.Result == nil {
			continue
		}
		for _, input := range inputs {
			args := append([]string{c.Name, "-o", "json"}, input...)
			switch {
			case c.Name == "policy":
				args = append(args, "check", "-policies", data+"policy/testdata/controlplane.yaml")
			case c.Name == "plan" && input != nil:
				args = append(args, "taint nodes --all x:NoExecute", "-max-pods", "1")
			case c.Name == "outage" && input != nil && strings.Contains(input[1], "cluster.json"):
				args = append(args, "worker-1")
			case c.Name == "outage" && input != nil:
				continue
			}
			status, stdout, stderr := tolero(args...)
			var v any
			if err := json.Unmarshal([]byte(stdout), &v); err != nil {
				t.Errorf("%q: status %d, %v, %s", args, status, err, stderr)
				continue
			}
			if wrong := root.check(root, c.Name, v); wrong != "" {
				t.Errorf("%q: %s", args, wrong)
			}
			v.(map[string]any)["result"].(map[string]any)["new"] = 1.0
			if wrong := root.check(root, c.Name, v); !strings.Contains(wrong, "new is not in the schema") {
				t.Errorf("%q: a field that is new is not found: %s", args, wrong)
			}
		}
	}
}
