package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/internal/spelling"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// fleet is a Fleet with equal lists together, and what is asked about all of it.
type fleet struct {
	rules     toleration.Rules
	silencing *silences
	named     bool // whether the names of all objects are asked for
	nodes     []nodeGroup
	pods      []podGroup
	pools     []Pool
	steps     int               // objects, taints, tolerations and keys that were looked at; for tests
	rivals    int               // tolerations that were merged; for tests
	reached   map[int][]reached // by target
	nodeSteps int               // a look at nodes for pods that wait or have an Affinity is one, and one at a taint ten

	taints    []*sighting // of all nodes, each once, in their order
	occupants map[place]*occupants
	sites     map[taint.Effect][]*site // of taints that stay on their nodes
	tolerated tolerated                // by any pod
	compared  map[place]comparison
	names     keys
	evicting  map[string]int // the groups of nodes with a taint that evicts pods, plus one, by the name of the node
	targets
}

// comparison is a toleration with Gt or Lt, and the first pod that has it.
type comparison struct {
	pod        string
	toleration toleration.Toleration
}

func newFleet(in *Fleet, quiet *silences, named bool) *fleet {
	f := &fleet{
		rules: in.Rules, pools: in.Pools, silencing: quiet, named: named, occupants: make(map[place]*occupants),
		sites: make(map[taint.Effect][]*site), compared: make(map[place]comparison),
		evicting: make(map[string]int), reached: make(map[int][]reached),
	}
	f.readTargets(in.Pods)
	f.groupNodes(in.Nodes)
	f.groupPods(in.Pods)
	f.sightTaints()
	f.placeTaints()
	f.joinTolerations()
	f.newKeys()
	return f
}

// sightTaints finds the taints, without their times, and who has them.
func (f *fleet) sightTaints() {
	known := make(map[taint.Taint]*sighting)
	for i := range f.nodes {
		for j, x := range f.nodes[i].taints {
			f.steps++
			x.TimeAdded = nil
			s := known[x]
			if s == nil {
				s = &sighting{taint: x}
				known[x] = s
				f.taints = append(f.taints, s)
			}
			if n := len(s.spots); n == 0 || s.spots[n-1].group != i { // a list may have a taint twice
				s.spots = append(s.spots, spot{i, j})
			}
		}
	}
}

func (f *fleet) placeTaints() {
	sites := make(map[place]*site)
	for _, s := range slices.Concat(f.taints, f.promised()) {
		at := place{s.taint.Key, s.taint.Effect}
		for _, p := range at.around() {
			f.steps++
			if f.occupants[p] == nil {
				f.occupants[p] = new(occupants)
			}
			f.occupants[p].add(s)
		}
		if Passes(at.key) || s.spots == nil {
			continue
		}
		if sites[at] == nil {
			sites[at] = &site{place: at}
			f.sites[at.effect] = append(f.sites[at.effect], sites[at])
		}
		sites[at].taints = append(sites[at].taints, s)
	}
	for _, s := range sites {
		s.sort()
	}
}

// promised returns the taints that new nodes of pools have.
func (f *fleet) promised() (all []*sighting) {
	for i := range f.pools {
		for _, x := range slices.Concat(f.pools[i].Taints, f.pools[i].Startup) {
			all = append(all, &sighting{taint: x})
		}
	}
	return all
}

func (f *fleet) joinTolerations() {
	var all []toleration.Toleration
	known := make(map[toleration.Toleration]bool)
	for i := range f.pods {
		for _, t := range f.rules.Active(nil, f.pods[i].tolerations) {
			f.steps++
			t.TolerationSeconds = nil
			if known[t] {
				continue
			}
			known[t] = true
			all = append(all, t)
			if _, found := f.compared[place{t.Key, t.Effect}]; t.Operator.Comparison() && !found {
				f.compared[place{t.Key, t.Effect}] = comparison{f.pods[i].name, t}
			}
		}
	}
	f.steps += len(all)
	f.tolerated = newTolerated(all)
}

// tolerated is the taints that some tolerations tolerate, all of which count.
type tolerated struct {
	valid   *toleration.Meaning     // of those that are valid
	invalid []toleration.Toleration // the others, which are asked one by one
}

func newTolerated(list []toleration.Toleration) (t tolerated) {
	var valid []toleration.Toleration
	for i := range list {
		if (toleration.Rules{Comparisons: true}).Validate(list[i:i+1]) == nil {
			valid = append(valid, list[i])
		} else {
			t.invalid = append(t.invalid, list[i])
		}
	}
	t.valid, _ = toleration.NewMeaning(valid)
	return t
}

func (t *tolerated) has(x *taint.Taint) bool {
	return t.valid.Level(x) != toleration.NotTolerated || match.Tolerates(t.invalid, x, toleration.Rules{Comparisons: true})
}

// keys finds keys that are misspelled.
type keys struct {
	wellKnown spelling.Keys
	known     spelling.Keys // the well-known ones, and those of taints, the most frequent first
	inUse     spelling.Keys // those that taints and tolerations have, in the same order
	ofTaints  map[string]bool
	named     map[string]bool   // by tolerations
	perKey    int               // how many of the known ones a key of tolerations is compared with
	perTaint  int               // how many of those in use a key of taints is compared with
	found     map[string]string // by key, its neighbor or nothing
}

// Each key of a toleration that no taint has is compared with a hundred known ones at
// least, and with more as long as there are not more comparisons than this in all. The
// same holds for the keys of taints that no toleration has, and the keys in use. The bound
// is a variable for tests.
const leastComparisons = 100

var comparisons = 1_000_000

func (f *fleet) newKeys() {
	k := &f.names
	k.ofTaints, k.named, k.found = make(map[string]bool), make(map[string]bool), make(map[string]string)
	for _, key := range wellKnown {
		k.known.Add(key)
		k.wellKnown.Add(key)
	}
	order := f.keysOfTaints()
	for _, key := range order {
		k.ofTaints[key] = true
		k.known.Add(key)
	}
	alone := 0 // keys of tolerations that no taint has
	for i := range f.pods {
		for j := range f.pods[i].tolerations {
			if key := f.pods[i].tolerations[j].Key; !k.named[key] {
				k.named[key] = true
				alone += count(!k.ofTaints[key])
			}
		}
	}
	unnamed := 0
	for _, key := range order {
		if k.named[key] {
			k.inUse.Add(key)
		} else {
			unnamed++
		}
	}
	k.perKey = max(leastComparisons, comparisons/max(1, alone))
	k.perTaint = max(leastComparisons, comparisons/max(1, unnamed))
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// keysOfTaints returns the keys, those on most nodes first.
func (f *fleet) keysOfTaints() []string {
	nodes := make(map[string]int)
	var order []string
	for _, s := range slices.Concat(f.taints, f.promised()) {
		if _, known := nodes[s.taint.Key]; !known {
			order = append(order, s.taint.Key)
			nodes[s.taint.Key] = 0
		}
		for _, at := range s.spots {
			nodes[s.taint.Key] += f.nodes[at.group].count
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(nodes[b], nodes[a]) })
	return order
}

// misspelled returns the known key that the key of a toleration, which no taint has,
// looks like.
func (f *fleet) misspelled(key string) (near string, found bool) {
	near, looked := f.names.found[key]
	if !looked {
		f.steps += min(f.names.perKey, f.names.known.Len())
		near, _ = f.names.known.MisspelledAmong(key, f.names.perKey)
		f.names.found[key] = near
	}
	return near, near != ""
}

// misspelledTaint returns the well-known key that the key of a taint looks like or, if no
// toleration has the key, the one in use.
func (f *fleet) misspelledTaint(key string) (near string, found bool) {
	near, looked := f.names.found[key]
	if !looked {
		f.steps += len(wellKnown)
		near, found = f.names.wellKnown.MisspelledAmong(key, len(wellKnown))
		if !found && !f.names.named[key] {
			f.steps += min(f.names.perTaint, f.names.inUse.Len())
			near, _ = f.names.inUse.MisspelledAmong(key, f.names.perTaint)
		}
		f.names.found[key] = near
	}
	return near, near != ""
}

// passing has the keys of taints that Kubernetes and the common autoscalers put on nodes
// and take off again.
var passing = []string{
	taint.KeyNotReady, taint.KeyUnreachable, taint.KeyUnschedulable, taint.KeyMemoryPressure, taint.KeyDiskPressure, taint.KeyPIDPressure,
	taint.KeyNetworkUnavailable, taint.KeyOutOfService, taint.KeyCloudProviderUninitialized, taint.KeyCloudProviderShutdown,
	taint.KeyToBeDeleted, taint.KeyDeletionCandidate, keyKarpenterDisrupted, "karpenter.sh/unregistered",
	// Before Kubernetes 1.13 and 1.8:
	"node.kubernetes.io/out-of-disk", "node.alpha.kubernetes.io/notReady", "node.alpha.kubernetes.io/unreachable",
}

const keyKarpenterDisrupted = "karpenter.sh/disrupted"

// wellKnown has those and the others that Kubernetes uses or used: the key of the control plane
// before 1.25, and that of nodes for critical add-ons, which some platforms still set.
var wellKnown = slices.Concat(passing, []string{taint.KeyControlPlane, "node-role.kubernetes.io/master", "CriticalAddonsOnly"})

// starting has the keys of agents that are not ready yet on a new node, and of nodes that are
// about to end, and prefixes of such keys: of the startup taints of the cluster autoscaler, the
// readiness controller, nidhogg, and the handler of interrupted EC2 instances.
var (
	starting = func() map[string]bool {
		set := setOf("cloud.google.com/impending-node-termination")
		for _, r := range removers {
			set[r.key] = true
		}
		return set
	}()
	startingPrefixes = []string{
		"startup-taint.cluster-autoscaler.kubernetes.io/", "status-taint.cluster-autoscaler.kubernetes.io/", "ignore-taint.cluster-autoscaler.kubernetes.io/",
		"readiness.k8s.io/", nidhogg, "aws-node-termination-handler/",
	}
)

// ofVendors has the keys that clouds and vendors of hardware give to all nodes of a kind.
var ofVendors = setOf("nvidia.com/gpu", "amd.com/gpu", "google.com/tpu", "aws.amazon.com/neuron", "cloud.google.com/gke-spot", "cloud.google.com/gke-preemptible",
	"kubernetes.io/arch", "sandbox.gke.io/runtime", "kubernetes.azure.com/scalesetpriority", "eks.amazonaws.com/compute-type", "oci.oraclecloud.com/oke-is-preemptible",
	"virtual-kubelet.io/provider", "node-role.kubernetes.io/etcd", "node-role.kubernetes.io/infra")

// Passes reports whether taints with the key come and go with the state of nodes: Kubernetes, the
// common autoscalers and agents put them there and take them off again, such as a cordon. Findings
// about pods that wait or are evicted leave them out.
func Passes(key string) bool {
	return isPassing[key] || starting[key] || slices.ContainsFunc(startingPrefixes, func(p string) bool { return strings.HasPrefix(key, p) })
}

// quiet reports whether taints with the key need not be tolerated.
func quiet(key string) bool { return isWellKnown[key] || ofVendors[key] || Passes(key) }

// established has keys that look like well-known ones and are in use themselves.
var established = setOf("node-role.kubernetes.io/controlplane") // Rancher's RKE

// added has the tolerations that Kubernetes adds to pods whatever they tolerate (rules
// A2, A3). Nobody can remove them.
var added = func() map[toleration.Toleration]bool {
	set := make(map[toleration.Toleration]bool)
	for _, t := range (admit.DaemonSet{HostNetwork: true}).Append(nil, nil) {
		set[t] = true // none has seconds
	}
	return set
}()

var isWellKnown, isPassing = setOf(wellKnown...), setOf(passing...)

func setOf(keys ...string) map[string]bool {
	set := make(map[string]bool)
	for _, key := range keys {
		set[key] = true
	}
	return set
}
