//go:build !tolero_invariants

// Package invariant says whether data structures check themselves after each
// change. They do in tests that are built with the tag tolero_invariants; otherwise
// the checks cost nothing, because the compiler drops them.
package invariant

// Enabled reports whether the program was built with the tag tolero_invariants.
const Enabled = false
