//go:build adopters

package koordinator

// What the program in folder run rewrites, and puts into the packages of github.com/koordinator-sh/koordinator.
import (
	_ "github.com/koordinator-sh/koordinator/pkg/descheduler/node"
	_ "github.com/koordinator-sh/koordinator/pkg/descheduler/utils"
	_ "github.com/koordinator-sh/koordinator/pkg/util/reservation"
	_ "github.com/tolero-dev/tolero/match/kube"
	_ "github.com/tolero-dev/tolero/match/matchtest/vectors"
)
