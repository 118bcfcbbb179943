package device

import (
	"cmp"
	"iter"
	"maps"
	"slices"
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
	selecting map[selection][]namedRule // in the order of their names
	kinds     [allParts + 1]int         // how many lists there are, by their parts
}

// namedRule is a rule and its name.
type namedRule struct {
	name string
	rule *Rule
}

func byRuleName(r namedRule, name string) int { return cmp.Compare(r.name, name) }

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
)

// selectionOf returns what a selector gives.
func selectionOf(s *Selector) (sel selection) {
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
func (id ID) selecting(parts uint8) selection {
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

// All iterates over the names and rules, in no particular order. The rules must not be
// changed, nor the set meanwhile.
func (rs *RuleSet) All() iter.Seq2[string, *Rule] { return maps.All(rs.byName) }

// Set puts a copy of r in the place of the rule of that name, if any; nil deletes it. The
// time grows
// with the rules of an equal selector, which it moves, and not with others.
func (rs *RuleSet) Set(name string, r *Rule) {
	rs.Delete(name)
	if r == nil {
		return
	}
	if rs.byName == nil {
		rs.byName, rs.selecting = make(map[string]*Rule), make(map[selection][]namedRule)
	}
	rule := new(r.Clone())
	rs.byName[name] = rule
	if rule.DeviceSelector == nil {
		return
	}
	key := selectionOf(rule.DeviceSelector)
	list, known := rs.selecting[key]
	if !known {
		rs.kinds[key.parts]++
	}
	i, _ := slices.BinarySearchFunc(list, name, byRuleName)
	rs.selecting[key] = slices.Insert(list, i, namedRule{name, rule})
}

// Delete takes out the rule of that name and reports whether there was one. For the time
// see Set.
func (rs *RuleSet) Delete(name string) bool {
	old := rs.byName[name]
	if old == nil {
		return false
	}
	delete(rs.byName, name)
	if old.DeviceSelector == nil {
		return true
	}
	key := selectionOf(old.DeviceSelector)
	list := rs.selecting[key]
	i, _ := slices.BinarySearchFunc(list, name, byRuleName)
	if list = slices.Delete(list, i, i+1); len(list) == 0 {
		delete(rs.selecting, key)
		rs.kinds[key.parts]--
	} else {
		rs.selecting[key] = list
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
			if !yield(r.name, r.rule) {
				return
			}
		}
	}
}

// AppendEffective appends to dst the taints of a device: its own, which its slice has,
// and then those of the rules that select it, in the order of their names (rule D4). It
// is as the function [AppendEffective] with rules sorted by name, and takes time for
// those that select the device only. It allocates only for the growth of dst.
func (rs *RuleSet) AppendEffective(dst, own []Taint, id ID) []Taint {
	dst = append(dst, own...)
	s := rs.search(id)
	for r := s.next(); r != nil; r = s.next() {
		dst = append(dst, r.rule.Taint)
	}
	return dst
}

// ruleSearch is the lists of the rules that select a device, as far as they were not
// looked at.
type ruleSearch struct {
	lists [allParts + 1][]namedRule
	n     int // those that are not empty come first
}

func (rs *RuleSet) search(id ID) (s ruleSearch) {
	for parts := range rs.kinds {
		if rs.kinds[parts] == 0 {
			continue
		}
		if list := rs.selecting[id.selecting(uint8(parts))]; len(list) > 0 {
			s.lists[s.n] = list
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
		if s.lists[i][0].name < s.lists[least][0].name {
			least = i
		}
	}
	r := &s.lists[least][0]
	if s.lists[least] = s.lists[least][1:]; len(s.lists[least]) == 0 {
		s.n--
		s.lists[least] = s.lists[s.n]
	}
	return r
}
