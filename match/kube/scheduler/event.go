//go:build !kube036

package scheduler

import fwk "k8s.io/kube-scheduler/framework"

// targetPod is the resource whose updates are those of the pending pod itself.
const targetPod = fwk.TargetPod
