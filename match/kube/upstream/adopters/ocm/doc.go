// Package ocm requires the module of Open Cluster Management, whose placement matches the
// taints of managed clusters by itself. The program in folder run asks it within its package:
//
//	cd match/kube/upstream && ADOPTERS=1 go run ./adopters/run -only ocm
package ocm
