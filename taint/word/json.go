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
	if err := json.Unmarshal(list, &objects); err != nil {
		return nil, plain(what, err)
	} else if objects == nil {
		return nil, nil
	}
	items := make([]T, len(objects))
	for i, object := range objects {
		others, err := Fields(object, fields(&items[i]))
		if err == nil && others != nil {
			err = fmt.Errorf("field %q is unknown or repeated", others[0])
		}
		if err != nil {
			return nil, plain(fmt.Sprintf("%s[%d]", what, i), err)
		}
	}
	return items, nil
}

// plain returns the error of what is in that place. Where the JSON is of another type, it says
// so of the field, without the types of Go.
func plain(place string, err error) error {
	misfit, ok := err.(*json.UnmarshalTypeError)
	switch {
	case !ok:
		return fmt.Errorf("%s: %w", place, err)
	case misfit.Field == "":
		return fmt.Errorf("%s: want a list, got %s", place, misfit.Value)
	}
	return fmt.Errorf("%s.%s: want %s, got %s", place, misfit.Field, misfit.Type.Kind(), misfit.Value)
}
