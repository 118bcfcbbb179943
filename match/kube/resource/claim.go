package resource

import (
	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/tolero-dev/tolero/match/device"
)

// AppendAllocations appends to dst the devices that were allocated for the claim, with
// the tolerations that count for each, and returns the extended slice. A claim that is
// not allocated has none.
func AppendAllocations(dst []device.Allocation, claim *resourceapi.ResourceClaim) []device.Allocation {
	if claim.Status.Allocation == nil {
		return dst
	}
	return appendEach(dst, claim.Status.Allocation.Devices.Results, func(r *resourceapi.DeviceRequestAllocationResult) device.Allocation {
		return device.Allocation{
			Request: r.Request, ID: device.ID{Driver: r.Driver, Pool: r.Pool, Device: r.Device}, Tolerations: AppendTolerations(nil, r.Tolerations),
		}
	})
}

// AppendReservedFor appends to dst the UIDs of the pods that the claim is reserved for,
// and returns the extended slice. Reservations for anything else, such as groups of
// pods, are left out.
func AppendReservedFor(dst []types.UID, claim *resourceapi.ResourceClaim) []types.UID {
	for i := range claim.Status.ReservedFor {
		if r := &claim.Status.ReservedFor[i]; r.APIGroup == "" && r.Resource == "pods" {
			dst = append(dst, r.UID)
		}
	}
	return dst
}

// ClaimName returns the name by which [AppendClaims] names a claim: namespace and name
// with a slash between them.
func ClaimName(claim *resourceapi.ResourceClaim) string {
	return claim.Namespace + "/" + claim.Name
}

// AppendClaims appends to dst the names of the claims that the pod refers to, as
// [ClaimName] gives them, and returns the extended slice: claims that its spec names,
// and those that were made for it from templates and that its status names. Claims that
// were not made yet, or that are not needed, are left out. So are claims that the
// scheduler made for extended resources, because of which nobody is evicted (rule D9).
//
// A claim that was made from a template is the pod's only if the pod owns it. That
// needs the claim: see [Owns]. It cannot be reserved for a pod that does not own it.
func AppendClaims(dst []string, pod *v1.Pod) []string {
	for i := range pod.Spec.ResourceClaims {
		c := &pod.Spec.ResourceClaims[i]
		name := c.ResourceClaimName
		if name == nil && c.ResourceClaimTemplateName != nil {
			name = generated(pod, c.Name)
		}
		if name != nil {
			dst = append(dst, pod.Namespace+"/"+*name)
		}
	}
	return dst
}

// generated returns the name of the claim that was made for an entry of the pod's
// spec, or nil.
func generated(pod *v1.Pod, name string) *string {
	for i := range pod.Status.ResourceClaimStatuses {
		if s := &pod.Status.ResourceClaimStatuses[i]; s.Name == name {
			return s.ResourceClaimName
		}
	}
	return nil
}

// Owns reports whether the pod controls the claim, as it does one that was made for it
// from a template.
func Owns(pod *v1.Pod, claim *resourceapi.ResourceClaim) bool {
	return claim.Namespace == pod.Namespace && metav1.IsControlledBy(claim, pod)
}
