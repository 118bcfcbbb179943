package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// kubernetes is the release whose rules match/SEMANTICS.md has.
const kubernetes = "1.37"

// commit is set by .ci/release, which builds outside the repository.
var commit string

// version is what tolero -version prints.
func version() string {
	made := "of unknown version"
	if info, ok := debug.ReadBuildInfo(); ok {
		made = info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = cmp.Or(commit, s.Value)
			}
		}
	}
	if commit != "" {
		made += ", commit " + commit
	}
	return fmt.Sprintf("tolero %s, %s, %s/%s\nThe rules are those of Kubernetes %s; with -comparisons those of its feature gate\nTaintTolerationComparisonOperators too.\n",
		made, runtime.Version(), runtime.GOOS, runtime.GOARCH, kubernetes)
}
