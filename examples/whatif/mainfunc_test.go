package main

import (
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/golden"
)

func TestMainFunction(t *testing.T) { golden.CheckMain(t, main, "whatif") }
