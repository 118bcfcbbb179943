// Package policy holds the policies that compile/gen/admission writes against
// toleration/policy: its tests run their expressions as the API server does and compare. It has
// no code of its own.
package policy
