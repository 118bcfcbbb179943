// Package yunikorn requires the module of the shim of Apache YuniKorn, which asks the plugin
// TaintToleration of kube-scheduler within its own process. The program in folder run runs
// YuniKorn's own tests over match/kube, and ours within its package:
//
//	cd match/kube/upstream && ADOPTERS=1 go run ./adopters/run -only yunikorn
//
// It requires v1.8.0 of yunikorn-scheduler-interface, because v1.8.0-0, which the shim requires,
// cannot be downloaded.
package yunikorn
