// Package plain words the errors of encoding/json for people who write JSON: with the path to
// the field, and without the types of Go.
package plain

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// Error returns the error err of reading what is at place. Where JSON has another type than is
// wanted, it is "object.spec: want an object, got a list". The path to a field of a struct
// takes the place of place.
func Error(place string, err error) error {
	var misfit *json.UnmarshalTypeError
	if !errors.As(err, &misfit) {
		return fmt.Errorf("%s: %w", place, err)
	}
	return fmt.Errorf("%s: want %s, got %s", cmp.Or(misfit.Field, place), wanted(misfit.Type), got(misfit.Value))
}

// wanted returns what JSON has for a type.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "an object"
	}
	return "a number"
}

// got returns what encoding/json calls a value.
func got(value string) string {
	switch value {
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "bool":
		return "true or false"
	case "string", "number":
		return "a " + value
	}
	return value // as in "number 1.5"
}
