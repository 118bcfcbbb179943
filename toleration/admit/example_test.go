package admit_test

import (
	"fmt"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// The tolerations of an ordinary pod: those of its manifest, and what a cluster
// adds by default.
func Example() {
	written := []toleration.Toleration{toleration.MustParse("dedicated==research:NoSchedule")}
	for _, t := range (admit.DefaultSeconds{}).Append(nil, written) {
		fmt.Println(t)
	}
	// Output:
	// dedicated==research:NoSchedule
	// node.kubernetes.io/not-ready:NoExecute@300
	// node.kubernetes.io/unreachable:NoExecute@300
}

// A pod that wants a GPU, in a cluster whose API server has all three plugins.
func ExampleChain() {
	pod := admit.PodResources{Containers: []admit.Resources{{
		Requests: map[string]admit.Quantity{"memory": "1Gi", "example.com/gpu": "1"},
	}}}
	class, err := pod.QOS()
	if err != nil {
		panic(err)
	}
	restriction := admit.Restriction{Class: class}
	admission := admit.Chain{admit.DefaultSeconds{}, restriction, admit.ExtendedResources{Names: pod.Extended()}}

	tolerations := admission.Append(nil, nil)
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

// Zero fields are Kubernetes' defaults. Other numbers are said explicitly.
func ExampleDefaultSeconds() {
	notReady := int64(30)
	fmt.Println(toleration.FormatList(admit.DefaultSeconds{NotReady: &notReady}.Append(nil, nil)))
	// Output: node.kubernetes.io/not-ready:NoExecute@30,node.kubernetes.io/unreachable:NoExecute@300
}

// A DaemonSet pod stays on a node that is not ready. A static pod stays whatever
// its node's NoExecute taints are.
func ExampleDaemonSet() {
	for _, part := range []admit.Part{admit.DaemonSet{HostNetwork: true}, admit.StaticPod{}} {
		fmt.Printf("%T\n", part)
		for _, t := range part.Append(nil, nil) {
			fmt.Println("  ", t)
		}
	}
	// Output:
	// admit.DaemonSet
	//    node.kubernetes.io/not-ready:NoExecute
	//    node.kubernetes.io/unreachable:NoExecute
	//    node.kubernetes.io/disk-pressure:NoSchedule
	//    node.kubernetes.io/memory-pressure:NoSchedule
	//    node.kubernetes.io/pid-pressure:NoSchedule
	//    node.kubernetes.io/unschedulable:NoSchedule
	//    node.kubernetes.io/network-unavailable:NoSchedule
	// admit.StaticPod
	//    *:NoExecute
}

// A namespace with defaults and a whitelist in its annotations.
func ExampleRestriction() {
	annotations := map[string]string{
		admit.AnnotationDefaults:  `[{"key":"dedicated","operator":"Equal","value":"research","effect":"NoSchedule"}]`,
		admit.AnnotationWhitelist: `[{"key":"dedicated","operator":"Exists"}]`,
	}
	var r admit.Restriction
	var err error
	if text, found := annotations[admit.AnnotationDefaults]; found {
		if r.Defaults, err = admit.ParseAnnotation(text); err != nil {
			panic(err)
		}
	}
	if text, found := annotations[admit.AnnotationWhitelist]; found {
		if r.Whitelist, err = admit.ParseAnnotation(text); err != nil {
			panic(err)
		}
	}
	fmt.Println(r.Check(r.Append(nil, nil)))
	fmt.Println(r.Check(r.Append(nil, []toleration.Toleration{toleration.MustParse("gpu")})))
	// Output:
	// <nil>
	// tolerations[0]: forbidden: "gpu" is not on the whitelist
}

// The taints of a node that registers with a taint of its own.
func ExampleNewNode() {
	own, err := taint.ParseList("dedicated=research:NoSchedule")
	if err != nil {
		panic(err)
	}
	for _, t := range (admit.NewNode{ExternalCloudProvider: true}).Append(nil, own) {
		fmt.Println(t)
	}
	// Output:
	// dedicated=research:NoSchedule
	// node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule
	// node.kubernetes.io/not-ready:NoSchedule
}

// Upstream's test does not know that an empty operator means Equal.
func ExampleUpstreamIsSuperset() {
	equal, empty := toleration.MustParse("a==x"), toleration.MustParse("a=x")
	m, err := toleration.NewMeaning([]toleration.Toleration{equal})
	if err != nil {
		panic(err)
	}
	_, allowed := m.Allows(&empty)
	fmt.Println(admit.UpstreamIsSuperset(&equal, &empty), allowed)
	// Output: false true
}
