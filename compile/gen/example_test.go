package gen_test

import (
	"bytes"
	"fmt"

	"github.com/tolero-dev/tolero/compile/gen"
	"github.com/tolero-dev/tolero/fuzz/notation"
)

// Code that imports nothing, for a list of three tolerations. What is printed is
// the function that answers for one taint.
func ExampleGenerate() {
	list, _ := notation.Tolerations("node.kubernetes.io/not-ready:NoExecute,node.kubernetes.io/unreachable:NoExecute,dedicated=gpu")
	source, err := gen.Generate(
		[]gen.List{{Name: "agent", Tolerations: list}},
		gen.Options{Package: "agent", Functions: true, Standalone: true},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	begin := bytes.Index(source, []byte("func agentTolerates"))
	end := begin + bytes.Index(source[begin:], []byte("\n}"))
	fmt.Printf("%s\n}\n", source[begin:end])
	// Output:
	// func agentTolerates(key, value, effect string) (tolerated bool) {
	// 	switch len(key) {
	// 	case 9:
	// 		if key == "dedicated" {
	// 			return value == "gpu"
	// 		}
	// 	case 28:
	// 		if key[:16] == "node.kubernetes." && key[16:] == "io/not-ready" {
	// 			return effect == "NoExecute"
	// 		}
	// 	case 30:
	// 		if key[:16] == "node.kubernetes." && key[16:] == "io/unreachable" {
	// 			return effect == "NoExecute"
	// 		}
	// 	}
	// 	return
	// }
}
