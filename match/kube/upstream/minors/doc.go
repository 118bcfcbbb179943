// Package minors asks the helpers of older Kubernetes releases the vectors of their
// folders. README.md has the releases; the tests ask about the one that the module is
// built with.
package minors
