package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/toleration"
)

// An error says which command is wrong, all of them are told, and what exists already may
// be replaced.
func TestErrorsNameTheCommand(t *testing.T) {
	for _, c := range []struct {
		steps []string
		want  string
	}{
		{[]string{"taint nodes gpu-1 dedicated=x:NoSchedule"},
			"tolero plan: step 1, kubectl taint nodes gpu-1 dedicated=x:NoSchedule: node \"gpu-1\": taint \"dedicated=x:NoSchedule\": already on the node with the same effect; --overwrite replaces it\n"},
		{[]string{"cordon web-1", "taint nodes web-1 a-", "taint nodes web-2 b-"},
			"tolero plan: step 2, kubectl taint nodes web-1 a-: node \"web-1\": taint \"a\": not found on the node\n" +
				"tolero plan: step 3, kubectl taint nodes web-2 b-: node \"web-2\": taint \"b\": not found on the node\n"},
		{[]string{"cordon web-1", "cordon x y"},
			"tolero plan: step 2, kubectl cordon x y: nodes.names[0]: invalid value \"x\": there is no such node\n" +
				"tolero plan: step 2, kubectl cordon x y: nodes.names[1]: invalid value \"y\": there is no such node\n"},
		{[]string{"taint nodes web-1 gpu", "cordon"},
			"tolero plan: step \"taint nodes web-1 gpu\": line 1: taint: no taint to add or to remove: want KEY=VALUE:EFFECT, KEY:EFFECT, KEY:EFFECT- or KEY-\n" +
				"tolero plan: step \"cordon\": line 1: cordon: no nodes: want names, --tainted or --all\n"},
	} {
		var args []string
		args = append(args, c.steps...)
		if r := start("", args...); r.status != 2 || r.stdout != "" || r.stderr != c.want {
			t.Errorf("%q: %+v\nwant %s", c.steps, r, c.want)
		}
	}
}

// Of twelve steps, the error is of the twelfth and not of the second.
func TestErrorsOfManySteps(t *testing.T) {
	args := []string{}
	for range 11 {
		args = append(args, "cordon web-1")
	}
	r := start("", append(args, "cordon x")...)
	if want := "tolero plan: step 12, kubectl cordon x: "; r.status != 2 || !strings.HasPrefix(r.stderr, want) {
		t.Errorf("%+v, want %s", r, want)
	}
}

// The owners that there are come in the order of their names, every time.
func TestOwnersAreInOrder(t *testing.T) {
	var input strings.Builder
	input.WriteString(`{"kind":"Node","metadata":{"name":"n"}}`)
	for _, name := range []string{"d", "b", "a", "c"} {
		fmt.Fprintf(&input, `{"kind":"Pod","metadata":{"namespace":"x","name":%q},"spec":{"nodeName":"n"}}`, name)
	}
	for range 20 { // a map has another order each time
		r := start(input.String(), "-f", "-", "tolerations - nobody")
		if want := `there are those of Pods x/a, x/b, x/c`; r.status != 2 || !strings.Contains(r.stderr, want) {
			t.Fatalf("%+v, want %s", r, want)
		}
	}
}

// A template has no list for the pods on some nodes only.
func TestNoPatchForSomeNodes(t *testing.T) {
	for name, nodes := range map[string]whatif.Nodes{
		"a": {Names: []string{"n"}}, "b": {All: true}, "c": {Tainted: []toleration.Toleration{toleration.MustParse("k")}},
	} {
		s := whatif.Step{Verb: whatif.SetTolerations, Owner: "Deployment shop/" + name, Nodes: nodes}
		if got, want := patch(&s), "by_hand no template is for the pods on some nodes: "+s.String(); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
	r := start("", "tolerations - StatefulSet ml/train --nodes gpu-1", "-o", "kubectl")
	if want := "by_hand no template is for the pods on some nodes: tolerations - StatefulSet ml/train --nodes=gpu-1\n"; r.status != 0 || strings.Join(commandsOf(r.stdout), "\n")+"\n" != want {
		t.Errorf("%+v, want %s", r, want)
	}
}
