// Package upstream holds this module against Kubernetes itself: its tests run
// the code of k8s.io/kubernetes and k8s.io/kubectl and the module's on the same
// inputs and compare the answers. It has no code of its own.
//
// What lives in k8s.io/api and k8s.io/component-helpers, matching and the first
// untolerated taint, is compared in package kube. The taints of devices (match/device,
// match/device/evict and match/kube/resource) are compared in package devices, where
// compile/index/devices is timed beside the allocator. Package policy runs the admission policies of
// compile/gen/admission as the API server does. Here it is the rest:
//
//	A1-A5   toleration/admit                          plugin/pkg/admission, pkg/apis/core/helper
//	A7      admit.NewNode                             nodetaint; pkg/kubelet in controlplane/registration
//	A8      toleration/admit                          pkg/kubelet/config
//	A5      admit.UpstreamIsSuperset, UpstreamMerge   pkg/util/tolerations
//	A6, K3  operations on lists                       pkg/util/taints, v1helper
//	A7      taint.ParseList, FormatList               pkg/util/flag
//	C1-C6   taint/lifecycle                           pkg/controller/nodelifecycle
//	E1-E4   match.EvictionDelay                       pkg/controller/tainteviction
//	E1-E6   match/evict                               pkg/controller/tainteviction
//	F2-F4   match.FirstUntolerated, CountUntolerated  scheduler plugin TaintToleration
//	F2-F7   match/kube/scheduler                      both plugins, hints and signatures
//	F6      match.KubeletAdmits                       pkg/kubelet/lifecycle
//	F7      match.Cordoned                            scheduler plugin NodeUnschedulable
//	F8      match.DaemonSetPlacement                  pkg/controller/daemon
//	K1-K4   taint.ParseChange, Change.Apply           kubectl taint
//	R1      admit.Pressure                            pkg/kubelet/eviction
//	R2      match.FirstUntolerated                    scheduler plugin PodTopologySpread
//	R3      taint.KeyExists                           pkg/controller/podgc, volume/attachdetach
//	R4      taint.KeyExists                           pkg/proxy/healthcheck
//	R5      taint.Upsert, Remove, RemoveKey           cloud-provider/controllers
//	R5      admit.ControlPlane                        kubeadm/app/phases/markcontrolplane
//	R6, R7  taint.Equal, admit.RuntimeClass             plugin/pkg/admission
//	V1-V4   Validate and its kin                      pkg/apis/core/validation
//
// TestVectors, here and in package devices, asks Kubernetes the questions of
// match/matchtest/vectors and so confirms the answers in those files.
//
// Where this module differs on purpose, a test whose name ends in Difference
// shows both answers.
//
// Package controlplane, a module of its own, runs the real control plane on loopback and
// compares the schedulers, and the controllers of the rules C, D and E, as whole programs.
//
// The module is apart from match/kube because k8s.io/kubernetes can be required
// only together with a replace line for each of its staging modules.
package upstream
