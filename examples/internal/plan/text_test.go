package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/golden"

	"github.com/tolero-dev/tolero/compile/index/whatif"
)

// small is three nodes with four pods: two of a set that tolerates gpu for half a minute, one
// that nobody owns, and one that waits.
const small = `
{"kind":"Node","metadata":{"name":"n1"},"spec":{"taints":[{"key":"old","effect":"NoExecute"}]}}
{"kind":"Node","metadata":{"name":"n2"},"spec":{"taints":[{"key":"soft","effect":"PreferNoSchedule"}]}}
{"kind":"Node","metadata":{"name":"n3"},"spec":{"unschedulable":true}}
{"kind":"Pod","metadata":{"namespace":"a","name":"x-0","ownerReferences":[{"controller":true,"kind":"StatefulSet","name":"x"}]},
 "spec":{"nodeName":"n1","tolerations":[{"key":"old","operator":"Exists"},{"key":"gpu","operator":"Exists","effect":"NoExecute","tolerationSeconds":30}]}}
{"kind":"Pod","metadata":{"namespace":"a","name":"x-1","ownerReferences":[{"controller":true,"kind":"StatefulSet","name":"x"}]},
 "spec":{"nodeName":"n2","tolerations":[{"key":"old","operator":"Exists"},{"key":"gpu","operator":"Exists","effect":"NoExecute","tolerationSeconds":30}]}}
{"kind":"Pod","metadata":{"namespace":"a","name":"lone"},"spec":{"nodeName":"n1"}}
{"kind":"Pod","metadata":{"namespace":"a","name":"waits"}}`

// Each part of the text, in the clusters and plans in which it is there and in which not.
func TestTexts(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string // after the plan
	}{
		{[]string{"taint nodes n2 gpu:PreferNoSchedule"}, `Its effect: 1 node affected, 0 pods evicted at once, 0 later; 1 pod on these nodes unaffected
`},
		{[]string{"uncordon n3"}, `Its effect: 1 node affected, 0 pods evicted at once, 0 later

Who gains or loses nodes that its node selector, required affinity and volumes admit:
  2 pods of StatefulSet a/x: 1 more node
  2 pods of Pods a/lone, a/waits: 1 more node
`},
		{[]string{"taint nodes n1 old-", "taint nodes n2 old:NoExecute"}, `Its effect: 2 nodes affected, 0 pods evicted at once, 0 later; 2 pods on these nodes unaffected; 1 no longer evicted

Who gains or loses nodes that its node selector, required affinity and volumes admit:
  2 pods of Pods a/lone, a/waits: 1 fewer node, 1 more node
`},
		{[]string{"taint nodes n1 gpu:NoExecute"}, `Its effect: 1 node affected, 0 pods evicted at once, 1 later; 1 evicted anyway, by taints of today

Who is evicted:
  Pod a/x-0 of StatefulSet a/x from n1 after 30s: gpu:NoExecute
`},
		{[]string{"taint nodes n1 n2 gpu:NoExecute", "-limit", "1", "-max-pods", "2"}, `Its effect: 2 nodes affected, 0 pods evicted at once, 2 later; 1 evicted anyway, by taints of today

Who is evicted:
  Pod a/x-0 of StatefulSet a/x from n1 after 30s: gpu:NoExecute
  1 more; -limit 0 shows all.

Who gains or loses nodes that its node selector, required affinity and volumes admit:
  2 pods of Pods a/lone, a/waits: 1 fewer node

Who has no node left:
  2 pods of Pods a/lone, a/waits, tolerating nothing

All limits are kept.
`},
		{[]string{"taint nodes n1 n2 gpu:NoExecute", "-limit", "0", "-max-pods", "1", "-stages"}, `Its effect: 2 nodes affected, 0 pods evicted at once, 2 later; 1 evicted anyway, by taints of today

Who is evicted:
  Pod a/x-0 of StatefulSet a/x from n1 after 30s: gpu:NoExecute
  Pod a/x-1 of StatefulSet a/x from n2 after 30s: gpu:NoExecute

Who gains or loses nodes that its node selector, required affinity and volumes admit:
  2 pods of Pods a/lone, a/waits: 1 fewer node

Who has no node left:
  2 pods of Pods a/lone, a/waits, tolerating nothing

Limits that the plan as a whole breaks:
  2 pods are evicted, and 1 is allowed

Stage 1 of 2: 1 node affected, 0 pods evicted at once, 1 later; 1 evicted anyway, by taints of today
  kubectl taint nodes n1 gpu:NoExecute

Stage 2 of 2: 1 node affected, 0 pods evicted at once, 1 later
  kubectl taint nodes n2 gpu:NoExecute
`},
		{[]string{"tolerations - StatefulSet a/x --nodes n1"}, `Its effect: 1 node affected, 1 pod evicted at once, 0 later; 1 evicted anyway, by taints of today

Who is evicted:
  Pod a/x-0 of StatefulSet a/x from n1 at once: old:NoExecute
`},
		{[]string{"-f", "-", "taint nodes n1 old-", "taint nodes n1 gpu=1:NoExecute"}, `Its effect: 1 node affected, 0 pods evicted at once, 1 later; 1 evicted anyway, by taints of today

Who is evicted:
  Pod a/x-0 of StatefulSet a/x from n1 after 30s: gpu=1:NoExecute
`},
	} {
		if !slices.Contains(c.args, "-f") {
			c.args = append(c.args, "-f", "-")
		}
		r := start(small, append(c.args, "-width", "0", "-no-budgets")...)
		_, got, _ := strings.Cut(r.stdout, "\n\n")
		if got != c.want {
			t.Errorf("%q: %s\n%s\nwant\n%s", c.args, r.stderr, got, c.want)
		}
	}
}

// A pod that nobody owns is its own owner, and is named once.
func TestPodsWithoutOwner(t *testing.T) {
	r := start(small, "-f", "-", "taint nodes n2 out:NoExecute", "tolerations old Pod a/lone")
	if strings.Contains(r.stdout, "of Pod a/lone from") || !strings.Contains(r.stdout, "x-1 of StatefulSet a/x from n2 at once: out:NoExecute") {
		t.Errorf("%+v", r)
	}
	r = start(`{"kind":"Node","metadata":{"name":"n"}} {"kind":"Pod","metadata":{"namespace":"a","name":"lone"},"spec":{"nodeName":"n"}}`, "-f", "-", "taint nodes n out:NoExecute")
	if !strings.Contains(r.stdout, "\n  Pod a/lone from n at once: out:NoExecute\n") {
		t.Errorf("%+v", r)
	}
}

// Owners of pods with a list are those who keep it, or keep it on some nodes.
func TestOwnersOfClasses(t *testing.T) {
	input := `{"kind":"Node","metadata":{"name":"n1"}} {"kind":"Node","metadata":{"name":"n2"}} {"kind":"Node","metadata":{"name":"n3"},"spec":{"taints":[{"key":"t","effect":"PreferNoSchedule"}]}}`
	for _, owner := range []string{"x", "y"} {
		for i := range 3 {
			input += fmt.Sprintf(`{"kind":"Pod","metadata":{"namespace":"a","name":"%s-%d","ownerReferences":[{"controller":true,"kind":"StatefulSet","name":"%s"}]},"spec":{"nodeName":"n%d"}}`, owner, i, owner, i+1)
		}
	}
	for flags, want := range map[string]string{
		"": "StatefulSet a/y", " --all": "StatefulSet a/x,StatefulSet a/y",
		" --nodes n1": "StatefulSet a/x,StatefulSet a/y", " --tainted t": "StatefulSet a/x,StatefulSet a/y",
	} {
		r := start(input, "-f", "-", "cordon n1", "tolerations q StatefulSet a/x"+flags, "-o", "json")
		var answer struct {
			Classes []struct {
				Owners []string
				After  []any
			}
		}
		if err := json.Unmarshal(golden.Result(r.stdout), &answer); err != nil {
			t.Fatalf("%+v", r)
		}
		for _, class := range answer.Classes {
			if got := strings.Join(class.Owners, ","); len(class.After) == 0 && got != want {
				t.Errorf("%q: the list that is kept is of %s, want %s", flags, got, want)
			}
		}
	}
}

// A node of which only pods change their tolerations is affected; it does not change.
func TestOnlyTolerationsChange(t *testing.T) {
	if got := summaryText(whatif.Summary{Nodes: 3}); !strings.HasPrefix(got, "3 nodes affected, ") {
		t.Error(got)
	}
	if got := summaryText(whatif.Summary{Nodes: 1}); !strings.HasPrefix(got, "1 node affected, ") {
		t.Error(got)
	}
}
