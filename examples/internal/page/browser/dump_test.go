package browser

import (
	"encoding/json"
	"testing"
)

type object map[string]any

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
