package device

// ID names a device: by its driver, the pool of its slice, and its name in the
// pool. The field names are those of an allocation result. The zero ID names no
// device that can exist. An ID is plain data, comparable with ==.
type ID struct {
	Driver string `json:"driver"`
	Pool   string `json:"pool"`
	Device string `json:"device"`
}

// String returns the names separated by slashes, as Kubernetes prints them. A
// pool's name may hold slashes too.
func (id ID) String() string {
	return id.Driver + "/" + id.Pool + "/" + id.Device
}

// Rule is the spec of a DeviceTaintRule, with the field names of the Kubernetes
// API: it adds one taint to every device that it selects. The zero Rule selects
// nothing. A copy shares what the pointers point to, which no function writes to.
// A Rule may be read concurrently.
type Rule struct {
	// DeviceSelector selects the devices. Nil selects none of them.
	DeviceSelector *Selector `json:"deviceSelector,omitempty"`
	// Taint is what they get.
	Taint Taint `json:"taint"`
}

// Selector selects devices: each part that is not nil must equal the name that
// the device has (rule D3). Names are compared with regard to case. The zero
// Selector selects every device. A copy shares what the pointers point to. It may
// be read concurrently.
type Selector struct {
	Driver *string `json:"driver,omitempty"`
	Pool   *string `json:"pool,omitempty"`
	Device *string `json:"device,omitempty"`
}

// Selects reports whether s selects the device (rule D3). A nil Selector selects
// none. It does not allocate.
func (s *Selector) Selects(id ID) bool {
	return s != nil && selects(s.Driver, id.Driver) && selects(s.Pool, id.Pool) && selects(s.Device, id.Device)
}

func selects(want *string, name string) bool {
	return want == nil || *want == name
}

// Selects reports whether r adds its taint to the device (rule D3).
func (r *Rule) Selects(id ID) bool {
	return r.DeviceSelector.Selects(id)
}

// Equal reports whether s and t have equal parts. Nil, which selects nothing,
// equals only nil.
func (s *Selector) Equal(t *Selector) bool {
	if s == nil || t == nil {
		return s == t
	}
	return equalNames(s.Driver, t.Driver) && equalNames(s.Pool, t.Pool) && equalNames(s.Device, t.Device)
}

func equalNames(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// Equal reports whether r and u have equal selectors and taints.
func (r *Rule) Equal(u *Rule) bool {
	return r.DeviceSelector.Equal(u.DeviceSelector) && r.Taint.Equal(&u.Taint)
}

// Clone returns a copy of r that shares nothing with it except strings.
func (r *Rule) Clone() Rule {
	clone := *r
	clone.Taint = CloneTaints([]Taint{r.Taint})[0]
	if s := r.DeviceSelector; s != nil {
		clone.DeviceSelector = &Selector{cloneName(s.Driver), cloneName(s.Pool), cloneName(s.Device)}
	}
	return clone
}

func cloneName(name *string) *string {
	if name == nil {
		return nil
	}
	return new(*name)
}
