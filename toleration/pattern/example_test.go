package pattern_test

import (
	"fmt"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/reconcile"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/pattern"
)

func ExampleExpand() {
	eight := int64(8)
	live, _ := notation.Taints("spot.example.com/a:NoSchedule,spot.example.com/b:NoSchedule,cores=4:NoSchedule,cores=16:NoSchedule")
	patterns := []pattern.Pattern{
		{KeyPrefix: "spot.example.com/", Effect: taint.NoSchedule},
		{Key: "cores", AtLeast: &eight, Effect: taint.NoSchedule},
	}
	e, err := pattern.Expand(patterns, live, 10)
	if err != nil {
		fmt.Println(err)
	}
	for _, g := range e.Generated {
		fmt.Println(g)
	}
	// Output:
	// spot.example.com/a:NoSchedule, by patterns[0] for spot.example.com/a:NoSchedule
	// spot.example.com/b:NoSchedule, by patterns[0] for spot.example.com/b:NoSchedule
	// cores==16:NoSchedule, by patterns[1] for cores=16:NoSchedule
}

// Keys come and go: the tolerations of a suspended Job follow.
func ExampleExpand_again() {
	patterns := []pattern.Pattern{{KeyPrefix: "spot.example.com/"}}
	before, _ := notation.Taints("spot.example.com/a:NoSchedule,spot.example.com/b:NoSchedule")
	after, _ := notation.Taints("spot.example.com/b:NoSchedule,spot.example.com/c:NoSchedule")
	old, _ := pattern.Expand(patterns, before, 10)
	now, _ := pattern.Expand(patterns, after, 10)

	live := append(old.Tolerations(), toleration.MustParse("dedicated=batch"))
	fmt.Println(reconcile.Tolerations(reconcile.SuspendedJob, live, old.Tolerations(), now.Tolerations()))
	// Output:
	// add spot.example.com/c
	// remove spot.example.com/a
}
