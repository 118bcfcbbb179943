package browser

import (
	"encoding/json"
	"fmt"
	"testing"
)

type object map[string]any

// dump makes what kubectl prints, with n toleration lists and n taint lists: pools of
// nodes with a taint of their own, some of them with further ones, and pods of owners
// in namespaces that tolerate some.
func dump(t *testing.T, n int) []byte {
	t.Helper()
	var items []object
	for i := range 2 * n {
		list := i % n
		taints := []object{{"key": "pool", "value": fmt.Sprint("p", list/4), "effect": "NoSchedule"}, {"key": fmt.Sprint("team-", list%7), "value": fmt.Sprint(list), "effect": []string{"NoSchedule", "PreferNoSchedule", "NoExecute"}[list%3]}}
		if list%11 == 0 {
			taints = append(taints, object{"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"})
		}
		if list == 0 {
			taints = nil
		}
		items = append(items, object{"kind": "Node", "apiVersion": "v1", "metadata": object{"name": fmt.Sprintf("node-%05d", i), "labels": object{"karpenter.sh/nodepool": fmt.Sprint("pool-", list%9)}}, "spec": object{"taints": taints}})
	}
	for i := range 3 * n {
		list := i % n
		tolerations := []object{
			{"key": "pool", "operator": "Equal", "value": fmt.Sprint("p", list/4), "effect": "NoSchedule"},
			{"key": fmt.Sprint("team-", list%7), "operator": "Equal", "value": fmt.Sprint(list + list%2), "effect": "NoSchedule"},
			{"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300},
		}
		switch {
		case list%13 == 1:
			tolerations = append(tolerations, object{"operator": "Exists", "effect": "NoSchedule"})
		case list%17 == 2:
			tolerations = append(tolerations, object{"key": fmt.Sprint("team-", list%5), "operator": "Exists"})
		case list == 3:
			tolerations = []object{{"operator": "Exists"}}
		}
		items = append(items, pod(fmt.Sprint("ns-", i%5), fmt.Sprintf("app-%d-%d", list, i), fmt.Sprint("app-", list%20), fmt.Sprintf("node-%05d", (i*7)%(2*n)), tolerations))
	}
	return list(t, items)
}

func pod(namespace, name, owner, node string, tolerations any) object {
	return object{
		"kind": "Pod", "apiVersion": "v1",
		"metadata": object{"name": name, "namespace": namespace, "ownerReferences": []object{{"kind": "ReplicaSet", "name": owner, "uid": owner, "controller": true}}},
		"spec":     object{"nodeName": node, "tolerations": tolerations},
	}
}

func list(t *testing.T, items []object) []byte {
	t.Helper()
	text, err := json.Marshal(object{"kind": "List", "apiVersion": "v1", "items": items})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
