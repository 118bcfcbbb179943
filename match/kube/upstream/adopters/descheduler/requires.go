//go:build adopters

package descheduler

// What is rewritten in descheduler's own package calls it, so that the module requires it.
import _ "github.com/tolero-dev/tolero/match/kube"
