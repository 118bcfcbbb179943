package kube

import (
	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/toleration"
)

// TolerationSet returns exactly the taints that the tolerations tolerate in a
// cluster with these rules: its methods compare two lists, combine them and give a
// canonical list and signature (see [toleration.Set]). The zero rules are those of
// a default cluster, where Gt and Lt match nothing (rule N4). It retains the strings
// of the tolerations, and allocates.
func TolerationSet(tolerations []v1.Toleration, rules toleration.Rules) toleration.Set {
	return toleration.NewSet(active(tolerations, rules))
}

// TolerationGrants returns how long the tolerations let a pod stay for each taint in
// a cluster with these rules (see [toleration.Grants]). Otherwise it is like
// [TolerationSet].
func TolerationGrants(tolerations []v1.Toleration, rules toleration.Rules) toleration.Grants {
	return toleration.NewGrants(active(tolerations, rules))
}

func active(tolerations []v1.Toleration, rules toleration.Rules) []toleration.Toleration {
	list := AppendTolerations(nil, tolerations)
	return rules.Active(list[:0], list)
}
