// Package koordinator requires the module of Koordinator. The program in folder run runs Koordinator's
// own tests over match/kube, and ours within its packages:
//
//	cd match/kube/upstream && ADOPTERS=1 go run ./adopters/run -only koordinator
package koordinator
