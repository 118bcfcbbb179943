package files

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
)

// Differences is the name of the page, from the folder of package vectors.
const Differences = "../DIFFERENCES.md"

// project is one whose answers were run.
type project struct {
	name, version string
	dialect       string // whose answers the cases have
	run           string // how to run it again
	differences   []difference
	more          string
}

// difference is one thing in which a project differs, and the cases that show it.
type difference struct {
	title, where, text string
	cases              []string
	dialect            string // if it is another one than the project's
}

var projects = []project{
	{"Kubernetes", "k8s.io/kubernetes v1.37.1", "kubernetes", "cd match/kube/upstream && go test -run 'TestVectors$' . ./devices", []difference{
		{"Seconds overflow", "pkg/controller/tainteviction", "`tolerationSeconds` is multiplied into 64-bit nanoseconds. From 9223372037 on it wraps around: some numbers become forever, others a moment. " +
			"A pod that asks for 584 years is evicted after 0.29 seconds. Cutting the number to 9223372036 before the multiplication mends it.",
			[]string{"verdict/one-second-more", "verdict/around-once"}, ""},
		{"An empty operator is not taken for Equal", "pkg/util/tolerations", "The superset test of PodTolerationRestriction compares the operators as texts, so that a whitelist with `Equal` refuses a pod whose toleration has no operator, although both mean the same.",
			[]string{"covers/an-empty-operator-under-equal"}, ""},
		{"A superset by numbers is not recognized", "pkg/util/tolerations", "`Gt` and `Lt` cover nothing but their equals in the superset test: a whitelist with `Gt` 5 refuses `Gt` 6 and `Equal` 6.",
			[]string{"covers/a-smaller-bound", "covers/gt-over-equal"}, ""},
		{"Equal without a key", "pkg/util/tolerations", "A toleration with `Equal` and no key matches taints with every key, and the superset test says that it covers no other key.",
			[]string{"covers/every-key-with-equal"}, ""},
		{"Seconds with an empty effect", "pkg/util/tolerations", "Seconds count in the superset test only if the effect of the first is `NoExecute`. With an empty effect, a whitelist that allows 5 seconds lets a pod through that stays forever.",
			[]string{"covers/seconds-with-an-empty-effect"}, ""},
		{"Negative seconds", "pkg/util/tolerations", "Zero and negative seconds both evict at once, and the superset test takes one for less than the other.",
			[]string{"covers/negative-seconds"}, ""},
		{"A value is reported under the operator", "pkg/apis/core/validation", "A malformed value of `Equal`, and any value of `Exists`, is reported under the field `operator`, but that of `Gt` and `Lt` under `value`.",
			[]string{"validatePod/a-value-with-exists", "validatePod/a-malformed-value"}, ""},
	}, more},
	{"Descheduler", "sigs.k8s.io/descheduler v0.36.0", "descheduler", "cd match/kube/upstream/adopters/descheduler && go test -tags adopters .", []difference{
		{"NoExecute does not matter to RemovePodsViolatingNodeTaints", "pkg/framework/plugins/removepodsviolatingnodetaints", "The strategy looks at `NoSchedule` only, and at `PreferNoSchedule` on request. It leaves `NoExecute` to the eviction controller.",
			[]string{"fits/noexecute-keeps-a-pod-out-too", "fits/tolerated-for-one-effect-only"}, ""},
		{"Gt and Lt always count", "pkg/utils/predicates.go", "A pod that the scheduler of a default cluster refuses, because it ignores `Gt` and `Lt`, stays where it is. The descheduler also logs an error for each taint whose value is no number. The last argument of `ToleratesTaint` is always true; the state of the cluster's gate in its place mends it.",
			[]string{"fits/gt-with-the-gate-off"}, ""},
		{"Node utilization counts tolerations", "pkg/utils/pod.go, PodToleratesTaints", "LowNodeUtilization and HighNodeUtilization refuse a node that has more taints than the pod has tolerations, even if the pod tolerates them all. They never move a pod that tolerates everything with one `Exists` to a node with two taints. The fix is to remove the comparison of the lengths.",
			[]string{"fits/everything-tolerated-on-a-node-with-two-taints"}, "descheduler-utilization"},
		{"Node utilization takes PreferNoSchedule for a hard effect", "pkg/utils/pod.go, PodToleratesTaints", "The same function asks about taints with every effect, even those that only rank nodes and those whose effect means nothing. Asking about `NoSchedule` and `NoExecute` alone mends it.",
			[]string{"fits/prefernoschedule-keeps-nobody-out", "fits/an-unknown-effect-keeps-nobody-out"}, "descheduler-utilization"},
	}, ""},
	{"KAI-Scheduler", "github.com/NVIDIA/KAI-scheduler v0.12.0", "kai", inside("kai"), []difference{
		{"Gt and Lt never count", "pkg/scheduler/k8s_internal/plugins/plugins.go", "KAI embeds the plugin of Kubernetes 1.34, which does not know `Gt` and `Lt`. In a newer cluster with the feature gate on, KAI leaves a pod pending that kube-scheduler would place. Embedding the plugin of the cluster's release, with the state of its gate, mends it.",
			[]string{"fits/gt-with-the-gate-on"}, ""},
	}, `
### The signature depends on the order of the tolerations

KAI treats pods with the same signature alike. Pods that tolerate ` + "`a`" + ` and ` + "`b`" + `, ` + "`b`" + ` and ` + "`a`" + `, or ` + "`b`" + ` twice, tolerate the same
taints and get three signatures (` + "`pkg/scheduler/api/pod_info/scheduling_constraints_signature.go`" + `). Sorting the
tolerations and removing duplicates before hashing them mends it. ` + "`TestToleroOrderDifference`" + ` of the same run shows it.
`},
	{"Karmada", "github.com/karmada-io/karmada v1.16.0", "karmada", inside("karmada"), []difference{
		{"Gt and Lt never count", "pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go", "Karmada calls the helpers of Kubernetes 1.34, which do not know `Gt` and `Lt`: a cluster toleration with one of them tolerates nothing. The helpers of Kubernetes 1.35, with a gate, mend it.",
			[]string{"fits/gt-with-the-gate-on"}, ""},
	}, `
### When resources leave a cluster

Tests of the same run show these, the first two in ` + "`pkg/util/helper/taint.go, GetMinTolerationTimeWithCurrentTime`" + `. The last two are intended:

| test | input | as Kubernetes | Karmada |
|---|---|---|---|
| ` + "`TestToleroDifference`" + ` | ` + "`a:NoExecute`" + ` since 0 s, tolerated without a limit; ` + "`b:NoExecute`" + ` since 100 s, tolerated by a toleration of everything for 10 s; at 101 s | stays until 110 s | leaves at once |
| ` + "`TestToleroDifference`" + ` | ` + "`a:NoExecute`" + ` since 0 s, tolerated for 9223372037 s; at 1 s | stays for 292 years | leaves at once: the seconds overflow |
| ` + "`TestToleroDifference`" + ` | ` + "`a:NoExecute`" + ` since 0 s, tolerated for 30 s; seen at 20 s | stays until 50 s | stays until 30 s: seconds count from ` + "`timeAdded`" + ` |
| ` + "`TestToleroChosenDifference`" + ` | ` + "`a:NoSchedule`" + ` on a cluster that was chosen before, not tolerated | refused | not asked about |

In the first, each toleration that was used is asked about each taint: the one for ` + "`b`" + ` matches ` + "`a`" + ` too, whose 10 seconds
are long over. Taking for each taint the toleration that ` + "`GetMatchingTolerations`" + ` found for it mends that; cutting the seconds to
9223372036 before they are multiplied mends the second.
`},
	{"Karpenter", "sigs.k8s.io/karpenter v1.14.1", "karpenter", "cd match/kube/upstream/adopters/karpenter && go test -tags adopters .", []difference{
		{"PreferNoSchedule keeps a pod out", "pkg/scheduling/taints.go", "At first, every taint must be tolerated, even one whose effect means nothing. Karpenter tolerates `PreferNoSchedule` when it relaxes what the pod prefers.",
			[]string{"fits/prefernoschedule-keeps-nobody-out", "fits/an-unknown-effect-keeps-nobody-out"}, ""},
		{"Gt and Lt always count", "pkg/scheduling/taints.go", "Where the scheduler ignores `Gt` and `Lt`, as by default, Karpenter makes a node for a pod that the scheduler then refuses. The last argument of `ToleratesTaint` is always true; the state of the cluster's gate in its place mends it.",
			[]string{"fits/gt-with-the-gate-off"}, ""},
		{"Taints of a node that starts are left out", "pkg/scheduling/taints.go, IsKnownEphemeralTaint", "They do not matter until the node is initialized: some by key and effect, and all under `readiness.k8s.io/`, although these may stay on the node.",
			[]string{"fits/a-node-that-starts", "fits/a-startup-taint-of-node-readiness"}, ""},
	}, ""},
	{"Koordinator", "github.com/koordinator-sh/koordinator v1.8.0", "koordinator", inside("koordinator"), []difference{
		{"Gt and Lt never count", "pkg/descheduler/utils/predicates.go", "In a cluster with the feature gate on, the descheduler takes a taint that a pod tolerates by number for untolerated, and never moves the pod to such a node. The last argument of `ToleratesTaint` is always false; the state of the cluster's gate in its place mends it.",
			[]string{"fits/gt-with-the-gate-on"}, ""},
	}, ""},
	{"Kueue", "sigs.k8s.io/kueue v0.19.2", "kueue-nodes", inside("kueue"), []difference{
		{"Gt and Lt do not count for nodes that fail", "pkg/controller/tas/node_controller.go, checkTaintTolerations", "The controller of nodes never counts `Gt` and `Lt`: with the feature gate on, it declares a node unfit on which the scheduler has just placed the pod. The last argument of `TolerationsTolerateTaint` is always false; the state of the cluster's gate in its place mends it.",
			[]string{"fits/gt-with-the-gate-on"}, ""},
		{"Gt and Lt count for the assignment of flavors", "pkg/scheduler/flavorassigner/flavorassigner.go, checkFlavorForPodSets", "The assignment always counts `Gt` and `Lt`: in a default cluster it admits a workload to a flavor on whose nodes the scheduler then refuses its pods. The last argument of `FindMatchingUntoleratedTaint` is always true; the state of the cluster's gate in its place mends it.",
			[]string{"fits/gt-with-the-gate-off"}, "kueue"},
	}, `
### Seconds of the first toleration are ignored if another has none

The controller of nodes takes a taint for tolerated forever if any toleration without seconds matches it
(` + "`pkg/controller/tas/node_controller.go, checkTaintTolerations`" + `). The eviction controller takes the first that matches.
` + "`TestToleroFirstDifference`" + ` of the same run shows it: for ` + "`a:NoExecute`" + `, tolerated for 30 seconds and then, by a second toleration,
without a limit, Kueue answers "permanently"; Kubernetes evicts after 30 seconds (` + "`match/SEMANTICS.md`" + `, E2). Taking the
first that matches mends it.
`},
	{"Open Cluster Management", "open-cluster-management.io/ocm v1.0.0", "ocm", inside("ocm"), nil, `
### Seconds

The effects are ` + "`NoSelect`, `NoSelectIfNew` and `PreferNoSelect`" + `, so that no vector asks about them. The run asks about the nodes and pods of
all vectors, with these effects in the place of Kubernetes' and without seconds: the answers are those of package dialect.
` + "`TestToleroDifference`" + ` of the same run shows what is different (` + "`pkg/placement/plugins/tainttoleration/taint_toleration.go`" + `); all except the
third are intended:

| input | as Kubernetes | Open Cluster Management |
|---|---|---|
| ` + "`a:NoSelect`" + ` since 20 s, tolerated for 10 s, just seen | tolerated for 10 s more | not tolerated: seconds count from ` + "`timeAdded`" + ` |
| ` + "`a:NoSelect`" + ` since 20 s, tolerated for 10 s, then by a second toleration without a limit | the first that matches counts | tolerated: one that has expired does not match |
| ` + "`a:NoSelect`" + ` since 20 s, tolerated for 9223372037 s | tolerated for 292 years | not tolerated: the seconds overflow |
| ` + "`a:NoSelectIfNew`" + ` on a cluster that was chosen before, not tolerated | no such effect | tolerated |

Cutting the seconds to 9223372036 before they are multiplied mends the third.
`},
	{"Popeye", "github.com/derailed/popeye v0.22.1", "popeye", inside("popeye"), []difference{
		{"Key and value are compared as text", "internal/lint/node.go, checkTaints", "A taint is reported as tolerated by no pod unless a toleration has the same key and the same value. `Exists` with no key, or on a taint with a value, counts for nothing; an effect or operator that does not match does not matter. Asking `ToleratesTaint` of each toleration mends it.",
			[]string{"fits/everything-tolerated-on-a-node-with-two-taints", "fits/tolerated-for-one-effect-only"}, ""},
	}, ""},
	{"Volcano", "volcano.sh/volcano v1.14.1", "volcano", inside("volcano"), []difference{
		{"Gt and Lt never count", "pkg/scheduler/plugins/predicates/predicates.go", "Volcano embeds the plugin of Kubernetes 1.34, which does not know `Gt` and `Lt`. In a newer cluster with the feature gate on, it leaves a pod pending that kube-scheduler would place. Embedding the plugin of the cluster's release, with the state of its gate, mends it.",
			[]string{"fits/gt-with-the-gate-on"}, ""},
	}, ""},
	{"YuniKorn", "github.com/apache/yunikorn-k8shim v1.8.0", "yunikorn", inside("yunikorn"), []difference{
		{"Gt and Lt never count", "pkg/plugin/predicates/predicate_manager.go", "YuniKorn embeds the plugin of Kubernetes 1.34, which does not know `Gt` and `Lt`. In a newer cluster with the feature gate on, it leaves a pod pending that kube-scheduler would place. Embedding the plugin of the cluster's release, with the state of its gate, mends it.",
			[]string{"fits/gt-with-the-gate-on"}, ""},
	}, ""},
}

// inside is how to run the tests that are put into the packages of a project.
func inside(project string) string {
	return "cd match/kube/upstream && ADOPTERS=1 go run ./adopters/run -only " + project
}

// page returns the page of differences.
func page(all []Case) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`<!-- Code generated by go generate in the folder vectors; DO NOT EDIT. -->
# Where real projects differ

Each difference below was shown by running the released module of the project, or one function of it, on the input that is
given, and comparing its answer with the one that the [vectors](vectors/README.md) have as right. What was only read is not here;
package [dialect](../dialect) has that too, marked as such. The names are those of the cases;
` + "`go run ./match/matchtest/vectors/checkvectors -list`" + ` prints them with the reasons.
`)
	for i := range projects {
		if err := projects[i].write(&b, all); err != nil {
			return nil, err
		}
	}
	if err := writeFunctions(&b, all); err != nil {
		return nil, err
	}
	b.WriteString(policies)
	return b.Bytes(), nil
}

func (p *project) write(b *bytes.Buffer, all []Case) error {
	fmt.Fprintf(b, "\n## %s\n\nModule `%s`. To run it again:\n\n    %s\n", p.name, p.version, p.run)
	for _, d := range p.differences {
		dialect := cmp.Or(d.dialect, p.dialect)
		fmt.Fprintf(b, "\n### %s\n\n%s (`%s`)\n\n| case | input | right | %s |\n|---|---|---|---|\n", d.title, d.text, d.where, p.name)
		for _, id := range d.cases {
			i := slices.IndexFunc(all, func(c Case) bool { return c.ID == id })
			if i < 0 {
				return fmt.Errorf("no case %s", id)
			}
			c := &all[i]
			j := slices.IndexFunc(c.Alternatives, func(a canonical.Alternative) bool { return slices.Contains(a.Dialects, dialect) })
			if j < 0 {
				return fmt.Errorf("%s: %s does not differ", id, p.name)
			}
			theirs, err := canonical.Marshal(c.Alternatives[j].Answer)
			if err != nil {
				return err
			}
			fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", id, code(c.Input), code(c.Answer), code(theirs))
		}
	}
	b.WriteString(p.more)
	return nil
}

// code is JSON in a cell of a table.
func code(text []byte) string { return "`" + strings.ReplaceAll(string(text), "|", `\|`) + "`" }

// more is the differences of Kubernetes that no vector can show: they are a matter of
// chance, of calls within a process, or of objects that its API server lets nobody store.
const more = `
### Other differences of Kubernetes

No vector can show these: they need a sequence of objects that misses a step, an object that the API server does not
store, or they are left to chance. Each has a test that shows both answers, with its input:

    cd match/kube/upstream && go test -run 'Difference$' ./...

| test | input | right | Kubernetes |
|---|---|---|---|
| ` + "`TestA7ParseListDifference`" + ` | ` + "`--register-with-taints=a=x:NoSchedule,b-,c:NoExecute-`" + ` | an error | the last two items are dropped without one |
| ` + "`TestA5MergeDifference`" + ` | ` + "`a:NoExecute` for 6 s, merged with `a` for 5 s" + ` | both | the first is dropped, and with it a second |
| ` + "`TestK3UpsertDifference`" + ` | ` + "`a=x:NoSchedule` added to `a=y:NoSchedule,a=x:NoSchedule`" + ` | all of that key and effect are replaced | nothing changes |
| ` + "`TestLifecycleDifference`" + ` | a node that is deleted and created again between two looks | a new node, with its grace period | the old heartbeat counts, and it is lost at once |
| ` + "`devices.TestD4OrderDifference`" + ` | two rules that select a device | their taints in an order that stays | in any order, by chance |
| ` + "`devices.TestD7PanicDifference`" + ` | a device taint without ` + "`timeAdded`" + `, tolerated for some seconds | nobody is evicted | the controller panics |
| ` + "`devices.TestD7OverflowDifference`" + ` | great numbers of seconds of a device toleration | 292 years | as above, they overflow |
| ` + "`devices.TestD7ZeroTimeDifference`" + ` | a ` + "`timeAdded`" + ` that is the zero time | the same as none | evicts at once |
| ` + "`devices.TestD8PositionDifference`" + ` | a taint of a device moves up because another one goes | the log names the new position | the old one |
| ` + "`devices.TestD9TwiceDifference`" + ` | two slices of the newest generation with the same device | one of them, always | either, by chance |
| ` + "`devices.TestD10ReallocatedDifference`" + ` | a claim gets another allocation in one step | the moment is computed anew | the old moment remains |
| ` + "`devices.TestD10ReplacedDifference`" + ` | a pod is replaced under its name on the same node in one step | the new pod is looked at | it is not |
| ` + "`devices.TestD10EvictedDifference`" + ` | more than 500 evicted pods whose deletion takes long | each is evicted once | those that are forgotten are evicted again |

### Older releases of Kubernetes

These are cases of 1.37 to which older releases give other answers. To ask k8s.io/kubernetes v1.36.3 and v1.35.4 all questions of
1.37, of which these fail:

    FOLDER=1.37 match/kube/upstream/minors/confirm

| case | what it is about | 1.37 | older |
|---|---|---|---|
| ` + "`deviceTaints/no-selector`" + ` | a DeviceTaintRule without a selector | no device gets its taint | 1.36 and 1.35: in the scheduler, every device; in the controller that evicts, none. Such a rule keeps every device from being allocated |
| ` + "`deviceTaintRuleUpdate/another-effect`" + ` | the effect of a rule changes from ` + "`None` to `NoExecute`" + ` after 45 s | ` + "`timeAdded`" + ` is the time of the change | 1.35: it stays, so that seconds of tolerations run out 45 s earlier |
| ` + "`nodeLifecycle/a-lease-that-cannot-be-read`" + ` | the lease of a node cannot be read | the node keeps its taints | 1.36 and 1.35: it is tainted as unreachable |
`
