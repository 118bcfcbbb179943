package device

// Selections returns how many different selectors the set keeps, and how many it
// believes to keep.
func (rs *RuleSet) Selections() (kept, counted int) {
	for _, n := range rs.kinds {
		counted += n
	}
	return len(rs.selecting), counted
}
