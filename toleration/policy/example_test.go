package policy_test

import (
	"fmt"

	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/policy"
)

func ExamplePolicy_Check() {
	allowed, _ := toleration.ParseList("dedicated==ml,node.kubernetes.io/unreachable:NoExecute@300")
	p, err := policy.New(policy.Spec{Allowed: allowed})
	if err != nil {
		panic(err) // a list is not valid
	}
	for _, text := range []string{
		"dedicated==ml:NoSchedule,node.kubernetes.io/unreachable:NoExecute@60",
		"dedicated",
		"node.kubernetes.io/unreachable:NoExecute",
	} {
		list, _ := toleration.ParseList(text)
		fmt.Println(p.Check(list))
	}
	// Output:
	// <nil>
	// tolerations[0]: "dedicated" tolerates dedicated:NoSchedule, which is not allowed
	// tolerations[0]: "node.kubernetes.io/unreachable:NoExecute" tolerates node.kubernetes.io/unreachable:NoExecute, which is not allowed for so long
}

func ExamplePolicies() {
	controlPlane, _ := toleration.ParseList("node-role.kubernetes.io/control-plane")
	cluster, _ := policy.New(policy.Spec{Denied: controlPlane})
	batch, _ := policy.New(policy.Spec{Allowed: []toleration.Toleration{}})
	policies := policy.Policies{Cluster: cluster, Namespaces: map[string]*policy.Policy{"batch": batch}}
	everything, _ := toleration.ParseList("*")
	spot, _ := toleration.ParseList("spot")
	fmt.Println(policies.Check("web", everything))
	fmt.Println(policies.Check("web", spot))
	fmt.Println(policies.Check("batch", spot))
	// Output:
	// tolerations[0]: "*" tolerates node-role.kubernetes.io/control-plane:NoSchedule, which is denied
	// <nil>
	// tolerations[0]: "spot" tolerates spot:NoSchedule, which is not allowed
}
