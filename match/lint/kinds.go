package lint

import (
	"fmt"
	"slices"
)

// Severity says how bad a finding is. The zero Severity is [Info]. It is a small
// integer.
type Severity uint8

// The severities, in ascending order.
const (
	Info    Severity = iota // it may well be intended
	Warning                 // it is likely a mistake
	Error                   // it keeps pods waiting or evicts them now, or the API server refuses it
)

var severities = [...]string{"info", "warning", "error"}

// String returns "info", "warning" or "error", and for any other value its number.
func (s Severity) String() string {
	if int(s) < len(severities) {
		return severities[s]
	}
	return fmt.Sprintf("Severity(%d)", uint8(s))
}

// MarshalText returns the text of String. It never fails.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes of the severities. Other texts are an
// error, and s stays as it is.
func (s *Severity) UnmarshalText(text []byte) error {
	i := slices.Index(severities[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown severity %q: must be info, warning or error", text)
	}
	*s = Severity(i)
	return nil
}

// ID names a kind of finding. It is stable.
type ID string

// The IDs. Most of the keys of package taint's constants, which Kubernetes and the
// common autoscalers use, and those of agents that are still starting come and go with the
// state of nodes: taints with one need not be tolerated, tolerations with one need not match
// a node, and no pod misses a node because of them. Taints with the keys of clouds and vendors
// of hardware need not be tolerated either, and tolerations with them need not match a node
// while none has the key. A fleet without nodes has no MatchesNoNode, and one without pods no
// Untolerated. What Kubernetes adds to pods whatever they tolerate (rules A2, A3) is never
// Redundant. A toleration without a key is never MatchesNoNode, because it matches
// taints that come and go with the state of nodes. Everything leaves out DaemonSets and
// static pods, which often tolerate everything on purpose. NotANumber is only for
// clusters whose rules count Gt and Lt. The package comment says when a key is
// LikelyMisspelled.
//
// Untolerated is about taints that keep pods out or evict them, and never about
// PreferNoSchedule. Any pod that counts may tolerate them: if the fleet has a DaemonSet
// that tolerates everything, as agents often do, no taint is Untolerated.
//
// Only nodes that the Affinity of a DaemonSet admits count as missed; it may be intended
// to miss these too. The fix of DaemonSetMisses names three additions and counts the
// others. For more than three values of a key and effect it has a single addition, marked
// "any value", which tolerates all other values too. Additions of the [Finding] has the
// least ones, one for each taint. A DaemonSet that tolerates a NoExecute
// taint for only some seconds does not miss the nodes with it.
//
// KeepsPending and NoNode are about pods that are neither static nor of a DaemonSet, for which
// taints leave none of the nodes that their Affinity admits: KeepsPending about those that wait,
// and NoNode about others with an Affinity. If it admits no node, that is not for taints to
// mend. The fix is the least change that lets them go to one of the first few
// nodes, which need not be the one that is meant.
const (
	KeepsPending      ID = "keeps-pending"      // the pod waits, and taints keep it from all nodes that it may use
	Evicts            ID = "evicts"             // a taint of its node evicts the pod at once
	InvalidTaint      ID = "invalid-taint"      // the API server refuses the taint, though pods match it
	InvalidToleration ID = "invalid-toleration" // the API server refuses the toleration, whether or not it matches taints
	StartupDeadlock   ID = "startup-deadlock"   // a startup taint never goes: what removes it waits for it, or cannot run there
	NoNode            ID = "no-node"            // taints would keep a new pod from all nodes that it may use
	NeverMatches      ID = "never-matches"      // the toleration matches no valid taint, does not count, or asks for a value that nobody sets
	OrderDecides      ID = "order-decides"      // another order of the list gives another eviction time
	UselessSeconds    ID = "useless-seconds"    // the seconds of the toleration never count, or overflow (rule E3)
	LikelyMisspelled  ID = "likely-misspelled"  // the key looks like a well-known one, or like one in the fleet
	NotANumber        ID = "not-a-number"       // a pod compares the taint's value, which is no integer
	Everything        ID = "everything"         // the pod tolerates every taint that keeps pods out or evicts them
	Redundant         ID = "redundant"          // the toleration makes no difference to the list
	MatchesNoNode     ID = "matches-no-node"    // no node has a taint that the toleration matches
	Untolerated       ID = "untolerated"        // no pod tolerates the taint
	ManyValues        ID = "many-values"        // a key has very many values in the fleet
	DaemonSetMisses   ID = "daemonset-misses"   // a DaemonSet does not run on a node
)

// kind is an ID and its severity.
type kind struct {
	id       ID
	severity Severity
}

// kinds are in the order of reports.
var kinds = []kind{
	{KeepsPending, Error}, {Evicts, Error}, {InvalidTaint, Error}, {InvalidToleration, Error},
	{StartupDeadlock, Warning}, {NoNode, Warning}, {NeverMatches, Warning}, {OrderDecides, Warning}, {UselessSeconds, Warning}, {LikelyMisspelled, Warning}, {NotANumber, Warning},
	{Everything, Info}, {Redundant, Info}, {MatchesNoNode, Info}, {Untolerated, Info}, {ManyValues, Info}, {DaemonSetMisses, Info},
}

// IDs returns all IDs in the order of reports. The result is new.
func IDs() []ID {
	ids := make([]ID, len(kinds))
	for i, k := range kinds {
		ids[i] = k.id
	}
	return ids
}

// Severity returns how bad findings of the ID are, and Info for an unknown ID.
func (id ID) Severity() Severity {
	if i := slices.IndexFunc(kinds, func(k kind) bool { return k.id == id }); i >= 0 {
		return kinds[i].severity
	}
	return Info
}
