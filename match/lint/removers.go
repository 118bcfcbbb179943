package lint

import "strings"

// remover is a workload that takes startup taints off, or for which another one waits to do so.
type remover struct{ key, kind, name string } // an empty kind is any, and a name after "*" is an ending

// removers is what the sources of projects say, read at the commits that are named. Names are those of
// their own manifests and charts.
var removers = []remover{
	// Cilium, operator/watchers/node_taint.go at 0a5a007a: the operator removes it once the agent is ready.
	{"node.cilium.io/agent-not-ready", "DaemonSet", "cilium"}, {"node.cilium.io/agent-not-ready", "Deployment", "cilium-operator"},
	// Istio, pilot/pkg/controllers/untaint/nodeuntainter.go at 4f772dda: istiod, once istio-cni-node is ready.
	{"cni.istio.io/not-ready", "DaemonSet", "istio-cni-node"}, {"cni.istio.io/not-ready", "Deployment", "istiod"},
	// The node plugins of CSI drivers, when they start: removeNotReadyTaint of aws-ebs-csi-driver, aws-efs-csi-driver,
	// aws-fsx-csi-driver (names at 0bc0e6fb), mountpoint-s3-csi-driver (names at 005c3786) and azuredisk-csi-driver.
	{"ebs.csi.aws.com/agent-not-ready", "DaemonSet", "ebs-csi-node"}, {"ebs.csi.aws.com/agent-not-ready", "DaemonSet", "ebs-csi-node-windows"},
	{"efs.csi.aws.com/agent-not-ready", "DaemonSet", "efs-csi-node"}, {"fsx.csi.aws.com/agent-not-ready", "DaemonSet", "fsx-csi-node"},
	{"s3.csi.aws.com/agent-not-ready", "DaemonSet", "s3-csi-node"}, {"disk.csi.azure.com/agent-not-ready", "DaemonSet", "csi-azuredisk-node"},
	// Kubernetes 1.37, k8s.io/cloud-provider/controllers/node: the cloud controller manager, of any provider.
	{"node.cloudprovider.kubernetes.io/uninitialized", "", "*cloud-controller-manager"},
	// The node readiness controller, config/manager/manager.yaml at 176f3bec with the prefix of config/default.
	{"readiness.k8s.io/", "Deployment", "nrr-controller-manager"},
}

// nidhogg, which waits for a DaemonSet, has its namespace and name in the key (its README).
const nidhogg = "nidhogg.uswitch.com/"

// StartupTaints returns the keys of the startup taints that wait for a workload of that kind and
// name, as far as the documentation of common projects tells: for [Pod.Removes]. A key that ends
// in "/" stands for all that begin with it.
func StartupTaints(kind, namespace, name string) (keys []string) {
	for _, r := range removers {
		ending, any := strings.CutPrefix(r.name, "*")
		if (r.kind == "" || r.kind == kind) && (r.name == name || any && strings.HasSuffix(name, ending)) {
			keys = append(keys, r.key)
		}
	}
	if kind == "DaemonSet" {
		keys = append(keys, nidhogg+namespace+"."+name)
	}
	return keys
}
