package word

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Fields reads a JSON object. A field goes to where its name in fields points, as
// [json.Unmarshal] reads it, and null changes nothing. The case of names counts, unlike in
// encoding/json, as it does for the Kubernetes API server. Others are the names of unknown
// fields, which are skipped, and of repeated ones, of which the last counts.
func Fields(object []byte, fields map[string]any) (others []string, err error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if start, err := d.Token(); start == nil || err != nil {
		return nil, err
	} else if start != json.Delim('{') {
		return nil, errors.New("want an object")
	}
	read := make(map[string]bool, len(fields))
	for d.More() {
		token, err := d.Token()
		name, _ := token.(string)
		field, known := fields[name]
		if !known || read[name] {
			others = append(others, name)
		}
		if read[name] = true; !known {
			field = new(json.RawMessage)
		}
		if err == nil {
			err = d.Decode(field)
		}
		if misfit, ok := err.(*json.UnmarshalTypeError); ok { // encoding/json puts what is around before the name
			misfit.Field = strings.TrimSuffix(name+"."+misfit.Field, ".")
			return others, misfit
		}
		if err != nil {
			return others, fmt.Errorf("field %q: %w", name, err)
		}
	}
	return others, nil
}

// List reads a JSON list of objects, each with [Fields]. An unknown or repeated field is an
// error. Errors begin with what and the index. The result is nil if there is an error.
func List[T any](list []byte, what string, fields func(*T) map[string]any) ([]T, error) {
	var objects []json.RawMessage
	if err := json.Unmarshal(list, &objects); err != nil || objects == nil {
		return nil, err
	}
	items := make([]T, len(objects))
	for i, object := range objects {
		others, err := Fields(object, fields(&items[i]))
		if err == nil && others != nil {
			err = fmt.Errorf("field %q is unknown or repeated", others[0])
		}
		if err != nil {
			return nil, fmt.Errorf("%s[%d]: %w", what, i, err)
		}
	}
	return items, nil
}
