package plan

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/golden"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// simulated is a cluster with a clock, which each call of kubectl and sleep moves on. Its
// controllers take fifteen seconds to evict a pod, and twenty more until another of the same name runs
// on a node that has no taint. Its one budget wants three pods of StatefulSet x/a, one of which has
// failed since the plan was made, and is back after a minute.
type simulated struct {
	Clock  int
	Taints map[string]string // of nodes; that of a cordon is "cordon"
	Pods   []*simulatedPod
	Log    []string // taints and evictions
}

type simulatedPod struct {
	Name, Node, Tolerations string
	Leaves, Ready           int // when; no time is zero
}

const clusterFile = "TOLERO_TEST_CLUSTER"

// advance moves the clock on, a second at a time.
func (s *simulated) advance(seconds int) {
	for range seconds {
		s.Clock++
		for _, p := range s.Pods {
			if p.Leaves != s.Clock {
				continue
			}
			s.Log = append(s.Log, "evicted "+p.Name)
			p.Leaves, p.Ready = 0, s.Clock+20
			for node := range 9 {
				if p.Node = fmt.Sprint("n", node); s.Taints[p.Node] == "" {
					break
				}
			}
			if strings.HasPrefix(p.Name, "a-") && s.allowed() < 0 {
				s.Log = append(s.Log, "the budget is broken")
			}
		}
	}
}

// allowed is how many more pods of x/a may be missing.
func (s *simulated) allowed() (n int) {
	for _, p := range s.Pods {
		if strings.HasPrefix(p.Name, "a-") && p.Ready <= s.Clock {
			n++
		}
	}
	return n - 3
}

// run does what kubectl would, or sleep, and returns what that prints.
func (s *simulated) run(args []string) string {
	s.advance(1)
	line := strings.Join(args, " ")
	switch {
	case strings.HasSuffix(line, " --dry-run=server"), args[0] == "config":
	case args[0] == "sleep":
		n, _ := strconv.Atoi(args[1])
		s.advance(n)
	case args[0] == "taint": // nodes NODE TAINT
		s.Log = append(s.Log, line)
		t := taint.MustParse(args[3])
		s.Taints[args[2]] = args[3]
		if slices.ContainsFunc(s.Pods, func(p *simulatedPod) bool { return p.Ready > s.Clock }) {
			s.Log = append(s.Log, "the cluster has not recovered")
		}
		for _, p := range s.Pods {
			list, _ := toleration.ParseList(p.Tolerations)
			if after, evicted := match.EvictionDelay([]taint.Taint{t}, list); p.Node == args[2] && evicted {
				p.Leaves = s.Clock + 15 + int(after.Seconds())
			}
		}
	case args[0] == "cordon", args[0] == "uncordon":
		for _, node := range args[1:] {
			if s.Taints[node] == "" && args[0] == "cordon" {
				s.Taints[node] = "cordon"
			} else if s.Taints[node] == "cordon" {
				s.Taints[node] = ""
			}
		}
	case strings.Contains(line, " rollout status "):
		owner := args[4][strings.IndexByte(args[4], '/')+1:]
		for slices.ContainsFunc(s.Pods, func(p *simulatedPod) bool { return strings.HasPrefix(p.Name, owner+"-") && p.Ready > s.Clock }) {
			s.advance(1)
		}
	case strings.Contains(line, " get pod "):
		return s.Pods[slices.IndexFunc(s.Pods, func(p *simulatedPod) bool { return p.Name == args[4] })].Node
	case strings.Contains(line, " get poddisruptionbudget "):
		return fmt.Sprint(max(0, s.allowed()))
	}
	return ""
}

// The script evicts exactly the pods that the plan said, in its stages, and never more than the
// budget allows, however slow controllers are. TestScriptInACluster runs itself as kubectl.
func TestScriptInACluster(t *testing.T) {
	if name := os.Getenv(clusterFile); name != "" {
		var s simulated
		text, err := os.ReadFile(name)
		if err != nil || json.Unmarshal(text, &s) != nil {
			os.Exit(1)
		}
		fmt.Print(s.run(os.Args[slices.Index(os.Args, "--")+1:]))
		text, _ = json.Marshal(&s)
		_ = os.WriteFile(name, text, 0o600)
		os.Exit(0)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("SKIPPED: there is no bash")
	}
	s := simulated{Taints: make(map[string]string)}
	var input strings.Builder
	for i := range 9 {
		fmt.Fprintf(&input, `{"kind":"Node","metadata":{"name":"n%d"}}`, i)
	}
	for i, name := range []string{"a-0", "a-1", "a-2", "b-0", "b-1", "c-0", "a-3"} {
		p := &simulatedPod{Name: name, Node: fmt.Sprint("n", i%3+i/6*4)} // a-3 is on n4
		list := "[]"
		if name == "b-1" {
			p.Tolerations, list = "t:NoExecute@30", `[{"key":"t","operator":"Exists","effect":"NoExecute","tolerationSeconds":30}]`
		}
		if name == "a-3" {
			p.Ready = 60
		}
		s.Pods = append(s.Pods, p)
		fmt.Fprintf(&input, `{"kind":"Pod","metadata":{"namespace":"x","name":%q,"labels":{"app":%q},"ownerReferences":[{"kind":"StatefulSet","name":%q,"controller":true}]},"spec":{"nodeName":%q,"tolerations":%s}}`, name, name[:1], name[:1], p.Node, list)
	}
	input.WriteString(`{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"namespace":"x","name":"of-a"},"spec":{"selector":{"matchLabels":{"app":"a"}}},"status":{"disruptionsAllowed":1}}`)
	args := []string{"-f", "-", "-stages", "taint nodes n0 n1 n2 t:NoExecute", "-o"}
	var said jsonReport
	if err := json.Unmarshal(golden.Result(start(input.String(), append(args, "json")...).stdout), &said); err != nil || len(said.Stages) != 3 {
		t.Fatalf("%v, %+v", err, said)
	}
	var want []string
	for _, stage := range said.Stages {
		want = append(want, strings.TrimPrefix(stage.Plan[0], "kubectl "))
		for _, e := range said.Evictions { // the soonest first
			if strings.Contains(stage.Plan[0], " "+e.Node+" ") {
				want = append(want, "evicted "+strings.TrimPrefix(e.Pod, "Pod x/"))
			}
		}
	}
	dir := t.TempDir()
	state, _ := json.Marshal(&s)
	for name, text := range map[string]string{"plan.sh": start(input.String(), append(args, "kubectl")...).stdout, "state": string(state),
		"kubectl": "#!/bin/sh\nexec '" + os.Args[0] + "' -test.run='^TestScriptInACluster$' -- \"$@\"\n",
		"sleep":   "#!/bin/sh\nexec '" + os.Args[0] + "' -test.run='^TestScriptInACluster$' -- sleep \"$@\"\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command(bash, "plan.sh")
	run.Dir, run.Env = dir, append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), clusterFile+"="+filepath.Join(dir, "state"))
	output, err := run.CombinedOutput()
	text, _ := os.ReadFile(filepath.Join(dir, "state"))
	if json.Unmarshal(text, &s) != nil || err != nil {
		t.Fatalf("%v, %s", err, output)
	}
	s.run([]string{"sleep", "60"}) // the last stage is not waited for
	if !slices.Equal(s.Log, want) {
		t.Errorf("%q, want\n%q", s.Log, want)
	}
}
