package informer

import (
	"reflect"
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// reported collects what goes to client-go's HandleError until the test ends. The type of a
// handler changed in Kubernetes 1.32; all of them take one error.
func reported(t *testing.T) *[]string {
	var errs []string
	handlers := reflect.ValueOf(&utilruntime.ErrorHandlers).Elem()
	before := reflect.ValueOf(utilruntime.ErrorHandlers)
	t.Cleanup(func() { handlers.Set(before) })
	collect := func(args []reflect.Value) []reflect.Value {
		for _, arg := range args {
			if err, ok := arg.Interface().(error); ok {
				errs = append(errs, err.Error())
			}
		}
		return nil
	}
	handlers.Set(reflect.Append(reflect.Zero(handlers.Type()), reflect.MakeFunc(handlers.Type().Elem(), collect)))
	return &errs
}
