package scheduler_test

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/tolero-dev/tolero/match/kube/scheduler"
)

// The factory as the scheduler calls it, with the args of a pluginConfig entry.
func ExampleNew() {
	args := &runtime.Unknown{Raw: []byte(`{"nameTaints": true}`)}
	plugin, err := scheduler.New(context.Background(), args, nil)
	fmt.Println(plugin.Name(), err)

	args.Raw = []byte(`{"nameTaint": true}`)
	_, err = scheduler.New(context.Background(), args, nil)
	fmt.Println(err)
	// Output:
	// ToleroTaintToleration <nil>
	// plugin ToleroTaintToleration: args: error unmarshaling JSON: while decoding JSON: json: unknown field "nameTaint"
}
