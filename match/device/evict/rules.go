package evict

import (
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
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
	return r != nil && r.spec.Taint.Effect == taint.NoExecute && r.spec.DeviceSelector != nil
}

// rules is all rules by name, and those that evict by what they select.
type rules struct {
	byName   map[string]*rule
	evicting device.RuleSet
}

// set stores a rule, or removes it if it is nil.
func (rs *rules) set(name string, r *rule) {
	if r.evicts() {
		rs.evicting.Set(name, &r.spec)
	} else {
		rs.evicting.Delete(name)
	}
	if r == nil {
		delete(rs.byName, name)
		return
	}
	if rs.byName == nil {
		rs.byName = make(map[string]*rule)
	}
	rs.byName[name] = r
}

// appendCauses appends the taints that the rules add to a device and that evict.
func (rs *rules) appendCauses(dst []Cause, id device.ID) []Cause {
	for name := range rs.evicting.Selecting(id) {
		dst = append(dst, rs.byName[name].cause)
	}
	return dst
}
