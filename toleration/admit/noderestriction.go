package admit

import "github.com/tolero-dev/tolero/taint"

// KubeletMayUpdate reports whether the admission plugin NodeRestriction lets a kubelet
// write these taints to its own node, which had the old ones (rule R6): only if they are
// the same in the same order, times included. A kubelet may choose the taints when it
// creates its node; see [NewNode]. Nobody else is restricted. It does not allocate.
func KubeletMayUpdate(updated, old []taint.Taint) bool { return taint.Equal(updated, old) }
