package taint_test

import (
	"testing"

	"github.com/tolero-dev/tolero/taint"
)

// Package compile packs a set of effects into four bits of a number.
func TestEffectSetsHaveFourBits(t *testing.T) {
	if taint.AllEffects != 15 {
		t.Errorf("all effects are %b", taint.AllEffects)
	}
}
