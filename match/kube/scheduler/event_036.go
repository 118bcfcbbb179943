//go:build kube036

package scheduler

import fwk "k8s.io/kube-scheduler/framework"

// targetPod is the resource whose updates include those of the pending pod itself.
// Frameworks before 0.37 have no other.
const targetPod = fwk.Pod
