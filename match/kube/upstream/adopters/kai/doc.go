// Package kai requires the module of KAI-Scheduler, which asks the plugin TaintToleration of
// kube-scheduler within its own process. The program in folder run runs KAI's own
// tests over match/kube, and ours within its packages:
//
//	cd match/kube/upstream && ADOPTERS=1 go run ./adopters/run -only kai
package kai
