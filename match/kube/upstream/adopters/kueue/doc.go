// Package kueue requires the module of Kueue. The program in folder run runs Kueue's
// own tests over match/kube, and ours within its packages:
//
//	cd match/kube/upstream && ADOPTERS=1 go run ./adopters/run -only kueue
package kueue
