// Package descheduler asks sigs.k8s.io/descheduler itself what match/dialect and the vectors
// say about it. Its tests are on request, because they compile the descheduler:
//
//	go test -tags adopters .
package descheduler
