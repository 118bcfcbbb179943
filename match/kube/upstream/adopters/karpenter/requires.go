//go:build adopters

package karpenter

// What is rewritten in karpenter's own package calls it, so that the module requires it.
import _ "github.com/tolero-dev/tolero/match/kube"
