package why

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// choosePods returns the pods of a name, or else the pending ones.
func choosePods(c *manifest.Cluster, name string) ([]*manifest.Pod, error) {
	if name == "" {
		return slices.Collect(c.Pending()), nil
	}
	var pods []*manifest.Pod
	var all []string
	for i := range c.Pods {
		if p := &c.Pods[i]; named(p, name) {
			pods = append(pods, p)
		} else {
			all = append(all, p.ID())
		}
	}
	if pods == nil {
		if like := slices.DeleteFunc(slices.Clone(all), func(id string) bool { return !strings.Contains(id, name) }); len(like) > 0 {
			all = like
		}
		gone := ""
		if c.Finished > 0 {
			gone = fmt.Sprintf("; left out are pods that ended or were deleted before they had a node: %d", c.Finished)
		}
		return nil, fmt.Errorf("no pod %q in the input; there are %s%s", name, command.Some(all), gone)
	}
	return pods, nil
}

// named reports whether p or the workload that it comes from has the name, with or without
// namespace and kind, which may be written as in kubectl: pod/NAME.
func named(p *manifest.Pod, name string) bool {
	for _, id := range [...]string{p.ID(), command.Owner(p)} {
		kind, full, _ := strings.Cut(id, " ")
		rest := name
		if n := len(kind); len(name) > n && strings.EqualFold(name[:n], kind) && (name[n] == ' ' || name[n] == '/') {
			rest = name[n+1:]
		}
		for _, s := range [...]string{name, rest} {
			if s == full || s == strings.TrimPrefix(full, p.Namespace+"/") {
				return true
			}
		}
	}
	return false
}

// groupPods puts pods together about which everything is the same: what they tolerate,
// what they require of nodes, and what a change applies to.
func groupPods(pods []*manifest.Pod) []podGroup {
	var groups []podGroup
	type podKey struct {
		list, attraction, state, owner string
		whole                          bool
		where                          place
	}
	known := make(map[podKey]int)
	for _, p := range pods {
		list := command.Tolerations(p)
		attraction, whole := command.Affinity(p)
		pinned := waits(p) && p.Owner.Kind == "DaemonSet" && p.Affinity.Terms != nil
		if pinned {
			attraction, whole = p.Affinity, true // it is for one node, which this names
		}
		owner := ""
		if p.Kind == "Pod" && p.Owner != (manifest.Owner{}) {
			owner = command.Owner(p)
		}
		text := fmt.Sprintf("%#v", attraction) // words are quoted, and keys in order
		key := podKey{toleration.FormatList(list), text, stateOf(p), owner, whole, placeOf(p.Kind)}
		at, found := known[key]
		if !found {
			at = len(groups)
			known[key] = at
			if list == nil {
				list = []toleration.Toleration{}
			}
			groups = append(groups, podGroup{Tolerations: list, attraction: attraction, Partly: !whole, where: key.where, owner: owner, pinned: pinned, Refusals: []refusal{}, on: make(map[string]bool)})
		}
		g := &groups[at]
		g.pods = append(g.pods, p)
		g.Names = append(g.Names, p.ID())
		g.on[p.NodeName] = true // no node is called ""
	}
	return groups
}

// waits reports whether a pod waits for a node. Of a workload nobody has made pods yet.
func waits(p *manifest.Pod) bool { return p.Kind == "Pod" && p.Pending() }

// stateOf returns what tells pods apart that wait.
func stateOf(p *manifest.Pod) string {
	s := p.State
	if !waits(p) || s == nil {
		return fmt.Sprint(waits(p))
	}
	return fmt.Sprintf("%v %v %q %q %q %q %q %q %q", s.Requests, s.Gates, s.Claims, s.Devices, s.Constraints, s.Nominated, s.Scheduler, s.Scheduled.Reason, s.Scheduled.Message)
}

// place is where a change of tolerations is made.
type place int

const (
	inPod place = iota
	inRollout
	inTemplate // which only makes new pods
	inJob
)

func placeOf(kind string) place {
	switch kind {
	case "Pod":
		return inPod
	case "Deployment", "StatefulSet", "DaemonSet":
		return inRollout
	case "Job":
		return inJob
	}
	return inTemplate
}

// requiredOf returns what the groups require of nodes.
func requiredOf(groups []podGroup) (all []affinity.Required) {
	for i := range groups {
		all = append(all, groups[i].attraction)
	}
	return all
}
