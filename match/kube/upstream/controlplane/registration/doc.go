// Package registration holds toleration/admit against the registration of the kubelet
// (rule A7). It is here because a whole kubelet requires more modules than the other
// tests of Kubernetes' code. It has no code of its own.
package registration
