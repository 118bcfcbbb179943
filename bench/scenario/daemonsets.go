package scenario

import (
	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// DaemonSets makes the nodes of [Pools] and the pods of DaemonSets: those with
// the longest lists. Each has the real tolerations of a DaemonSet of package
// corpus, drawn by how common it is, and those that the DaemonSet controller adds
// to pods on the host's network (rule A2): from 7 to 12 in all.
func DaemonSets(seed uint64, nodes, pods int) *Cluster {
	f := newFleet(seed)
	c := allocate(nodes, pods)
	f.fillNodes(c)
	daemons := newLottery(daemonSetLists())
	for i := range c.Pods {
		c.Pods[i].Tolerations = daemons.lists[daemons.draw(f.random)]
	}
	return c
}

// daemonSetLists returns the lists that DaemonSet pods have, completed, and
// leaves out those of more than 12 tolerations.
func daemonSetLists() []corpus.TolerationList {
	onHostNetwork := admit.DaemonSet{HostNetwork: true}
	var lists []corpus.TolerationList
	for _, list := range corpus.Tolerations() {
		if list.Kind != "DaemonSet" {
			continue
		}
		if list.Tolerations = onHostNetwork.Append(nil, list.Tolerations); len(list.Tolerations) <= 12 {
			lists = append(lists, list)
		}
	}
	return lists
}
