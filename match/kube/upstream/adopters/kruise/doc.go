// Package kruise requires the module of OpenKruise. The program in folder run puts our tests
// into its packages, over its own calls and over match/kube:
//
//	cd match/kube/upstream && ADOPTERS=1 go run ./adopters/run -only kruise
package kruise
