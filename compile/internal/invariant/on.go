//go:build tolero_invariants

package invariant

// Enabled reports whether the program was built with the tag tolero_invariants.
const Enabled = true
