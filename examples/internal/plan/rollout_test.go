package plan

import (
	"fmt"
	"strings"
	"testing"
)

// rolloutInput has two nodes with a taint, and a pod of a DaemonSet on each that tolerates it;
// and a third one, of another taint and owner.
const rolloutInput = `{"kind":"Node","metadata":{"name":"n1"},"spec":{"taints":[{"key":"a","effect":"NoExecute"}]}}
	{"kind":"Node","metadata":{"name":"n2"},"spec":{"taints":[{"key":"a","effect":"NoExecute"}]}}
	{"kind":"Pod","metadata":{"name":"d-1","namespace":"x","ownerReferences":[{"kind":"DaemonSet","name":"d","controller":true}]},
		"spec":{"nodeName":"n1","tolerations":[{"key":"a","operator":"Exists"}]}}
	{"kind":"Pod","metadata":{"name":"d-2","namespace":"x","ownerReferences":[{"kind":"DaemonSet","name":"d","controller":true}]},
		"spec":{"nodeName":"n2","tolerations":[{"key":"a","operator":"Exists"}]}}
	{"kind":"Node","metadata":{"name":"n3"},"spec":{"taints":[{"key":"c","effect":"NoExecute"}]}}
	{"kind":"Pod","metadata":{"name":"e-0","namespace":"x","ownerReferences":[{"kind":"StatefulSet","name":"e","controller":true}]},
		"spec":{"nodeName":"n3","tolerations":[{"key":"c","operator":"Exists"}]}}`

// A patch is for all nodes at once and comes first: if it evicts pods, there are no commands
// for several stages, nor for one that leaves the pods alone. A stage has a command.
func TestCommandsOfRollouts(t *testing.T) {
	const (
		none  = "tolerations - DaemonSet x/d"
		patch = "kubectl --namespace x patch daemonset d --type merge --patch '"
		ab    = `{"spec":{"template":{"spec":{"tolerations":[{"key":"a","operator":"Exists"},{"key":"b","operator":"Exists"}]}}}}'`
		other = "kubectl --namespace x patch statefulset e --type merge --patch '"
		cb    = `{"spec":{"template":{"spec":{"tolerations":[{"key":"c","operator":"Exists"},{"key":"b","operator":"Exists"}]}}}}'`
		early = "kubectl gives all pods of an owner their list at once; that evicts Pod x/d-1 from n1 before "
	)
	for name, c := range map[string]struct {
		steps  []string
		limits string
		want   []string // lines of the output without those about stages
		stages int
		early  string
	}{
		"several stages":               {[]string{none}, "-max-pods 1 -stages", nil, 0, "step 1, " + none + ": " + early + "the first of 2 stages"},
		"the second step":              {[]string{"cordon n1", none}, "-max-pods 1 -stages", nil, 0, "step 2, " + none + ": " + early + "the first of 2 stages"},
		"one stage":                    {[]string{none}, "-max-pods 2 -stages", []string{patch + `{"spec":{"template":{"spec":{"tolerations":[]}}}}'`}, 0, ""},
		"no stages":                    {[]string{none}, "", []string{patch + `{"spec":{"template":{"spec":{"tolerations":[]}}}}'`}, 0, ""},
		"the taint goes too":           {[]string{none, "taint nodes n1 n2 a-"}, "-max-pods 1 -stages", nil, 0, "step 1, " + none + ": " + early + "nodes change, and the plan leaves that pod where it is"},
		"the taint of one goes too":    {[]string{"tolerations - StatefulSet x/e", none, "taint nodes n2 a-"}, "", nil, 0, "step 2, " + none + ": " + strings.Replace(early, "x/d-1 from n1", "x/d-2 from n2", 1) + "nodes change, and the plan leaves that pod where it is"},
		"no pod is evicted":            {[]string{"tolerations a,b DaemonSet x/d"}, "-max-nodes 1 -stages", []string{patch + ab}, 0, ""},
		"nodes evict, stage by stage":  {[]string{"tolerations a,b DaemonSet x/d", "taint nodes n1 n2 c:NoExecute"}, "-max-pods 1 -stages", []string{patch + ab, "kubectl cordon n2", "kubectl taint nodes n1 c:NoExecute", "kubectl taint nodes n2 c:NoExecute", "kubectl uncordon n2"}, 2, ""},
		"cordoned in the end":          {[]string{"taint nodes n1 n2 c:NoExecute", "cordon n2"}, "-max-pods 1 -stages", []string{"kubectl cordon n2", "kubectl taint nodes n1 c:NoExecute", "kubectl taint nodes n2 c:NoExecute", "kubectl cordon n2"}, 2, ""},
		"one node changes":             {[]string{"tolerations a,b DaemonSet x/d", "cordon n2"}, "-max-nodes 1 -stages", []string{patch + ab, "kubectl cordon n2"}, 0, ""},
		"the last list counts":         {[]string{none, "tolerations a,b DaemonSet x/d"}, "-max-pods 1 -stages", []string{patch + ab}, 0, ""},
		"the last list evicts":         {[]string{"tolerations a,b DaemonSet x/d", none}, "-max-pods 1 -stages", nil, 0, "step 2, " + none + ": " + early + "the first of 2 stages"},
		"another owner":                {[]string{none, "tolerations c,b StatefulSet x/e"}, "-max-pods 1 -stages", nil, 0, "step 1, " + none + ": " + early + "the first of 2 stages"},
		"another list of each owner":   {[]string{"tolerations a,b DaemonSet x/d", "tolerations c,b StatefulSet x/e"}, "", []string{patch + ab, other + cb}, 0, ""},
		"the other owner first":        {[]string{"tolerations c,b StatefulSet x/e", "tolerations a,b DaemonSet x/d"}, "", []string{other + cb, patch + ab}, 0, ""},
		"some nodes do not replace it": {[]string{"tolerations a,b DaemonSet x/d", "tolerations a DaemonSet x/d --nodes n1"}, "", []string{patch + ab, "by_hand no template is for the pods on some nodes: tolerations a DaemonSet x/d --nodes=n1"}, 0, ""},
	} {
		args := append([]string{"-f", "-", "-o", "kubectl"}, strings.Fields(c.limits)...)
		args = append(args, c.steps...)
		r := start(rolloutInput, args...)
		var want, stderr string
		status := 0
		if c.early != "" {
			want, stderr, status = "# No commands do what the plan does: "+c.early+"\n", "tolero plan: no commands: "+c.early+"\n", 1
		}
		var got strings.Builder
		stages := 0
		if c.early != "" {
			got.WriteString(r.stdout)
		}
		for _, line := range commandsOf(r.stdout) {
			switch {
			case strings.HasPrefix(line, fmt.Sprintf("# Stage %d of %d: ", stages+1, c.stages)):
				stages++
			case !strings.HasPrefix(line, "rollout ") && !strings.HasPrefix(line, "left ") && !strings.HasPrefix(line, "sleep ") && !strings.HasPrefix(line, "# New pods keep off "):
				got.WriteString(line + "\n")
			}
		}
		for _, line := range c.want {
			want += line + "\n"
		}
		if got.String() != want || stages != c.stages || r.status != status || strings.Join(strings.Fields(r.stderr), " ") != strings.TrimSpace(stderr) {
			t.Errorf("%s: %+v\nwant %s, %d stages, %s", name, r, want, c.stages, stderr)
		}
	}
}

// Only commands can be too early: the other formats show the stages, which keep the limits.
func TestStagesOfRollouts(t *testing.T) {
	for format, want := range map[string]string{"text": "\nStage 2 of 2: ", "json": `"evictedNow": 1`} {
		r := start(rolloutInput, "-f", "-", "tolerations - DaemonSet x/d", "-max-pods", "1", "-stages", "-o", format)
		if r.status != 0 || r.stderr != "" || !strings.Contains(r.stdout, want) {
			t.Errorf("%s: %+v", format, r)
		}
	}
}
