// Package devices holds packages match/device and match/device/evict against
// Kubernetes itself: its tests run both on the same inputs and compare the answers.
// It has no code of its own.
//
//	D2       device.Toleration.Tolerates        k8s.io/dynamic-resource-allocation/resourceclaim
//	D4       device.AppendEffective             k8s.io/dynamic-resource-allocation/resourceslice/tracker
//	D5       device.FirstUntolerated            k8s.io/dynamic-resource-allocation/structured, all three allocators
//	D6-D10   device.EvictionTime, evict.Queue   pkg/controller/devicetainteviction
//	D11      device.Rule.PrepareUpdate          pkg/registry/resource/devicetaintrule, and the API's defaults
//	D12      evict.Queue.Condition, Preview     pkg/controller/devicetainteviction
//	D13      device.ValidateTaints and its kin  pkg/apis/resource/validation
//
// compile/index/devices is compared with the tracker and the allocators together, and
// timed beside them: see TestFigures.
//
// Where this module differs on purpose, a test whose name ends in Difference shows
// both answers.
package devices
