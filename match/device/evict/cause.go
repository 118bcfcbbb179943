package evict

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
)

// Cause is a taint that evicts, and where it comes from: a DeviceTaintRule, or a
// device of a ResourceSlice. It is plain data; a copy shares what Taint points to,
// which belongs to the queue, is never changed, and must not be written to.
type Cause struct {
	// Rule is the name of the rule, or empty if the taint is from a slice.
	Rule string
	// Slice is the name of the slice, Device the one of its devices that has the
	// taint, and Index the position of the taint among those of the device. They
	// are zero if the taint is from a rule.
	Slice  string
	Device device.ID
	Index  int
	// Taint is the taint itself.
	Taint taint.Taint
}

// String returns where the taint comes from, in the words of the controller's log except
// for UIDs: "DeviceTaintRule name", or "ResourceSlice name driver/pool/device taint #0".
func (c Cause) String() string {
	if c.Rule != "" {
		return "DeviceTaintRule " + c.Rule
	}
	return fmt.Sprintf("ResourceSlice %s %s taint #%d", c.Slice, c.Device, c.Index)
}

// compare orders causes as rule D8 does: rules by name, and then taints of devices.
func (c *Cause) compare(d *Cause) int {
	switch {
	case c.Rule != "" && d.Rule != "":
		return cmp.Compare(c.Rule, d.Rule)
	case c.Rule != "":
		return -1
	case d.Rule != "":
		return +1
	}
	return cmp.Or(
		cmp.Compare(c.Device.Driver, d.Device.Driver),
		cmp.Compare(c.Device.Pool, d.Device.Pool),
		cmp.Compare(c.Device.Device, d.Device.Device),
		cmp.Compare(c.Index, d.Index),
	)
}

// inOrder sorts causes and drops those that are there already.
func inOrder(causes []Cause) []Cause {
	slices.SortFunc(causes, func(a, b Cause) int { return a.compare(&b) })
	return slices.CompactFunc(causes, func(a, b Cause) bool { return a.compare(&b) == 0 })
}

func equalCauses(a, b []Cause) bool {
	return slices.EqualFunc(a, b, func(c, d Cause) bool {
		return c.Rule == d.Rule && c.Slice == d.Slice && c.Device == d.Device && c.Index == d.Index && c.Taint.Equal(&d.Taint)
	})
}
