package main

import (
	"os"
	"testing"
)

// TestElsewhere: in another folder nothing is written.
func TestElsewhere(t *testing.T) {
	dir := t.TempDir()
	if err := run(dir); err == nil {
		t.Error("no error")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}
