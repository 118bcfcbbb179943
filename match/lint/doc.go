// Package lint finds what is remarkable in the taints and tolerations of a whole fleet:
// what is likely not to do what its author meant.
//
//	report := lint.Check(&lint.Fleet{Nodes: nodes, Pods: pods}, lint.Options{})
//	for _, f := range report.Findings {
//		fmt.Println(f)
//	}
//
// Each [Finding] has an [ID], a severity, the place, a reason and a fix. Options switch
// IDs off, for everything or for one object, and limit how many findings of one ID are
// reported. Findings come in a fixed order: the most severe first, then by ID in the
// order of the constants, then in the order of the fleet.
//
// Pods with the same tolerations are looked at once, and nodes with the same taints too;
// the finding names the first, and how many there are.
//
// What a finding says is exact unless its ID says "likely" or "many": a taint that no pod
// tolerates is one that package match finds untolerated by each, whatever the operators.
//
// # Input and concurrency
//
// Nothing validates first and nothing panics, except for nil pointers. Lists may be nil,
// invalid and long. The work is n log n steps in the size of the fleet, if its lists are
// valid, and the number of distinct taint lists times the number of DaemonSets. All
// functions are pure and retain nothing; results share strings with the fleet.
package lint
