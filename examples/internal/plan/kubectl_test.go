package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// commandsOf returns the commands of a script without their numbers, and its comments.
func commandsOf(script string) (lines []string) {
	_, body, _ := strings.Cut(script, "all() {\n\t: # the stages\n")
	body, _, _ = strings.Cut(body, "}\n\ncase ")
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		switch _, rest, _ = strings.Cut(rest, " "); word {
		case "step", "before":
			line = rest
		case "by_hand":
			line = "by_hand " + strings.Trim(rest, "'")
		}
		lines = append(lines, line)
	}
	return lines
}

// Every character that is no letter of English, no digit and none of "._-" keeps a name out
// of a command, and so does a "-" at either end: kubectl would read a flag or a taint.
func TestNamesInCommands(t *testing.T) {
	const good = "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 . _"
	for r := rune(0); r < 0x180; r++ {
		name := "a" + string(r) + "b"
		want := r != ' ' && strings.ContainsRune(good, r) || r == '-'
		if isName(name) != want || isName(string(r)) != (want && r != '-') {
			t.Errorf("%q, %q: %t, %t", name, string(r), isName(name), isName(string(r)))
		}
	}
	for name, want := range map[string]bool{"": false, "-a": false, "a-": false, "--all": false, "-": false, "a--b": true, "node-1.example.com": true} {
		if isName(name) != want {
			t.Errorf("%q is a name: %t", name, !want)
		}
	}
}

// A name that is none makes a comment of the whole command, and leaves others alone: a node
// of a dump cannot become a flag, a taint, two nodes or a command.
func TestHostileNamesInCommands(t *testing.T) {
	for _, name := range []string{"--all", "-l=a", "a b", "a=b:NoExecute", "k-", "$(reboot)", "a;b", "a\nb", ""} {
		s := whatif.Step{Verb: whatif.Cordon, Nodes: whatif.Nodes{Names: []string{"good", name}}}
		if got := change(&s); !strings.HasPrefix(got, "by_hand not for a shell: kubectl cordon good ") || strings.Contains(got, "\n") {
			t.Errorf("%q: %s", name, got)
		}
		for _, owner := range []string{"Deployment " + name + "/x", "Deployment x/" + name} {
			s := whatif.Step{Verb: whatif.SetTolerations, Owner: owner}
			if got := patch(&s); !strings.HasPrefix(got, "by_hand change the template") {
				t.Errorf("%q: %s", owner, got)
			}
		}
		input := fmt.Sprintf(`{"kind":"Node","metadata":{"name":%q}} {"kind":"Node","metadata":{"name":"good"}}`, name)
		r := start(input, "-f", "-", "cordon --all", "-o", "kubectl")
		for _, line := range commandsOf(r.stdout) {
			if !strings.HasPrefix(line, "by_hand ") && line != "kubectl cordon good" {
				t.Errorf("%q: %s", name, line)
			}
		}
	}
	s := whatif.Step{Nodes: whatif.Nodes{Names: []string{"a", "b"}}, Taints: taint.Change{Add: []taint.Taint{taint.MustParse("x.example/k=v:NoSchedule")}}}
	if got := change(&s); got != "kubectl taint nodes a b x.example/k=v:NoSchedule" {
		t.Error(got)
	}
}

// The kinds whose templates are patched are three, and a list with a quote would end that of
// the shell.
func TestKindsOfPatches(t *testing.T) {
	patched := map[string]bool{"Deployment": true, "DaemonSet": true, "StatefulSet": true}
	for _, kind := range []string{"", "Cron", "CronJob", "DaemonSet", "DaemonSets", "Deployment", "Deploys", "Job", "Pod", "ReplicaSet", "StatefulSet", "Team", "statefulset"} {
		s := whatif.Step{Verb: whatif.SetTolerations, Owner: kind + " a/b", Tolerations: []toleration.Toleration{toleration.MustParse("k=v:NoExecute@30")}}
		want := "by_hand change the template that " + s.Owner + " comes from: tolerations k=v:NoExecute@30 " + s.Owner
		if patched[kind] {
			want = "kubectl --namespace a patch " + strings.ToLower(kind) + ` b --type merge --patch '{"spec":{"template":{"spec":{"tolerations":[{"key":"k","value":"v","effect":"NoExecute","tolerationSeconds":30}]}}}}'`
		}
		if got := patch(&s); got != want {
			t.Errorf("%q:\n%s, want\n%s", kind, got, want)
		}
		for sign, kept := range map[string]bool{"'": false, "&": true, "(": true} {
			s.Tolerations = []toleration.Toleration{{Key: sign, Operator: toleration.OpExists}}
			if got := patch(&s); strings.HasPrefix(got, "kubectl") != (kept && patched[kind]) {
				t.Errorf("%q with %q: %s", kind, sign, got)
			}
		}
	}
}

// If no stages keep the limits, each format says so and has no command.
func TestNoStages(t *testing.T) {
	const why = `node \"gpu-1\" alone goes over a limit: 2 pods are evicted, and 1 is allowed`
	plain := strings.ReplaceAll(why, `\`, "")
	for format, want := range map[string]string{"json": `  "stages": [],` + "\n" + `  "noStages": "` + why + `"`, "kubectl": "# No stages keep the limits: " + plain + "\n", "text": "No stages keep them: " + plain} {
		r := start("", "-max-pods", "1", "-stages", "-o", format)
		if r.status != 1 || !strings.Contains(r.stdout, want) || format == "kubectl" && r.stdout != want {
			t.Errorf("%s: %d\n%s\nwant %s", format, r.status, r.stdout, want)
		}
	}
}

// JSON is for readers and pipes, not for web pages: operators are as they are.
func TestOperatorsInJSON(t *testing.T) {
	r := start("", "-comparisons", "tolerations a<5 StatefulSet shop/search", "-o", "json")
	if r.status != 0 || !strings.Contains(r.stdout, `"tolerations a<5 StatefulSet shop/search"`) {
		t.Errorf("%+v", r)
	}
}
