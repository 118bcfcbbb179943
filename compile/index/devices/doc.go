// Package devices holds a fleet of devices on the index that package index has for
// nodes: which devices may a request get, as far as taints go, and what does a rule
// change.
//
//	var fleet devices.Fleet
//	fleet.SetSlice("node-1-gpu", &slice)       // its devices, with their taints
//	fleet.SetRule("drain", &rule)              // adds its taint to those it selects
//	s := fleet.Snapshot()
//	var fit devices.Fit
//	fit.Request(s, tolerations)                // of a request
//	for id := range fit.Nodes() {
//		name, _ := s.Name(id)              // driver/pool/device
//	}
//
// What is a node to the index is a device here. The compiled program is the same: a
// device may be allocated if its NoSchedule and NoExecute taints are tolerated (rule
// D5), as a node may be used, with the matching of a default cluster, in which Gt and
// Lt match nothing (rule D2). Only taints of those two effects are put in the index. When
// pods are evicted is another matter: see package match/device/evict.
//
// A fleet has the devices of each pool's newest generation (rule D9). Whether a pool is
// complete, and whether a device is in use already, it does not know.
//
// # What it costs
//
// A request costs what a pod does: it follows its answer and the different sets of
// taints, not the devices. A rule costs what it selects: a look at each pool of its
// driver and pool name, and a change of the index for each device that is selected. A
// rule that is only thought of costs the same, on a fork of the index that is dropped
// afterwards ([Fleet.Preview]).
//
// Rule numbers (D1 to D13) refer to match/SEMANTICS.md.
package devices
