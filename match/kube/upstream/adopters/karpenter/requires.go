//go:build adopters

package karpenter

// The rewritten files of Karpenter import match/kube, so this module must require it.
import _ "github.com/tolero-dev/tolero/match/kube"
