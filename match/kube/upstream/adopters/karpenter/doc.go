// Package karpenter asks sigs.k8s.io/karpenter itself what match/dialect and the vectors
// say about it. Its tests are on request, because they compile Karpenter:
//
//	go test -tags adopters .
package karpenter
