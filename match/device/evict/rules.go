package evict

import (
	"slices"

	"github.com/tolero-dev/tolero/match/device"
)

// rule is a DeviceTaintRule, and how many pods were evicted with it among the causes
// since it was set.
type rule struct {
	cause   Cause
	spec    device.Rule
	evicted int
}

// evicts reports whether the rule evicts at all.
func (r *rule) evicts() bool {
	return r != nil && r.spec.Taint.Effect == device.NoExecute && r.spec.DeviceSelector != nil
}

// selection is a selector as the key of a map. A part that is not set is empty, and
// its bit in parts is not set.
type selection struct {
	device.ID
	parts uint8
}

const (
	byDriver = 1 << iota
	byPool
	byDevice
	allParts = byDriver | byPool | byDevice
)

func selectionOf(s *device.Selector) (sel selection) {
	set := func(part *string, bit uint8, into *string) {
		if part != nil {
			*into, sel.parts = *part, sel.parts|bit
		}
	}
	set(s.Driver, byDriver, &sel.Driver)
	set(s.Pool, byPool, &sel.Pool)
	set(s.Device, byDevice, &sel.ID.Device)
	return sel
}

// selecting returns the selection of a device by some of its parts.
func selecting(id device.ID, parts uint8) selection {
	sel := selection{parts: parts}
	if parts&byDriver != 0 {
		sel.Driver = id.Driver
	}
	if parts&byPool != 0 {
		sel.Pool = id.Pool
	}
	if parts&byDevice != 0 {
		sel.ID.Device = id.Device
	}
	return sel
}

// rules is all rules by name, and those that evict by what they select: a device is
// selected by the rules under eight keys.
type rules struct {
	byName    map[string]*rule
	selecting map[selection][]*rule
}

// set stores a rule, or removes it if it is nil.
func (rs *rules) set(name string, r *rule) {
	if old := rs.byName[name]; old.evicts() {
		key := selectionOf(old.spec.DeviceSelector)
		left := slices.DeleteFunc(rs.selecting[key], func(r *rule) bool { return r == old })
		if len(left) == 0 {
			delete(rs.selecting, key)
		} else {
			rs.selecting[key] = left
		}
	}
	if r == nil {
		delete(rs.byName, name)
		return
	}
	if rs.byName == nil {
		rs.byName, rs.selecting = make(map[string]*rule), make(map[selection][]*rule)
	}
	rs.byName[name] = r
	if r.evicts() {
		key := selectionOf(r.spec.DeviceSelector)
		rs.selecting[key] = append(rs.selecting[key], r)
	}
}

// appendCauses appends the taints that the rules add to a device and that evict.
func (rs *rules) appendCauses(dst []Cause, id device.ID) []Cause {
	if len(rs.selecting) == 0 {
		return dst
	}
	for parts := range uint8(allParts + 1) {
		for _, r := range rs.selecting[selecting(id, parts)] {
			dst = append(dst, r.cause)
		}
	}
	return dst
}
