// Package measured holds nothing itself. The packages below it are generated
// code for the lists that benchmarks ask about: best in the order of tests that
// package gen chooses, bykey, byeffect and bylength one question in the three
// orders that it chooses from, and standalone without imports.
package measured
