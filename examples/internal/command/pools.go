package command

import "github.com/tolero-dev/tolero/toleration/manifest"

// knownPools are the labels by which providers and autoscalers name node pools.
var knownPools = []string{
	"karpenter.sh/nodepool", "cloud.google.com/gke-nodepool", "eks.amazonaws.com/nodegroup", "alpha.eksctl.io/nodegroup-name",
	"kubernetes.azure.com/agentpool", "agentpool", "kops.k8s.io/instancegroup", "doks.digitalocean.com/node-pool",
	"node.cluster.x-k8s.io/machine-pool", "cattle.io/node-pool",
}

// PoolLabels returns the labels that can name the pool of a node: the one that the user names,
// if there is one, and else all that are known.
func PoolLabels(named string) []string {
	if named != "" {
		return []string{named}
	}
	return knownPools
}

// Pool returns the pool of a node, by the first of the labels that it has, or nothing.
func Pool(n *manifest.Node, labels []string) string {
	for _, label := range labels {
		if pool := n.Labels[label]; pool != "" {
			return pool
		}
	}
	return ""
}
