// Package kubectlget only tests: that examples/tolero reads a cluster through kubectl get as it
// really is, with an API server that says what the test wants.
package kubectlget
