//go:build adopters

package kueue

// What the program in folder run rewrites, and puts into the packages of sigs.k8s.io/kueue.
import (
	_ "github.com/tolero-dev/tolero/match/kube"
	_ "github.com/tolero-dev/tolero/match/matchtest/vectors"
	_ "sigs.k8s.io/kueue/pkg/cache/scheduler"
	_ "sigs.k8s.io/kueue/pkg/controller/tas"
	_ "sigs.k8s.io/kueue/pkg/scheduler/flavorassigner"
)
