package admit_test

import (
	"fmt"

	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// What a pod that wants a GPU goes through in an API server with all three
// plugins.
func Example() {
	pod := admit.PodResources{Containers: []admit.Resources{{
		Requests: map[string]admit.Quantity{"memory": "1Gi", "example.com/gpu": "1"},
	}}}
	class, err := pod.QOS()
	if err != nil {
		panic(err)
	}
	var restriction admit.Restriction
	tolerations := admit.Defaults().Append(nil, nil)
	tolerations = restriction.Append(nil, tolerations, class, false)
	tolerations = admit.ExtendedResources(nil, tolerations, pod.Extended())
	if err := restriction.Check(tolerations); err != nil {
		panic(err)
	}
	fmt.Println(class)
	for _, t := range tolerations {
		fmt.Println(t)
	}
	// Output:
	// Burstable
	// node.kubernetes.io/not-ready:NoExecute@300
	// node.kubernetes.io/unreachable:NoExecute@300
	// node.kubernetes.io/memory-pressure:NoSchedule
	// example.com/gpu:NoSchedule
}

// Nodes set aside for a group take a taint and a label, its pods a toleration and
// an affinity.
func ExampleDedicated() {
	group := admit.Dedicated{Key: "dedicated", Value: "research"}
	key, value := group.Label()
	fmt.Println("taint the nodes:", group.Taint())
	fmt.Printf("label the nodes: %s=%s\n", key, value)
	fmt.Println("tolerations of the pods:", toleration.FormatList([]toleration.Toleration{group.Toleration()}))
	fmt.Printf("required node affinity of the pods: %s In [%s]\n", key, value)
	// Output:
	// taint the nodes: dedicated=research:NoSchedule
	// label the nodes: dedicated=research
	// tolerations of the pods: dedicated==research:NoSchedule
	// required node affinity of the pods: dedicated In [research]
}
