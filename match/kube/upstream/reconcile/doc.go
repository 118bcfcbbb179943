// Package reconcile holds package taint/reconcile against Kubernetes itself: its
// tests change the tolerations of pods and of Jobs in every way that small lists
// allow, and compare what the API server says. It has no code of its own.
package reconcile
