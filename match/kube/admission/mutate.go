package admission

import (
	"encoding/json"
	"net/http"

	v1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// Mutate returns the handler of a mutating webhook: part says what is added to the
// tolerations of a new pod, nil for nothing, and may look at anything of the request. It
// must not write to the request or retain it. Everything else, templates and updates
// included, is allowed as it is.
//
// The answer is a JSON patch (RFC 6902). Tolerations that only follow what is there are
// added one by one, so that nothing of what is there is written again; otherwise the list
// is replaced. Mutate panics if part is nil.
func Mutate(part func(r *v1.AdmissionRequest) admit.Part) http.Handler {
	if part == nil {
		panic("admission.Mutate: part is nil")
	}
	return handler{timeout: readTimeout, answer: func(r *v1.AdmissionRequest, path string, list []toleration.Toleration) *v1.AdmissionResponse {
		response := &v1.AdmissionResponse{Allowed: true}
		if r.Operation != v1.Create || r.Kind.Kind != "Pod" {
			return response
		}
		p := part(r)
		if p == nil {
			return response
		}
		operations := patch(list, p.Append(nil, list))
		if len(operations) == 0 {
			return response
		}
		text, err := json.Marshal(operations)
		if err != nil {
			return refuse(http.StatusInternalServerError, metav1.StatusReasonInternalError, err)
		}
		kind := v1.PatchTypeJSONPatch
		response.Patch, response.PatchType = text, &kind
		return response
	}}
}

// operation is one of a JSON patch.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// patch returns the operations that make list of a pod's tolerations, which are old.
func patch(old, list []toleration.Toleration) []operation {
	const path = "/spec/tolerations"
	if toleration.Equal(old, list) {
		return nil
	}
	if len(old) == 0 || len(list) < len(old) || !toleration.Equal(old, list[:len(old)]) {
		return []operation{{"add", path, list}} // which replaces what is there
	}
	var operations []operation
	for i := range list[len(old):] {
		operations = append(operations, operation{"add", path + "/-", &list[len(old)+i]})
	}
	return operations
}
