package device

// Allocation is one device that was allocated for a claim: an entry of
// status.allocation.devices.results, with the field names of the Kubernetes API
// as far as taints are concerned. The zero Allocation is of no device. A copy
// shares Tolerations. It may be read concurrently.
type Allocation struct {
	// Request is the request that the device was allocated for, or the request and
	// the sub-request with a slash between them.
	Request string `json:"request"`
	ID
	// Tolerations are those that the request had. They never change.
	Tolerations []Toleration `json:"tolerations,omitempty"`
}

// Slice is the spec of a ResourceSlice, with the field names of the Kubernetes API
// as far as taints are concerned: some of the devices of a pool. The zero Slice has
// no devices. A copy shares Devices. It may be read concurrently.
type Slice struct {
	Driver  string   `json:"driver"`
	Pool    Pool     `json:"pool"`
	Devices []Device `json:"devices,omitempty"`
}

// Pool is what a slice says of its pool. Of the slices of a pool only those with
// the greatest generation count (rule D9). A Pool is plain data.
type Pool struct {
	Name       string `json:"name"`
	Generation int64  `json:"generation"`
}

// Device is a device of a slice. A copy shares Taints.
type Device struct {
	Name   string  `json:"name"`
	Taints []Taint `json:"taints,omitempty"`
}

// ID returns the name of a device of s with all its parts.
func (s *Slice) ID(device string) ID {
	return ID{s.Driver, s.Pool.Name, device}
}
