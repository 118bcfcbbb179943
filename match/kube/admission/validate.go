package admission

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	v1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tolero-dev/tolero/toleration"
)

// Validate returns the handler of a validating webhook: check says whether pods may have
// the tolerations, by an error if they may not. It is called for every pod or template
// that is made, with its tolerations, and for every update that adds some, with those
// alone. Which operators count is for check to decide, as by the Rules of its policy. It may
// look at anything of the request: the namespace, the user, the object. It must not write
// to the request, nor retain it or the list.
//
// [github.com/tolero-dev/tolero/toleration/policy.Policies.Check] is a check, and
// [github.com/tolero-dev/tolero/toleration/admit.Restriction.Check] is that of Kubernetes'
// own plugin. Validate panics if check is nil.
func Validate(check func(r *v1.AdmissionRequest, tolerations []toleration.Toleration) error) http.Handler {
	if check == nil {
		panic("admission.Validate: check is nil")
	}
	return handler{timeout: readTimeout, answer: func(r *v1.AdmissionRequest, path string, list []toleration.Toleration) *v1.AdmissionResponse {
		judged := list
		if r.Operation == v1.Update {
			if judged = added(r.OldObject.Raw, path, list); len(judged) == 0 {
				return &v1.AdmissionResponse{Allowed: true}
			}
		}
		err := check(r, judged)
		switch {
		case err == nil:
			return &v1.AdmissionResponse{Allowed: true}
		case len(judged) < len(list): // an index is not that in the object
			path += ": counting only those that are new"
		}
		return refuse(http.StatusForbidden, metav1.StatusReasonForbidden, fmt.Errorf("%s: %w", path, err))
	}}
}

// identity tells tolerations apart as [toleration.Toleration.Equal] does.
type identity struct {
	toleration.Toleration
	forever bool
	seconds int64
}

func identify(t toleration.Toleration) identity {
	id := identity{Toleration: t, forever: t.TolerationSeconds == nil}
	if !id.forever {
		id.seconds, id.TolerationSeconds = *t.TolerationSeconds, nil
	}
	id.Operator = cmp.Or(t.Operator, toleration.OpEqual)
	return id
}

// added returns the tolerations of a list that the old object does not have. An old object
// that cannot be read has none.
func added(object []byte, path string, list []toleration.Toleration) []toleration.Toleration {
	old, err := tolerationsOf(object, path)
	if err != nil {
		return list
	}
	before := make(map[identity]bool, len(old)) // lists are long if somebody means harm
	for _, t := range old {
		before[identify(t)] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(t toleration.Toleration) bool { return before[identify(t)] })
}
