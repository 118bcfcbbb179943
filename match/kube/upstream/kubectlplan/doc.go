// Package kubectlplan only tests: that the script of tolero plan, run by kubectl as it really is,
// makes the taint-eviction controller as it really is evict what the plan said, stage by stage.
package kubectlplan
