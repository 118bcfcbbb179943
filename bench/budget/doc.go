// Package budget holds the table of the operations that programs do often: how
// many allocations each may cost, as a test, and what it takes, as a benchmark.
// It has tests only. What a scheduler does for every pod or every pair of a pod
// and a node costs no allocations; what it does once for a list or for a change
// has a small constant budget.
package budget
