package admit

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// StaticPod is the kubelet as a source of tolerations: it describes a pod that
// the kubelet reads from a file, not from the API server. The zero StaticPod is
// the only one. It is a plain value, free to copy and to share.
type StaticPod struct{}

// Append adds or updates the toleration with Exists and NoExecute and without a
// key (rule A8); see [Part]. It tolerates every NoExecute taint forever, unless an
// earlier toleration in the list sets a time limit (rule E2). [DefaultSeconds] adds
// nothing to such a list.
func (StaticPod) Append(dst, tolerations []toleration.Toleration) []toleration.Toleration {
	return upsert(dst, tolerations, []toleration.Toleration{exists("", taint.NoExecute)})
}
