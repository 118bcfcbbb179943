//go:build adopters

package karmada

// What the program in folder run rewrites, and puts into the packages of Karmada.
import (
	_ "github.com/karmada-io/karmada/pkg/scheduler/framework/plugins/tainttoleration"
	_ "github.com/karmada-io/karmada/pkg/util/helper"
	_ "github.com/tolero-dev/tolero/match/kube"
	_ "github.com/tolero-dev/tolero/match/matchtest/vectors"
)
