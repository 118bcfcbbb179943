// Package affinity compares package match/affinity with Kubernetes' own answer to whether a
// node is as a pod requires. It has tests only.
package affinity
