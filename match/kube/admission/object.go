package admission

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	v1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tolero-dev/tolero/match/kube/admission/internal/plain"
	"github.com/tolero-dev/tolero/toleration"
)

// podSpecs has, for each kind that has pods in it, the path to their spec. It is the same
// in all versions.
var podSpecs = map[metav1.GroupKind]string{
	{Kind: "Pod"}:                        "spec",
	{Kind: "PodTemplate"}:                "template.spec",
	{Kind: "ReplicationController"}:      "spec.template.spec",
	{Group: "apps", Kind: "ReplicaSet"}:  "spec.template.spec",
	{Group: "apps", Kind: "Deployment"}:  "spec.template.spec",
	{Group: "apps", Kind: "DaemonSet"}:   "spec.template.spec",
	{Group: "apps", Kind: "StatefulSet"}: "spec.template.spec",
	{Group: "batch", Kind: "Job"}:        "spec.template.spec",
	{Group: "batch", Kind: "CronJob"}:    "spec.jobTemplate.spec.template.spec",
}

// podSpec returns the path to the spec of the pods of the request's object. It is empty if
// the request cannot change their tolerations, and an error if the kind has none.
func podSpec(r *v1.AdmissionRequest) (string, error) {
	if r.SubResource != "" || r.Operation != v1.Create && r.Operation != v1.Update {
		return "", nil
	}
	path := podSpecs[metav1.GroupKind{Group: r.Kind.Group, Kind: r.Kind.Kind}]
	if path == "" {
		return "", fmt.Errorf("kind %q of group %q: not one that has pods (correct the rules of the webhook)", r.Kind.Kind, r.Kind.Group)
	}
	return path, nil
}

// tolerationsOf returns the tolerations of the pod's spec that object has at path. Nothing
// at the path is no tolerations, but no object is an error.
func tolerationsOf(object []byte, path string) ([]toleration.Toleration, error) {
	if len(object) == 0 || string(object) == "null" {
		return nil, errors.New("object: missing")
	}
	at := "object"
	for name := range strings.SplitSeq(path+".tolerations", ".") {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(object, &fields); err != nil {
			return nil, plain.Error(at, err)
		}
		if object = fields[name]; len(object) == 0 {
			return nil, nil
		}
		at += "." + name
	}
	list, err := toleration.ParseListJSON(object)
	if err != nil { // which begins with the name of the list
		return nil, fmt.Errorf("object.%s.%w", path, err)
	}
	return list, nil
}
