// Package gentest compares generated code with package match. The tests that
// package gen generates consist of calls to it: [Run] in a test, [Fuzz] in a
// fuzz target and [Benchmark] in a benchmark, each with the list that the code
// was made from and the code as a [Matcher].
package gentest
