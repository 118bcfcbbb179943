package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v2"
)

// convert converts a document to JSON as kubectl and the API server do, with the parser
// that they use.
//
// The parser reads the first value of a stream and ignores what follows it, which
// would lose objects if somebody has put two values into one document. So the
// document is indented, as the value of a key: what follows the first value is
// then a syntax error.
func convert(doc document) ([]byte, error) {
	text := doc.wrap()
	if bytes.Contains(text, []byte("<<")) {
		// Merge keys may give a field that the mapping has too. The parser gets them
		// right only in maps, which do not tell what was there twice.
		var merged map[string]any
		if err := yaml.Unmarshal(text, &merged); err != nil {
			return nil, yamlError(err, doc.line-1)
		}
		return appendJSON(nil, merged["document"])
	}
	var fields yaml.MapSlice
	if err := yaml.Unmarshal(text, &fields); err != nil {
		return nil, yamlError(err, doc.line-1)
	}
	return appendJSON(nil, fields[0].Value)
}

// appendJSON appends a value of the parser as JSON. Where a field occurs more than once,
// all but the last are null, so that the walker sees that and the last one counts.
func appendJSON(dst []byte, value any) ([]byte, error) {
	switch value := value.(type) {
	case yaml.MapSlice:
		return appendFields(dst, value)
	case map[any]any:
		var fields yaml.MapSlice
		for key, field := range value {
			fields = append(fields, yaml.MapItem{Key: key, Value: field})
		}
		slices.SortFunc(fields, func(a, b yaml.MapItem) int { return strings.Compare(fmt.Sprint(a.Key), fmt.Sprint(b.Key)) })
		return appendFields(dst, fields)
	case []any:
		dst = append(dst, '[')
		for i, element := range value {
			if i > 0 {
				dst = append(dst, ',')
			}
			var err error
			if dst, err = appendJSON(dst, element); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	}
	text, err := json.Marshal(value)
	return append(dst, text...), err
}

func appendFields(dst []byte, fields yaml.MapSlice) ([]byte, error) {
	last := make(map[string]int, len(fields))
	names := make([]string, len(fields))
	for i, field := range fields {
		name, err := fieldName(field.Key)
		if err != nil {
			return nil, err
		}
		names[i], last[name] = name, i
	}
	dst = append(dst, '{')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		quoted, _ := json.Marshal(name) // a string cannot fail
		dst = append(append(dst, quoted...), ':')
		value := fields[i].Value
		if last[name] != i {
			value = nil
		}
		var err error
		if dst, err = appendJSON(dst, value); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

// fieldName returns a key as JSON has it, in which all are strings.
func fieldName(key any) (string, error) {
	switch key := key.(type) {
	case string:
		return key, nil
	case int, int64, bool:
		return fmt.Sprint(key), nil
	case float64:
		return strconv.FormatFloat(key, 'g', -1, 32), nil
	}
	return "", fmt.Errorf("unsupported map key of type %T", key)
}
