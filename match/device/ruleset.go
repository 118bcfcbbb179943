package device

import (
	"iter"

	"github.com/tolero-dev/tolero/match/internal/ordered"
	"github.com/tolero-dev/tolero/taint"
)

// RuleSet holds rules by their names and finds those that select a device, without a
// look at all of them: rules are kept by what their selectors give, and a device is
// looked up in eight ways.
//
// The zero RuleSet is empty and ready. It must not be copied. Any number of goroutines
// may ask at a time as long as none changes it. It retains names, and copies of the
// rules.
type RuleSet struct {
	byName    map[string]*Rule
	selecting map[selection]*ruleList // none is empty
	kinds     [nothing + 1]int        // how many lists there are, by their parts
}

// ruleList is the rules of one selector by name, and namedRule one of them.
type (
	ruleList  = ordered.List[string, *Rule]
	namedRule = ordered.Entry[string, *Rule]
)

// selection is a selector as the key of a map. A part that is not set is empty, and
// its bit in parts is not set.
type selection struct {
	ID
	parts uint8
}

const (
	driverPart = 1 << iota
	poolPart
	devicePart
	allParts = driverPart | poolPart | devicePart
	nothing  = allParts + 1 // selected without a selector
)

// selectionOf returns what a selector gives.
func selectionOf(s *Selector) (sel selection) {
	if s == nil {
		return selection{parts: nothing}
	}
	set := func(name *string, part uint8, into *string) {
		if name != nil {
			*into, sel.parts = *name, sel.parts|part
		}
	}
	set(s.Driver, driverPart, &sel.Driver)
	set(s.Pool, poolPart, &sel.Pool)
	set(s.Device, devicePart, &sel.Device)
	return sel
}

// selecting returns what a selector with those parts gives that selects the device.
func selecting(id ID, parts uint8) selection {
	if parts&driverPart == 0 {
		id.Driver = ""
	}
	if parts&poolPart == 0 {
		id.Pool = ""
	}
	if parts&devicePart == 0 {
		id.Device = ""
	}
	return selection{id, parts}
}

// Len returns the number of rules.
func (rs *RuleSet) Len() int { return len(rs.byName) }

// Get returns the rule of that name, or nil. It must not be changed.
func (rs *RuleSet) Get(name string) *Rule { return rs.byName[name] }

// Set puts a copy of r in the place of the rule of that name, if any; nil deletes it. The
// expected time is proportional to the logarithm of the number of rules.
func (rs *RuleSet) Set(name string, r *Rule) {
	rs.Delete(name)
	if r == nil {
		return
	}
	if rs.byName == nil {
		rs.byName, rs.selecting = make(map[string]*Rule), make(map[selection]*ruleList)
	}
	clone := r.Clone()
	rule := &clone
	rs.byName[name] = rule
	key := selectionOf(rule.DeviceSelector)
	list := rs.selecting[key]
	if list == nil {
		list = new(ruleList)
		rs.selecting[key] = list
		rs.kinds[key.parts]++
	}
	list.Set(name, rule)
}

// Delete takes out the rule of that name and reports whether there was one. For the time
// see Set.
func (rs *RuleSet) Delete(name string) bool {
	old := rs.byName[name]
	if old == nil {
		return false
	}
	delete(rs.byName, name)
	key := selectionOf(old.DeviceSelector)
	list := rs.selecting[key]
	if list.Delete(name); list.First() == nil {
		delete(rs.selecting, key)
		rs.kinds[key.parts]--
	}
	return true
}

// Selecting iterates over the rules that select the device (rule D3), with their names
// and in the order of these. The rules must not be changed, nor the set meanwhile. The
// time is proportional to the number of these rules.
func (rs *RuleSet) Selecting(id ID) iter.Seq2[string, *Rule] {
	return func(yield func(string, *Rule) bool) {
		s := rs.search(id)
		for r := s.next(); r != nil; r = s.next() {
			if !yield(r.Key, r.Value) {
				return
			}
		}
	}
}

// AppendEffective appends to dst the taints of a device: its own, which its slice has,
// and then those of the rules that select it, in the order of their names (rule D4). It
// is as the function [AppendEffective] with rules sorted by name, and takes time for
// those that select the device only. It allocates only for the growth of dst.
func (rs *RuleSet) AppendEffective(dst, own []taint.Taint, id ID) []taint.Taint {
	dst = append(dst, own...)
	for _, r := range rs.Selecting(id) {
		dst = append(dst, r.Taint)
	}
	return dst
}

// ruleSearch is the rules that select a device, as far as they were not looked at: the
// first of each list.
type ruleSearch struct {
	first [allParts + 1]*namedRule
	n     int // those that are not nil come first
}

func (rs *RuleSet) search(id ID) (s ruleSearch) {
	for parts, n := range rs.kinds[:nothing] {
		if n == 0 {
			continue
		}
		if list := rs.selecting[selecting(id, uint8(parts))]; list != nil {
			s.first[s.n] = list.First()
			s.n++
		}
	}
	return s
}

// next returns the rule with the least name, and nil after the last one.
func (s *ruleSearch) next() *namedRule {
	if s.n == 0 {
		return nil
	}
	least := 0
	for i := 1; i < s.n; i++ {
		if s.first[i].Key < s.first[least].Key {
			least = i
		}
	}
	r := s.first[least]
	if s.first[least] = r.Next(); s.first[least] == nil {
		s.n--
		s.first[least] = s.first[s.n]
	}
	return r
}
