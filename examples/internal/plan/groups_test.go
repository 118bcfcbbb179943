package plan

import (
	"strings"
	"testing"
)

// gpuCluster has eight GPU nodes, and two others that take everybody. Three workloads can go to
// GPU nodes only: by a node selector, by required affinity, and by the volume that they use. A
// fourth can go anywhere.
func gpuCluster() string {
	var b strings.Builder
	for i := range 8 {
		b.WriteString(`{"kind":"Node","metadata":{"name":"gpu-` + string(rune('0'+i)) + `","labels":{"pool":"gpu"}}}`)
	}
	b.WriteString(`{"kind":"Node","metadata":{"name":"web-0","labels":{"pool":"web"}}}{"kind":"Node","metadata":{"name":"web-1","labels":{"pool":"web"}}}`)
	pod := func(owner, spec string) {
		b.WriteString(`{"kind":"Pod","metadata":{"namespace":"x","name":"` + owner + `-0","ownerReferences":[{"kind":"StatefulSet","name":"` + owner + `","controller":true}]},"spec":{"nodeName":"gpu-0"` + spec + `}}`)
	}
	const terms = `{"nodeSelectorTerms":[{"matchExpressions":[{"key":"pool","operator":"In","values":["gpu"]}]}]}`
	pod("selects", `,"nodeSelector":{"pool":"gpu"}`)
	pod("requires", `,"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":`+terms+`}}`)
	pod("stores", `,"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}]`)
	pod("anywhere", "")
	b.WriteString(`{"kind":"PersistentVolumeClaim","apiVersion":"v1","metadata":{"namespace":"x","name":"c"},"spec":{"volumeName":"pv"},"status":{"phase":"Bound"}}`)
	b.WriteString(`{"kind":"PersistentVolume","apiVersion":"v1","metadata":{"name":"pv"},"spec":{"nodeAffinity":{"required":` + terms + `}}}`)
	return b.String()
}

// Who can go nowhere else has no node left, whether taints, a node selector, required affinity
// or a volume says so; whoever had none before did not lose it.
func TestStranded(t *testing.T) {
	const all = "gpu-0 gpu-1 gpu-2 gpu-3 gpu-4 gpu-5 gpu-6"
	for _, c := range []struct {
		name, steps, more string
		want              string // owners
	}{
		{"all of the pool", "cordon " + all + " gpu-7", "", "selects requires stores"},
		{"one is left", "cordon " + all, "", ""},
		{"all nodes", "cordon --all", "", "selects requires stores anywhere"},
		{"by taints", "taint nodes --all a:NoSchedule", "", "selects requires stores anywhere"},
		{"a list lets one stay", "taint nodes --all a:NoSchedule;tolerations a StatefulSet x/anywhere", "", "selects requires stores"},
		{"a new list for the pool", "taint nodes " + all + " gpu-7 a:NoSchedule;tolerations a StatefulSet x/selects", "", "requires stores"},
		{"nothing before", "cordon web-0", `{"kind":"Pod","metadata":{"namespace":"x","name":"arm"},"spec":{"nodeSelector":{"pool":"arm"}}}`, ""},
		{"soft", "taint nodes --all a:PreferNoSchedule", "", ""},
	} {
		r := start(gpuCluster()+c.more, append([]string{"-f", "-", "-need-node", "-width", "0"}, strings.Split(c.steps, ";")...)...)
		_, left, _ := strings.Cut(r.stdout, "Who has no node left:\n")
		for _, owner := range []string{"selects", "requires", "stores", "anywhere"} {
			if strings.Contains(left, "StatefulSet x/"+owner) != strings.Contains(c.want, owner) {
				t.Errorf("%s: %s: %s", c.name, owner, r.stdout)
			}
		}
		if (r.status == 1) != (c.want != "") || strings.Contains(left, "arm") {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// Only nodes that a pod could use count as gained or lost, and pods that require different nodes
// are counted apart.
func TestMoves(t *testing.T) {
	for steps, want := range map[string]string{
		"taint nodes web-0 web-1 a:NoSchedule":                               "  1 pod of StatefulSet x/anywhere: 2 fewer nodes\n",
		"taint nodes gpu-0 web-1 a:NoSchedule":                               "  1 pod of StatefulSet x/selects: 1 fewer node\n  1 pod of StatefulSet x/requires: 1 fewer node\n  1 pod of StatefulSet x/stores: 1 fewer node\n  1 pod of StatefulSet x/anywhere: 2 fewer nodes\n",
		"cordon web-0;uncordon web-0":                                        "",
		"taint nodes --all a:NoSchedule;tolerations a StatefulSet x/selects": "  1 pod of StatefulSet x/requires: 8 fewer nodes\n  1 pod of StatefulSet x/stores: 8 fewer nodes\n  1 pod of StatefulSet x/anywhere: 10 fewer nodes\n",
	} {
		r := start(gpuCluster(), append([]string{"-f", "-"}, strings.Split(steps, ";")...)...)
		_, moves, _ := strings.Cut(r.stdout, "Who gains or loses nodes that its node selector, required affinity and volumes admit:\n")
		if moves, _, _ = strings.Cut(moves, "\nWho"); moves != want {
			t.Errorf("%s: got\n%swant\n%s%s", steps, moves, want, r.stderr)
		}
	}
}
