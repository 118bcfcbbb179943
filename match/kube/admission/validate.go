package admission

import (
	"fmt"
	"net/http"

	v1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tolero-dev/tolero/toleration"
)

// Validate returns the handler of a validating webhook: check says whether pods may have
// the tolerations, by an error if they may not. It is called for every pod or template
// that is made, and for every one whose tolerations are changed, and may look at anything
// of the request: the namespace, the user, the object. It must not write to the request,
// nor retain it or the list.
//
// [github.com/tolero-dev/tolero/toleration/policy.Policies.Check] is a check, and
// [github.com/tolero-dev/tolero/toleration/admit.Restriction.Check] is that of Kubernetes'
// own plugin. Validate panics if check is nil.
func Validate(check func(r *v1.AdmissionRequest, tolerations []toleration.Toleration) error) http.Handler {
	if check == nil {
		panic("admission.Validate: check is nil")
	}
	return handler{timeout: readTimeout, answer: func(r *v1.AdmissionRequest, path string, list []toleration.Toleration) *v1.AdmissionResponse {
		if !unchanged(r, path, list) {
			if err := check(r, list); err != nil {
				return refuse(http.StatusForbidden, metav1.StatusReasonForbidden, fmt.Errorf("%s: %w", path, err))
			}
		}
		return &v1.AdmissionResponse{Allowed: true}
	}}
}

// unchanged reports whether the request updates an object that has the same tolerations. An
// old object that cannot be read has others.
func unchanged(r *v1.AdmissionRequest, path string, list []toleration.Toleration) bool {
	if r.Operation != v1.Update {
		return false
	}
	old, err := tolerationsOf(r.OldObject.Raw, path)
	return err == nil && toleration.Equal(old, list)
}
