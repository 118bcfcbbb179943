// Package minors compares the helpers of older Kubernetes releases with the vectors in the
// folder of each release. README.md lists the releases; the tests ask the one that the
// module is built with. The script confirm asks k8s.io/kubernetes the questions that the
// helpers have no answer to.
package minors
