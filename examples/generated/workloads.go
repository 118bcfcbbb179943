package main

import (
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

//go:generate go tool tolgen -o tolerations.go -test workloads.yaml

// tolerations is the generated code for one workload. An agent with a single list
// would call it without an interface.
type tolerations interface {
	Tolerates(t *taint.Taint) bool
	FirstUntolerated(taints []taint.Taint, effects taint.EffectSet) (index int, ok bool)
	Decide(taints []taint.Taint) match.Verdict
	EvictionDelay(taints []taint.Taint) (after time.Duration, evicted bool)
}

// workloads are those of workloads.yaml.
var workloads = []struct {
	name string
	list tolerations
}{
	{"calico-node", daemonSetCalicoNode{}},
	{"neuron-device-plugin", daemonSetNeuronDevicePlugin{}},
	{"nvidia-driver-installer", daemonSetNvidiaDriverInstaller{}},
	{"alertmanager", podAlertmanager{}},
}
