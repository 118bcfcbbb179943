package kube

import (
	"reflect"

	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/toleration/admit"
)

// PodResources returns the resources of a pod as package admit takes them, for the class
// of the pod and for the tolerations of its extended resources (rules A3, A4):
//
//	r := kube.PodResources(pod)
//	class, err := r.QOS()
//	names := r.Extended()
//
// Requests and limits of the pod as a whole are taken if this release of k8s.io/api has
// them (0.32 and later). It allocates, and retains nothing of the pod.
func PodResources(pod *v1.Pod) admit.PodResources {
	return admit.PodResources{
		Pod:            wholePod(&pod.Spec),
		InitContainers: containers(pod.Spec.InitContainers),
		Containers:     containers(pod.Spec.Containers),
	}
}

// resourcesField is the field for the resources of a pod as a whole. It is found by
// its name, because the lowest release that this module works with does not have it.
var resourcesField, hasResourcesField = reflect.TypeFor[v1.PodSpec]().FieldByName("Resources")

func wholePod(spec *v1.PodSpec) *admit.Resources {
	if !hasResourcesField {
		return nil
	}
	whole, ok := reflect.ValueOf(spec).Elem().FieldByIndex(resourcesField.Index).Interface().(*v1.ResourceRequirements)
	if !ok || whole == nil {
		return nil
	}
	r := Resources(whole)
	return &r
}

func containers(list []v1.Container) []admit.Resources {
	if len(list) == 0 {
		return nil
	}
	all := make([]admit.Resources, len(list))
	for i := range list {
		all[i] = Resources(&list[i].Resources)
	}
	return all
}

// Resources returns the requests and limits of a container, or of a pod as a whole, as
// package admit takes them. It allocates, and retains nothing.
func Resources(r *v1.ResourceRequirements) admit.Resources {
	return admit.Resources{Requests: quantities(r.Requests), Limits: quantities(r.Limits)}
}

func quantities(list v1.ResourceList) map[string]admit.Quantity {
	if len(list) == 0 {
		return nil
	}
	all := make(map[string]admit.Quantity, len(list))
	for name, quantity := range list {
		all[string(name)] = admit.Quantity(quantity.String())
	}
	return all
}
