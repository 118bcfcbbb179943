package kube

import (
	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/toleration"
)

// TolerationMeaning returns what the tolerations mean in a cluster with these rules: for each
// taint whether they tolerate it, and for how long. Its methods compare two lists, and give a
// minimal list and a signature (see [toleration.Meaning]). If those that count are not valid,
// the error is that of [toleration.NewMeaning]. It retains the strings of the tolerations, and
// allocates.
func TolerationMeaning(tolerations []v1.Toleration, rules ...toleration.Rules) (*toleration.Meaning, error) {
	list := AppendTolerations(nil, tolerations)
	return toleration.NewMeaning(counted(rules).Active(list[:0], list))
}
