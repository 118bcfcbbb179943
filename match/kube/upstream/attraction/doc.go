// Package attraction compares package policy with Kubernetes' own answer to whether a pod
// is attracted to a node by the labels that it requires. It has tests only.
package attraction
