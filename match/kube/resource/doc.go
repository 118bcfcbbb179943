// Package resource is for programs that hold the types of k8s.io/api/resource/v1: it
// converts device taints, tolerations, slices and allocated claims to the types
// of package match/device and back, and answers on the API's types what is asked most.
//
//	API                                  here                 this module's type
//	DeviceTaint                          Taint, V1Taint       taint.Taint
//	DeviceToleration                     Toleration, ...      toleration.Toleration
//	ResourceSlice                        Slice                device.Slice
//	ResourceClaim, status.allocation     AppendAllocations    []device.Allocation
//	ResourceClaim, status.reservedFor    AppendReservedFor    []types.UID for evict.Queue.SetClaim
//	Pod, spec.resourceClaims             AppendClaims         names for evict.Queue.SetPod
//
// The selector of a DeviceTaintRule, which is in k8s.io/api/resource/v1 since v0.37, has the
// fields of this module's, so that the language converts it, either way:
//
//	rule := device.Rule{
//		DeviceSelector: (*device.Selector)(r.Spec.DeviceSelector),
//		Taint:          resource.Taint(&r.Spec.Taint),
//	}
//
// [ToleratesTaint] stands in for the function of that name in
// k8s.io/dynamic-resource-allocation/resourceclaim.
//
// The functions are pure and may be called concurrently. What they return shares the
// pointers of what they are given, such as TimeAdded and TolerationSeconds, and nobody
// may write to those meanwhile. They retain nothing. Nothing validates or panics.
//
// It is a module of its own, because k8s.io/api/resource/v1 is there only since v0.34, and
// package match/kube supports older versions.
package resource
