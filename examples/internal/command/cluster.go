package command

import (
	"errors"
	"fmt"
	"io"

	"github.com/tolero-dev/tolero/examples/internal/cluster"
)

// PlacementKinds are the kinds that tell, beside nodes and pods, where pods may go.
var PlacementKinds = []string{"daemonsets.apps", "persistentvolumeclaims", "persistentvolumes"}

// PoolKinds are those and the kinds that nodes are made from, of Karpenter, Cluster API and Kueue, with
// the rules of the node readiness controller. Most clusters have few of them.
var PoolKinds = append([]string{
	"nodepools.karpenter.sh", "nodeclaims.karpenter.sh", "machinedeployments.cluster.x-k8s.io", "machinesets.cluster.x-k8s.io",
	"machinepools.cluster.x-k8s.io", "resourceflavors.kueue.x-k8s.io", "nodereadinessrules.readiness.node.x-k8s.io",
}, PlacementKinds...)

// readCluster reads nodes, pods and some kinds more from the user's cluster.
func (p *Program) readCluster(kinds []string, read func(string, io.Reader) error) (err error) {
	tell := func(text string) {
		if p.Verbose {
			p.Complain(errors.New(text))
		}
	}
	p.unread, err = p.Kubectl.Read(p.Stderr, append([]string{"nodes", "pods"}, kinds...), tell, read)
	if answer := p.command.Result != nil && (p.Format == "text" || p.Format == "json" || p.Format == "yaml"); !answer {
		p.complainUnread()
	}
	return err
}

// complainUnread tells on standard error what was not read of the cluster, where no answer does.
func (p *Program) complainUnread() {
	for _, u := range p.unread {
		p.Complain(errors.New(notRead(u)))
	}
	p.unread = nil
}

func notRead(u cluster.Unread) string { return fmt.Sprintf("Not read: %s: %s", u.Kind, u.Reason) }
