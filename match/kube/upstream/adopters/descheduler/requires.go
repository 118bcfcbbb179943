//go:build adopters

package descheduler

// The rewritten files of the descheduler import match/kube, so this module must require it.
import _ "github.com/tolero-dev/tolero/match/kube"
