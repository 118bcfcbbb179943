// Package volcano requires asks, so that its own tests can be run over
// match/kube, and ours within its packages. The program in folder run does both:
//
//	cd match/kube/upstream && ADOPTERS=1 go run ./adopters/run -only volcano
package volcano
