// Package figures holds the benchmarks behind the figures of this module, each
// beside its peer or floor in the same run. It has tests only:
//
//	go test -run '^$' -bench P -cpu 1 -timeout 0 ./bench/figures
//
// With -short the fleets are a twentieth of their size, to see that everything runs.
//
// The metrics tell processor times of a unit of work, and ratios: "match/index" is how many
// times longer package match takes than the index. A name that ends in "-sample"
// is of an engine that was timed on a sample of the pods, over all nodes; what
// it would take for all pods is extrapolated. The figures against Kubernetes are
// in the nested module match/kube, under the same names.
//
// Every node and pod has lists and strings of its own, as objects have that were
// decoded one by one.
package figures
