package command

import (
	"errors"
	"fmt"
	"io"

	"github.com/tolero-dev/tolero/examples/internal/cluster"
)

// PlacementKinds are the kinds that tell, beside nodes and pods, where pods may go.
var PlacementKinds = []string{"daemonsets.apps", "persistentvolumeclaims", "persistentvolumes"}

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
