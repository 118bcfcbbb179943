package why

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tolero-dev/tolero/examples/internal/golden"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

type result struct {
	status         int
	stdout, stderr string
}

func start(stdin string, args ...string) result {
	status, stdout, stderr := golden.Run(&Command, stdin, args...)
	return result{status, stdout, stderr}
}

const cluster = "../matrix/testdata/cluster.json"

func TestGolden(t *testing.T) {
	for name, args := range map[string][]string{
		"demo.text.golden":    nil,
		"demo.json.golden":    {"-o", "json"},
		"hidden.text.golden":  {"-hide-values", "train-0"},
		"stay.text.golden":    {"Pod shop/session-0", "-goal", "both"},
		"other.text.golden":   {"-f", cluster, "-limit", "2"},
		"allowed.text.golden": {"session-0", "-node", "spot-1"},
		"allowed.json.golden": {"session-0", "-node", "spot-1", "-o", "json"},
		"pending.text.golden": {"-f", "testdata/pending.yaml", "-limit", "0"},
		"node.text.golden":    {"-f", cluster, "ml/train-llm-0", "-node", "gpu-2", "-goal", "stay"},
	} {
		t.Run(name, func(t *testing.T) {
			r := start("", args...)
			if r.status != 0 || r.stderr != "" && name != "pending.text.golden" { // whose Gt does not count
				t.Errorf("status %d, stderr %q", r.status, r.stderr)
			}
			golden.Check(t, name, r.stdout)
			if strings.Contains(name, "json") != json.Valid([]byte(r.stdout)) {
				t.Error("not the format that was asked for")
			}
		})
	}
}

// No line is longer than it may be, except for one long word.
func TestWidth(t *testing.T) {
	for _, width := range []int{60, 100, 0} {
		for _, args := range [][]string{{}, {"-f", cluster}} {
			r := start("", append(args, "-width", fmt.Sprint(width))...)
			for line := range strings.Lines(r.stdout) {
				line = strings.TrimSuffix(line, "\n")
				if width > 0 && utf8.RuneCountInString(line) > width && strings.Contains(strings.TrimSpace(line), " ") && !strings.HasPrefix(strings.TrimSpace(line), "- {") {
					t.Errorf("longer than %d: %q", width, line)
				}
			}
		}
	}
}

// The demo answers alike from a file, from standard input and without arguments.
func TestInputs(t *testing.T) {
	want := start("").stdout
	if got := start(Demo, "-f", "-"); got.stdout != want {
		t.Errorf("got %+v", got)
	}
	if got := start("", "-f", "testdata/demo.yaml"); got.stdout != want {
		t.Errorf("got %+v", got)
	}
}

func TestErrors(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.yaml")
	if err := os.WriteFile(bad, []byte(strings.Replace(Demo, "effect: NoSchedule}", "effect: NoScheduling}", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		stdin  string
		status int
		stderr string
	}{
		{[]string{"a", "b", "x"}, "", 2, `tolero why: unexpected argument "x"; files are given with -f`},
		{[]string{"-x"}, "", 2, "tolero why: flag provided but not defined: -x"},
		{[]string{"-goal", "x"}, "", 2, `tolero why: unknown goal "x"; there are schedule, stay and both`},
		{[]string{"-o", "x"}, "", 2, `tolero why: unknown output format "x"; there are text, json and yaml`},
		{[]string{"-o", "a"}, "", 2, `tolero why: unknown output format "a"; there are text, json and yaml`},
		{[]string{"-o", "k"}, "", 2, `tolero why: unknown output format "k"; there are text, json and yaml`},
		{[]string{"-width", "-1"}, "", 2, "tolero why: -width and -limit must not be negative"},
		{[]string{"A"}, "", 2, `tolero why: no pod "A" in the input; there are `},
		{[]string{"-f", "-"}, `{"kind":"Node","metadata":{"name":"n"}}`, 2, "tolero why: 1 node and 0 pods in the input; to have all: kubectl get"},
		{[]string{"-f", "-"}, `{"kind":"Pod","metadata":{"name":"p"}}`, 2, "tolero why: 0 nodes and 1 pod in the input; to have all: kubectl get"},
		{[]string{"-limit", "-1"}, "", 2, "tolero why: -width and -limit must not be negative"},
		{[]string{"-f", "-", "-f", "-"}, "", 2, "tolero why: standard input can be read only once"},
		{[]string{"-f", "missing"}, "", 2, "tolero why: open missing: no such file or directory"},
		{[]string{"-f", "-"}, `{"kind":"Service","apiVersion":"v1","metadata":{"name":"s"}}`, 2,
			"tolero why: 0 nodes and 0 pods in the input, only 1 Service; to have all: kubectl get"},
		{[]string{"-f", "-"}, `[1]`, 2, "tolero why: standard input"},
		{[]string{"-node", "x"}, "", 2, `tolero why: no node "x" in the input; there are control-plane-1, gpu-1, gpu-2, spot-1, spot-2`},
		{[]string{"cart"}, "", 2, `tolero why: no pod "cart" in the input; there are Pod shop/cart-0`},
		{[]string{"x"}, "", 2, `tolero why: no pod "x" in the input; there are Pods ml/train-0, ml/train-1, shop/cart-0, shop/session-0`},
		{[]string{"-f", cluster, "-node", "x"}, "", 2, `tolero why: no node "x" in the input; there are `},
		{[]string{"-f", bad, "-strict"}, "", 2, "tolero why: "},
	} {
		r := start(c.stdin, c.args...)
		if r.status != c.status || r.stdout != "" || !strings.HasPrefix(r.stderr, c.stderr) {
			t.Errorf("%q: status %d, stderr %q", c.args, r.status, r.stderr)
		}
	}
	if r := start("", "-f", bad); r.status != 0 || r.stderr == "" || r.stdout == "" {
		t.Errorf("a fault without -strict: %+v", r)
	}
	if r := start("", "-h"); r.status != 0 || r.stdout != Command.Help() {
		t.Errorf("help: %+v", r)
	}
}

func TestOthers(t *testing.T) {
	const finished = `{"kind":"Pod","metadata":{"name":"a"},"status":{"phase":"Succeeded"}}
		{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"d"},"spec":{"replicas":0}}`
	r := start(finished, "-f", "-")
	if want := "only 1 finished pod, 1 workload without pods"; !strings.Contains(r.stderr, want) {
		t.Errorf("got %q", r.stderr)
	}
}

// A node that starts.
func TestStarting(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[
			{"key":"node.cloudprovider.kubernetes.io/uninitialized","value":"true","effect":"NoSchedule"}]}}
		{"kind":"Pod","metadata":{"name":"p"},"status":{"phase":"Pending"}}`
	const want = "goes away once the node has started: wait\n"
	if r := start(input, "-f", "-", "-width", "0"); !strings.Contains(r.stdout, want) || strings.Contains(r.stdout, "- {key") {
		t.Errorf("%+v", r)
	}
	r := start(input, "-f", "-", "-o", "json")
	if !strings.Contains(r.stdout, `"tolerations": [],`) {
		t.Errorf("%+v", r)
	}
}

// A pod that one node lets in has a reason for each taint, and when it is evicted.
func TestAllowedOnANode(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","value":"s3cret","effect":"NoExecute"},{"key":"b","effect":"PreferNoSchedule"}]}}
		{"kind":"Node","metadata":{"name":"m"}}
		{"kind":"Pod","metadata":{"name":"p"},"spec":{"tolerations":[{"key":"a","operator":"Exists","tolerationSeconds":30,"effect":"NoExecute"},{"operator":"Exists","tolerationSeconds":90,"effect":"NoExecute"}]}}`
	for args, want := range map[string][]string{
		"-node n": {"1 node: n\n", "a=s3cret:NoExecute is tolerated by tolerations[0], a:NoExecute@30\n",
			"b:PreferNoSchedule is not tolerated; nearest is tolerations[1]", "evicted after 30s: tolerations[0]", "evicted after 1m30s at the latest", "On n it is evicted again after 30s"},
		"-node n -width 0 -hide-values": {"a:NoExecute is tolerated by tolerations[0], a:NoExecute@30\n"},
		"-node m":                       {"Taints let it go to m.", "1 node: m\n    schedulable\n"},
		"-node n -o json":               {`"accepted": [`, `"refusals": []`, `"index": 0`},
		"-node n -goal stay":            {"is tolerated by tolerations[0]", `      - {key: a, operator: Equal, value: "s3cret", effect: NoExecute}`},
	} {
		r := start(input, append(strings.Fields(args), "-f", "-", "p")...)
		for _, text := range want {
			if !strings.Contains(r.stdout, text) {
				t.Errorf("%s: no %q in %+v", args, text, r)
			}
		}
		if strings.Contains(args, "hide") && strings.Contains(r.stdout, "s3cret") || strings.Contains(args, "stay") && strings.Contains(r.stdout, "Nothing has") {
			t.Errorf("%s: %+v", args, r)
		}
		for line := range strings.Lines(r.stdout) {
			if !strings.Contains(args, "-width") && !strings.Contains(args, "json") && len(line) > 101 {
				t.Errorf("%s: %d columns: %s", args, len(line)-1, line)
			}
		}
	}
	for _, args := range [][]string{{}, {"-o", "json"}} { // without a node, only what is in the way
		if r := start(input, append(args, "-f", "-", "p")...); r.status != 0 || strings.Contains(r.stdout, "tolerated by") || strings.Contains(r.stdout, "accepted") {
			t.Errorf("%+v", r)
		}
	}
}

// A DaemonSet has what its controller adds, at the end of its list. A pod and a Deployment
// have what is written.
func TestDaemonSets(t *testing.T) {
	const node = `{"kind":"Node","metadata":{"name":"n"},"spec":{"unschedulable":true,"taints":[{"key":"a","effect":"NoSchedule"},{"key":"b","effect":"NoSchedule"}]}}`
	for kind, want := range map[string][]string{
		`"DaemonSet","apiVersion":"apps/v1"`: {"go to 0 of 1 node.", "node.kubernetes.io/unschedulable:NoSchedule is tolerated by tolerations[6]",
			"a:NoSchedule is tolerated by tolerations[0], a\n", `      - {key: b, operator: Exists, effect: NoSchedule}`},
		`"Deployment","apiVersion":"apps/v1"`: {"go to 0 of 1 node.", "node.kubernetes.io/unschedulable:NoSchedule is not tolerated", `      - {key: b, operator: Exists, effect: NoSchedule}`},
	} {
		r := start(node+`{"kind":`+kind+`,"metadata":{"name":"d"},"spec":{"template":{"spec":{"tolerations":[{"key":"a","operator":"Exists"}]}}}}`, "-f", "-", "-width", "0")
		for _, text := range want {
			if !strings.Contains(r.stdout, text) {
				t.Errorf("%s: no %q in %+v", kind, text, r)
			}
		}
	}
}

// On the host network a DaemonSet need not wait for the network of its node.
func TestDaemonSetsOnHostNetwork(t *testing.T) {
	const node = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"node.kubernetes.io/network-unavailable","effect":"NoSchedule"}]}}`
	for spec, want := range map[string]string{`{"hostNetwork":true}`: "go to 1 of 1 node.", `{"hostNetwork":false}`: "go to 0 of 1 node.", `{}`: "go to 0 of 1 node."} {
		r := start(node+`{"kind":"DaemonSet","apiVersion":"apps/v1","metadata":{"name":"cni"},"spec":{"template":{"spec":`+spec+`}}}`, "-f", "-", "-width", "0")
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%s: no %q in %+v", spec, want, r)
		}
	}
}

// What names hold does not reach the terminal as it is.
func TestControlCharacters(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n\u001b[31m"},"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}
		{"kind":"Pod","metadata":{"name":"p\u0007"},"status":{"phase":"Pending"}}`
	r := start(input, "-f", "-")
	if r.status != 0 || strings.ContainsAny(r.stdout+r.stderr, "\x1b\x07") || !strings.Contains(r.stdout, "1 node: n") {
		t.Errorf("%+v", r)
	}
}

func TestNothingPending(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"}}
		{"kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n"},"status":{"phase":"Running"}}`
	if r := start(input, "-f", "-"); r.stdout != "No pod is pending. tolero why POD explains any other.\n" {
		t.Errorf("%+v", r)
	}
	if r := start(input, "-f", "-", "p"); !strings.Contains(r.stdout, "Nothing has to change.") {
		t.Errorf("%+v", r)
	}
	if r := start(input, "-f", "-", "-o", "json"); !strings.Contains(r.stdout, "\n  \"nodes\": 1,\n  \"pods\": []\n") {
		t.Errorf("%+v", r)
	}
}

// A dump has the pods of a workload: its name explains them, and no others.
func TestPodsOfAWorkload(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}
		{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"cart","namespace":"shop","uid":"d"},"spec":{"template":{"spec":{}}}}
		{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"cart-7d9c","namespace":"shop","uid":"r","ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"cart","uid":"d","controller":true}]},"spec":{"template":{"spec":{}}}}
		{"kind":"Pod","metadata":{"name":"cart-7d9c-x","namespace":"shop","ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"cart-7d9c","uid":"r","controller":true}]},"spec":{"nodeName":"n"}}
		{"kind":"Pod","metadata":{"name":"cart-7d9c-y","namespace":"shop","ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"cart-7d9c","uid":"r","controller":true}]},"spec":{"nodeName":"n"}}
		{"kind":"Pod","metadata":{"name":"cart","namespace":"other"},"spec":{"nodeName":"n"}}`
	const its, others = "Pods shop/cart-7d9c-x, shop/cart-7d9c-y\n", "Pod other/cart\n"
	for name, want := range map[string]string{
		"Deployment shop/cart": its,
		"shop/cart":            its,
		"cart":                 its,
		"other/cart":           others,
		"pod/cart":             others,
		"POD other/cart":       others,
		"deployment/shop/cart": its,
		"deployment/cart":      its,
		"shop/cart-7d9c-x":     "Pod shop/cart-7d9c-x\n",
	} {
		if r := start(input, "-f", "-", name); r.status != 0 || !strings.HasPrefix(r.stdout, want) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	for _, name := range []string{"DaemonSet shop/cart", "Deploymentcart", "pod", "Pod shop/cart", "hop/cart", "art"} {
		if r := start(input, "-f", "-", name); r.status != 2 || !strings.Contains(r.stderr, "in the input; there are ") {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// Faults of nodes say what is wrong and do not tell hidden values.
func TestHiddenFaults(t *testing.T) {
	const pod = `{"kind":"Pod","metadata":{"name":"p"},"spec":{"tolerations":[{"key":"mine+"}]},"status":{"phase":"Pending"}}`
	long := strings.Repeat("s3cret", 20)
	for taints, want := range map[string]string{
		`{"key":"a","value":"s3 cret","effect":"NoSchedule"}`:                                                                 "taints[0].value: invalid value: must consist of letters",
		`{"key":"a","value":"` + long + `","effect":"NoSchedule"}`:                                                            "taints[0].value: invalid value: must be no more than 63",
		`{"key":"a","value":37,"effect":"NoSchedule"}`:                                                                        "taints[0].value: invalid value: want a string, found a number; the taint is left out",
		`{"key":"a","value":["s3cret"],"effect":"NoSchedule"}`:                                                                "taints[0].value: invalid value: want a string, found a list; the taint is left out",
		`{"key":"b","value":"s3cret","effect":"NoSchedule"},{"key":"b","value":"s3","effect":"NoSchedule"}`:                   "taints[1]: duplicate value: must be unique by key and effect",
		`{"key":"b","value":"s3cret","effect":"NoSchedule"},{"key":"b","value":"s3","value":"s3","effect":"PreferNoExecute"}`: "taints[1].value: duplicate value: the field occurs more than once",
		`{"key":"a","value":"s3cret","effect":"Noschedule"}`:                                                                  "taints[0].effect: unsupported value: must be NoSchedule",
	} {
		for _, args := range [][]string{{}, {"-o", "json"}, {"-strict"}} {
			r := start(`{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[`+taints+`]}}`+pod, append(args, "-f", "-", "-hide-values")...)
			all := r.stdout + r.stderr
			if strings.Contains(all, "s3") || strings.Contains(all, "37") || !strings.Contains(all, want) || !strings.Contains(all, "mine+") {
				t.Errorf("%q, %s: %s", args, taints, all)
			}
		}
	}
}

// Of what the scheduler says only the reason is shown then: its message has values.
func TestHiddenMessage(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","value":"s3cret","effect":"NoSchedule"}]}}
{"kind":"Pod","metadata":{"name":"p"},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/1 nodes are available: 1 node(s) had untolerated taint {a: s3cret}."}]}}`
	for _, format := range []string{"text", "json", "yaml"} {
		if r := start(input, "-f", "-", "-hide-values", "-o", format); strings.Contains(r.stdout, "s3cret") || !strings.Contains(r.stdout, "Unschedulable") {
			t.Errorf("%s", r.stdout)
		}
		if r := start(input, "-f", "-", "-o", format); !strings.Contains(r.stdout, "s3cret") {
			t.Errorf("%s", r.stdout)
		}
	}
}

// Pods with the same list are not compared with each other: with that, this took 40 s.
func TestManyPods(t *testing.T) {
	pods := make([]*manifest.Pod, 100_000)
	for i := range pods {
		pods[i] = new(manifest.Pod)
		pods[i].Kind, pods[i].Name = "Pod", fmt.Sprintf("p%06d", i)
	}
	if g := groupPods(pods); len(g) != 1 || len(g[0].Names) != len(pods) {
		t.Errorf("%d groups", len(g))
	}
}

// Those who ask about one pod hear what is wrong with it and with nodes.
func TestFaultsOfOthers(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"+","effect":"NoSchedule"}]}}
{"kind":"Pod","metadata":{"name":"p"},"spec":{"tolerations":[{"key":"-"}]}}{"kind":"Pod","metadata":{"name":"q"},"spec":{"tolerations":[{"key":"="},{"key":"="}]}}`
	for args, want := range map[string][2]int{"": {4, 0}, "p": {2, 2}, "pod/q": {3, 1}, "p -v": {4, 0}, "p -strict": {4, 0}} {
		r := start(input, append(strings.Fields(args), "-f", "-")...)
		if n := strings.Count(r.stderr, "standard input: document"); n != want[0] || want[1] > 0 != strings.Contains(r.stderr, fmt.Sprintf("tolero why: %d fault", want[1])) {
			t.Errorf("%s: want %d, %s", args, want, r.stderr)
		}
	}
}

// A workload of another kind has what is written.
func TestCronJob(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"},"spec":{"unschedulable":true}}
		{"kind":"CronJob","apiVersion":"batch/v1","metadata":{"name":"c"},"spec":{"jobTemplate":{"spec":{"template":{"spec":{}}}}}}`
	if r := start(input, "-f", "-"); !strings.Contains(r.stdout, "node.kubernetes.io/unschedulable:NoSchedule is not tolerated") {
		t.Errorf("%+v", r)
	}
}

// Each goal asks for something else, and comparisons count only on request.
func TestGoals(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","value":"4","effect":"NoExecute"},{"key":"node.kubernetes.io/disk-pressure","effect":"NoSchedule"}]}}
		{"kind":"Node","metadata":{"name":"m"},"spec":{"taints":[{"key":"a","value":"4","effect":"NoExecute"}]}}
		{"kind":"Pod","metadata":{"name":"p<q"},"spec":{"tolerations":[{"key":"a","operator":"Lt","value":"5","effect":"NoExecute","tolerationSeconds":9},
			{"key":"node.kubernetes.io/disk-pressure","operator":"Exists"}]},"status":{"phase":"Pending"}}`
	for args, want := range map[string][]string{
		"":                                {`"admitted": 0`, `"goalReached": 0`, `"Pod p<q"`},
		"-comparisons":                    {`"admitted": 2`, `"goalReached": 2`, `"refusals": []`},
		"-comparisons -goal stay":         {`"admitted": 2`, `"goalReached": 0`, `"edits"`},
		"-comparisons -goal both":         {`"admitted": 2`, `"goalReached": 0`, `"edits"`},
		"-comparisons -goal stay -node m": {`"nodes": 1`},
	} {
		r := start(input, append(strings.Fields(args), "-f", "-", "-o", "json")...)
		for _, text := range want {
			if r.status != 0 || !strings.Contains(r.stdout, text) {
				t.Errorf("%s: no %s in %s", args, text, r.stdout)
			}
		}
	}
	// A taint that passes and is tolerated asks nobody to wait.
	if r := start(input, "-f", "-", "-width", "0"); strings.Contains(r.stdout, "rather than tolerate it") {
		t.Errorf("%+v", r)
	}
	only := strings.ReplaceAll(input, "Lt", "Exists")
	only = strings.ReplaceAll(only, `"value":"5",`, "")
	for goal, want := range map[string]string{"schedule": "Taints do not explain this: 2 of 2 nodes accept it.", "stay": "lose"} {
		if r := start(only, "-f", "-", "-goal", goal); goal == "schedule" && !strings.Contains(r.stdout, "\n  "+want) || goal == "stay" && !strings.Contains(r.stdout, "a:NoExecute") {
			t.Errorf("%s: %+v", goal, r)
		}
	}
}

// A goal is reached on the nodes on which the pod stays, whether it can be placed there or not.
func TestStayOnly(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}
		{"kind":"Node","metadata":{"name":"m"},"spec":{"taints":[{"key":"a","effect":"NoExecute"}]}}
		{"kind":"Pod","metadata":{"name":"p"},"spec":{"tolerations":[{"key":"a","operator":"Exists","tolerationSeconds":3,"effect":"NoExecute"}]},"status":{"phase":"Pending"}}`
	for goal, want := range map[string]string{"schedule": `"goalReached": 1`, "stay": `"goalReached": 1`, "both": `"goalReached": 0`} {
		r := start(input, "-f", "-", "-o", "json", "-goal", goal)
		if !strings.Contains(r.stdout, want) || (goal == "stay") != strings.Contains(r.stdout, "\"m\"\n      ],") && goal != "both" {
			t.Errorf("%s: %s", goal, r.stdout)
		}
	}
}

// The text has five lists of taints unless another number is asked for, and JSON has all.
func TestLists(t *testing.T) {
	input := `{"kind":"Pod","metadata":{"name":"p"},"status":{"phase":"Pending"}}`
	for i := range 7 {
		input += fmt.Sprintf(`{"kind":"Node","metadata":{"name":"n%d"},"spec":{"taints":[{"key":"k%[1]d","effect":"NoSchedule"}]}}`, i)
	}
	for args, want := range map[string]struct {
		shown int
		more  string
	}{
		"": {5, "2 more;"}, "-limit 0": {7, ""}, "-limit 1": {1, "6 more;"}, "-limit 6": {6, "1 more;"}, "-limit 7": {7, ""},
		"-o json": {7, ""}, "-o json -limit 6": {6, `"moreLists": 1`}, "-o json -limit 0": {7, ""},
	} {
		r := start(input, append(strings.Fields(args), "-f", "-")...)
		shown := strings.Count(r.stdout, "\n  1 node: n")
		if strings.Contains(args, "json") {
			shown = strings.Count(r.stdout, `"explanation"`)
		}
		if shown != want.shown || !strings.Contains(r.stdout, want.more) || strings.Contains(r.stdout, "more") != (want.more != "") {
			t.Errorf("%s: %d lists: %s", args, shown, r.stdout)
		}
	}
}

// Faults show values. With -hide-values they show only those of pods and workloads.
func TestShownFaults(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","value":"s3 cret","effect":"NoSchedule"}]}}
		{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"d"},"spec":{"template":{"spec":{"tolerations":[{"key":"mi ne"}]}}}}`
	if r := start(input, "-f", "-"); !strings.Contains(r.stderr, "s3 cret") {
		t.Errorf("%+v", r)
	}
	if r := start(input, "-f", "-", "-hide-values"); strings.Contains(r.stderr, "s3 cret") || !strings.Contains(r.stderr, "mi ne") {
		t.Errorf("%+v", r)
	}
}

// The change that keeps all that is tolerated is shown if it is another one, whichever of
// the two comes first in the list.
func TestBothChanges(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","value":"x","effect":"NoSchedule"}]}}
		{"kind":"Pod","metadata":{"name":"p"},"spec":{"tolerations":[TOLERATIONS]},"status":{"phase":"Pending"}}`
	const value, effect = `{"key":"a","value":"y","effect":"NoSchedule"}`, `{"key":"a","operator":"Exists","effect":"PreferNoSchedule"}`
	const heading = "    or, so that it also matches what it did before, replace tolerations["
	for tolerations, want := range map[string]string{
		value + "," + effect: heading + "1] (a:PreferNoSchedule) with:\n      - {key: a, operator: Exists}\n",
		effect:               heading + "0] (a:PreferNoSchedule) with:\n      - {key: a, operator: Exists}\n",
		`{"key":"b"}`:        "",
	} {
		r := start(strings.Replace(input, "TOLERATIONS", tolerations, 1), "-f", "-", "-width", "0")
		if !strings.Contains(r.stdout, want) || want == "" && strings.Contains(r.stdout, heading) {
			t.Errorf("%s: %+v", tolerations, r)
		}
	}
}

// Of many faults the first ten are told. The answer and the exit status are the same.
func TestManyFaults(t *testing.T) {
	var text strings.Builder
	text.WriteString("kind: Node\nmetadata: {name: good}\n---\nkind: Pod\nmetadata: {name: p}\nstatus: {phase: Pending}\n---\n")
	for i := range 30 {
		fmt.Fprintf(&text, "kind: Node\nmetadata: {name: n%d}\nspec: {taints: [{key: a, effect: never}]}\n---\n", i)
	}
	r := start(text.String(), "-f", "-")
	if r.status != 0 || r.stdout == "" || strings.Count(r.stderr, "\n") != 11 ||
		!strings.HasSuffix(r.stderr, "\ntolero why: and 20 more; -v shows all\n") {
		t.Errorf("status %d, stderr:\n%s", r.status, r.stderr)
	}
	if r := start(text.String(), "-f", "-", "-strict"); r.status != 2 || !strings.HasSuffix(r.stderr, "\ntolero why: 30 faults in the objects, and -strict is set\n") {
		t.Errorf("strict: status %d, stderr:\n%s", r.status, r.stderr)
	}
}

// Taints are the cause, too, if no node that accepts a pod could ever run it, and one that
// refuses it has room; not if a node that accepts it is only full. Where nothing has room, that
// is said beside the toleration.
func TestRoomBehindTaints(t *testing.T) {
	node := func(name, taints, cpu, gpu string) string {
		return fmt.Sprintf(`{"kind":"Node","metadata":{"name":%q},"spec":{"taints":[%s]},"status":{"allocatable":{"cpu":%q,"nvidia.com/gpu":%q,"pods":"9"}}}`, name, taints, cpu, gpu)
	}
	pod := func(name, on, cpu, gpu string) string {
		return fmt.Sprintf(`{"kind":"Pod","metadata":{"name":%q},"spec":{"nodeName":%q,"tolerations":[{"operator":"Exists","effect":"NoExecute"}],"containers":[{"resources":{"requests":{"cpu":%q,"nvidia.com/gpu":%q}}}]},"status":{"phase":"Pending"}}`, name, on, cpu, gpu)
	}
	const taint = `{"key":"gpu","effect":"NoSchedule"}`
	plain, gpu := node("plain", "", "4", "0"), node("gpu-1", taint, "8", "2")
	const none, behind, alone = "Taints do not explain this", "1 node with room: gpu:NoSchedule keeps it out.", "a toleration alone does not help"
	for name, c := range map[string]struct{ input, says, not string }{
		"the GPUs are behind a taint": {plain + gpu + pod("p", "", "1", "1"), behind, none},
		"so are many processors":      {plain + gpu + pod("p", "", "6", "0"), behind, none},
		"the plain node is full":      {plain + gpu + pod("q", "plain", "4", "0") + pod("p", "", "1", "0"), none, behind},
		"too many GPUs":               {plain + gpu + pod("p", "", "1", "3"), none, behind},
		"only nodes with taints":      {gpu + pod("p", "", "1", "1"), "Taints let it go to 0 of 1 node.", alone},
		"no room for a pod": {strings.Replace(gpu, `"pods":"9"`, `"pods":"0"`, 1) + `{"kind":"Pod","metadata":{"name":"p"},"status":{"phase":"Pending"}}`,
			"a toleration alone does not help: gpu-1 has 0 pods free", "It requests"},
		"the GPUs are in use": {gpu + pod("q", "gpu-1", "1", "2") + pod("p", "", "1", "1"), alone, behind},
	} {
		r := start(c.input, "-f", "-", "-width", "0", "p")
		if r.status > 1 || !strings.Contains(r.stdout, c.says) || strings.Contains(r.stdout, c.not) || strings.Contains(r.stdout, "key: gpu") != (c.says != none) {
			t.Errorf("%s: %+v\nwant %q and not %q", name, r, c.says, c.not)
		}
	}
}
