// Package popeye asks github.com/derailed/popeye itself what match/dialect and the vectors
// say about it. The program in folder run puts the test in testdata into Popeye's package:
//
//	cd match/kube/upstream && ADOPTERS=1 go run ./adopters/run -only popeye
package popeye
