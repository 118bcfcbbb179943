// Package gen turns toleration lists that are known at build time into Go
// source. The generated code answers the questions of package match for its
// list: the list has become a switch that the Go compiler optimizes, so there
// is nothing to set up, nothing to look up in memory and nothing to allocate.
// For a node with one taint and lists of 1 to 32 tolerations, match took 3.6 to 6.2
// times as long, and a compiled list that first interns the taint 9 to 21 times
// (BenchmarkP8, one run).
//
//	lists ── name ──> identifiers ─┐
//	     └── plan ──> who tolerates what, without what is redundant ─┴── emit ──> source
//
// [Generate] makes the code and [GenerateTest] a test file for it, which
// compares every answer with package match. Command tolgen does both for the
// manifests of workloads.
//
// # What is generated
//
// For each list, as the methods of a type or as functions:
//
//	Tolerates         whether some toleration tolerates a taint
//	FirstUntolerated  the first taint with one of some effects that none tolerates
//	Decide            what a node's taints mean to the pod
//	EvictionDelay     how long the pod may stay
//
// They give the answers of the functions of package match with these names, for
// every taint, valid or not. Answers that do not depend on the node, as those for a
// toleration of everything, are constant. Code that stands alone takes key, value and effect
// as strings and imports nothing; see [Options.Standalone].
//
// # Gt and Lt
//
// A default cluster refuses new pods with the operators Gt and Lt, and so does
// [Generate], unless [Options].Rules, or -comparisons of tolgen, say that the cluster
// evaluates them.
//
// # Keys in pieces
//
// The code tells keys apart by their lengths, and then compares those of 17 to
// 64 bytes in pieces of 16: what the compiler does in place where processors have
// words of 64 bits and read them at any address. On others it calls the runtime
// for each piece, and the answers are the same.
//
// # Redundant tolerations
//
// Code is planned from the minimal list for the [toleration.Meaning] of a list, in which
// nothing is redundant: lists with the same meaning get the same tests, ordered by key. What
// counts for Tolerates are the taints alone, for the eviction delay the seconds of NoExecute
// taints.
//
// # The same input gives the same bytes
//
// The header holds [Version], a digest of the lists and options, and how to make
// the file again. Nothing depends on time, place or the order of a map.
//
// Rule numbers refer to match/SEMANTICS.md.
package gen
