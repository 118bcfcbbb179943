//go:build adopters

package ocm

// What the test in testdata needs, and the module that it tests.
import (
	_ "open-cluster-management.io/ocm/pkg/placement/plugins/tainttoleration"

	_ "github.com/tolero-dev/tolero/match/matchtest/vectors"
)
