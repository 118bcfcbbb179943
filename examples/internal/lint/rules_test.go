package lint

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/lint"
)

// Without a limit all findings are shown, however many.
func TestNoLimit(t *testing.T) {
	var input strings.Builder
	for i := range 120 {
		fmt.Fprintf(&input, `{"kind":"Node","metadata":{"name":"n%d"},"spec":{"taints":[{"key":"k%d","effect":"NoSchedule"}]}}`, i, i)
	}
	r := start(input.String()+`{"kind":"Pod","metadata":{"name":"p"}}`, "-f", "-", "-limit", "0")
	if n := strings.Count(r.stdout, "\n  Node n"); r.status != 0 || n != 120 {
		t.Errorf("%d findings of 120: %+v", n, r.stderr)
	}
}

// Silences that are all needed pass with -strict.
func TestStrictSilences(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"k","effect":"NoSchedule"}]}}{"kind":"Pod","metadata":{"name":"p"}}`
	if r := start(input, "-f", "-", "-strict", "-silence", writeSilence(t, "untolerated # it is meant")); r.status != 0 || r.stderr != "" {
		t.Errorf("%+v", r)
	}
}

// A finding is placed in the first object of its name, and at the index in its list.
func TestPlaces(t *testing.T) {
	const (
		node = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"k","effect":"NoSchedule"}]}}`
		pod  = `{"kind":"Pod","metadata":{"name":"p%d","namespace":"x","ownerReferences":[{"kind":"StatefulSet","name":"s","controller":true}]},"spec":{"tolerations":[%s{"key":"far","operator":"Exists"}]}}`
	)
	near := strings.Repeat(`{"key":"k","operator":"Exists"},`, 23)
	r := start(node+node+fmt.Sprintf(pod, 0, near)+fmt.Sprintf(pod, 1, near), "-f", "-", "-width", "0")
	if !strings.Contains(r.stdout, "2 pods, the first of StatefulSet x/s, spec.tolerations[23]\n    in standard input: document 3\n") {
		t.Errorf("got %s", r.stdout)
	}
	r = start(node+node+`{"kind":"Pod","metadata":{"name":"p"}}`, "-f", "-", "-width", "0")
	if !strings.Contains(r.stdout, "in standard input: document 1\n") {
		t.Errorf("got %s", r.stdout)
	}
}

// Three pods of one DaemonSet are not three DaemonSets.
func TestPodsOfOneOwner(t *testing.T) {
	pod := func(name, owner string) string {
		return fmt.Sprintf(`{"kind":"Pod","metadata":{"name":%q,"namespace":"sys"%s},"spec":{"tolerations":[{"key":"far","operator":"Exists"}]}}`, name, owner)
	}
	const (
		node  = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"k","effect":"NoSchedule"}]}}`
		agent = `,"ownerReferences":[{"kind":"DaemonSet","name":"agent","controller":true}]`
	)
	for input, want := range map[string]string{
		pod("a", agent) + pod("b", agent) + pod("c", agent): "\n  3 pods, the first of DaemonSet sys/agent, spec.tolerations[0]\n",
		pod("a", agent): "\n  DaemonSet sys/agent, spec.tolerations[0]\n",
		pod("a", "") + pod("b", "") + pod("c", ""): "\n  Pod sys/a and 2 more pods, spec.tolerations[0]\n",
		pod("a", "") + pod("b", ""):                "\n  Pod sys/a and 1 more pod, spec.tolerations[0]\n",
	} {
		if r := start(node+input, "-f", "-", "-width", "0"); !strings.Contains(r.stdout, want) {
			t.Errorf("no %q in %+v", want, r)
		}
	}
	const other = `{"kind":"Node","metadata":{"name":"m"},"spec":{"taints":[{"key":"k","effect":"NoSchedule"}]}}`
	if r := start(node+other+pod("a", ""), "-f", "-", "-width", "0"); !strings.Contains(r.stdout, "\n  Node n and 1 more, spec.taints[0]\n") {
		t.Errorf("%+v", r)
	}
}

// What was skipped is said; how to silence is said where there is anything to silence.
func TestNotes(t *testing.T) {
	finding := lint.Finding{ID: lint.Untolerated, Object: "n", Count: 1, Reason: "r", Fix: "f"}
	for _, c := range []struct {
		report          lint.Report
		skipped, advice bool
	}{
		{lint.Report{Skipped: 1}, true, false},
		{lint.Report{Findings: []lint.Finding{finding}, Counts: map[lint.ID]int{lint.Untolerated: 1}}, false, true},
		{lint.Report{}, false, false},
	} {
		var out bytes.Buffer
		(&report{Report: c.report, places: []string{""}, fields: []string{""}}).text(&command.Writer{Out: &out})
		const skipped = "\n\n1 DaemonSet with node selectors not compared with the taints: there are too many kinds of nodes.\n"
		if strings.Contains(out.String(), skipped) != c.skipped || strings.Contains(out.String(), "\n\nTo silence") != c.advice {
			t.Errorf("got %s", &out)
		}
	}
}
