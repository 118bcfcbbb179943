package files

import (
	"bytes"
	"fmt"
	"slices"
)

// function is one of a project that was run alone.
type function struct {
	project, repository, commit string
	path, name, text            string
	cases                       []string // to which its answer is the opposite of the right one
}

// The cases that most of these functions answer otherwise.
const (
	preferCase = "fits/prefernoschedule-keeps-nobody-out"
	gateOnCase = "fits/gt-with-the-gate-on"
)

var functions = []function{
	{"Armada", "armadaproject/armada", "207cc9e04ef0", "internal/scheduler/kubernetesobjects/taint/taint.go", "FindMatchingUntoleratedTaint",
		"Every effect keeps a job off a node. It calls the helper of Kubernetes 1.32, which does not know `Gt` and `Lt`. On 266,256 pairs all answers are those of its profile in package `dialect`.",
		[]string{preferCase, gateOnCase}},
	{"Determined", "determined-ai/determined", "c1e9c6d7b821", "master/internal/rm/kubernetesrm/jobs.go", "allTaintsTolerated",
		"A node with an untolerated taint of any effect is not counted for a resource pool.",
		[]string{preferCase, gateOnCase}},
	{"KubeFleet", "kubefleet-dev/kubefleet", "e160c1cdfdd9", "pkg/scheduler/framework/plugins/tainttoleration/filtering.go", "findUntoleratedTaint",
		"An empty operator tolerates nothing, and `Equal` without a key only a taint without one. Its CRDs shield it: they set the operator to `Equal`, and allow no effect but `NoSchedule` and neither `Gt` nor `Lt`.",
		[]string{"tolerates/an-empty-operator-is-equal-same-value", "tolerates/equal-without-key"}},
	{"OpenKruise", "openkruise/kruise", "07169cfac7b9", "pkg/controller/workloadspread/workloadspread_controller_utils.go", "matchesSubsetRequiredAndToleration",
		"WorkloadSpread passes no filter to the helper of Kubernetes 1.32: a pod on a node with an untolerated `PreferNoSchedule` taint belongs to no subset. A filter for `NoSchedule` and `NoExecute` mends it.",
		[]string{preferCase, gateOnCase}},
	{"Portainer", "portainer/portainer", "cc75167437c0", "app/react/kubernetes/applications/DetailsView/PlacementsDatatable/usePlacementTableData.tsx", "computeTolerations",
		"The page of an application looks for tolerations whose key and effect are an empty text, but the API server leaves empty members out: such a toleration counts for nothing. Every effect counts. Whether the node accepts the application follows the last taint alone: with the taints `a` and `b` of which only `b` is tolerated it does, although `a` is listed as unmet.",
		[]string{"tolerates/an-empty-effect", "tolerates/exists-alone-matches-everything", "tolerates/an-empty-operator-is-equal-same-value", preferCase}},
	{"Rook", "rook/rook", "d0c3b9ce6d64", "pkg/operator/k8sutil/node.go", "NodeIsTolerable",
		"Every effect keeps storage off a node, and `Gt` and `Lt` always count. Where the gate is off, Rook takes a node for usable that the scheduler refuses. On 266,256 pairs all answers are those of its profile in package `dialect`.",
		[]string{preferCase, "fits/gt-with-the-gate-off"}},
	{"vcluster", "loft-sh/vcluster", "487667546c58", "pkg/controllers/resources/nodes/translate.go", "filterOutTaintsMatchingTolerations",
		"Taints that an enforced toleration tolerates are hidden in the virtual cluster. `Exists` without a key hides all taints, even if the toleration has an effect, so that a virtual scheduler may place a pod that the host's refuses. An empty operator hides nothing.",
		[]string{"tolerates/exists-without-key-needs-the-effect", "tolerates/an-empty-operator-is-equal-same-value"}},
}

// writeFunctions writes the section about them.
func writeFunctions(b *bytes.Buffer, all []Case) error {
	b.WriteString(`
## Functions that were run alone

The modules of these projects were not built. On 2026-11-26 each function was taken out of its file, at the commit that is given,
into a program with ` + "`k8s.io/api`" + ` v0.32.10, or v0.36.6 for Rook. Only the names of imported packages were changed, and in that of
Portainer, which ran with Node and lodash 4.17.21, the types taken away. Each was asked all cases of the kinds ` + "`tolerates` and `fits`" + `
of 1.37. An answer is whether the taints are tolerated; the right one is the opposite.
`)
	for _, f := range functions {
		fmt.Fprintf(b, "\n### %s\n\n%s (`%s`, `%s`, at %s of `%s`)\n\n| case | input | %s |\n|---|---|---|\n", f.project, f.text, f.path, f.name, f.commit, f.repository, f.project)
		for _, id := range f.cases {
			i := slices.IndexFunc(all, func(c Case) bool { return c.ID == id })
			if i < 0 {
				return fmt.Errorf("no case %s", id)
			}
			fmt.Fprintf(b, "| `%s` | %s | `%t` |\n", id, code(all[i].Input), bytes.Contains(all[i].Answer, []byte("false")))
		}
	}
	return nil
}
