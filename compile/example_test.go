package compile_test

import (
	"fmt"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func Example() {
	list, _ := toleration.ParseListLenient("gpu:NoSchedule,gpu:NoExecute,dedicated=ml:NoSchedule,dedicated=web,gpu=small:NoSchedule")
	m := compile.New(list)
	node, _ := taint.ParseList("gpu=large:NoSchedule,dedicated=ops:NoSchedule")
	fmt.Println(m.Filter(nil, node, taint.AllEffects))
	fmt.Print(m)
	// Output:
	// [dedicated=ops:NoSchedule]
	// scan
	// 	gpu	any value	NoSchedule|NoExecute
	// 	dedicated	= "ml"	NoSchedule
	// 	dedicated	= "web"	NoSchedule|PreferNoSchedule|NoExecute|other
}
