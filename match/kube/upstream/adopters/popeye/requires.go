//go:build adopters

package popeye

// What the test in testdata needs, and the module that it tests.
import (
	_ "github.com/derailed/popeye/pkg/config"

	_ "github.com/tolero-dev/tolero/match/matchtest/vectors"
)
