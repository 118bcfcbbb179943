// Package yunikorn requires the module of the shim of Apache YuniKorn, which asks the plugin
// TaintToleration of kube-scheduler within its own process. The program in folder run runs
// YuniKorn's own tests over match/kube, and ours within its package:
//
//	cd match/kube/upstream && ADOPTERS=1 go run ./adopters/run -only yunikorn
//
// Of yunikorn-scheduler-interface, v1.8.0 is required: v1.8.0-0, which the shim requires, is not
// to be had.
package yunikorn
