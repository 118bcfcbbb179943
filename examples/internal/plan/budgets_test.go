package plan

import (
	"strings"
	"testing"
)

// PodDisruptionBudgets of the input are limits: what their status allows now, for the owners of
// the pods that they select.
func TestBudgetsOfTheInput(t *testing.T) {
	pod := func(name, owner, labels string) string {
		return `{"kind":"Pod","metadata":{"namespace":"x","name":"` + name + `","labels":{` + labels + `},"ownerReferences":[{"kind":"StatefulSet","name":"` + owner + `","controller":true}]},"spec":{"nodeName":"n` + name[len(name)-1:] + `"}}`
	}
	cluster := `{"kind":"Node","metadata":{"name":"n0"}}{"kind":"Node","metadata":{"name":"n1"}}` +
		pod("a-0", "a", `"app":"a"`) + pod("a-1", "a", `"app":"a"`) + pod("b-0", "b", `"app":"b"`) + pod("b-1", "b", `"app":"b"`)
	budget := func(namespace, app, allowed string) string {
		return `{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"namespace":"` + namespace + `","name":"of-` + app + `"},"spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"` + app + `"}}},"status":{"disruptionsAllowed":` + allowed + `}}`
	}
	for _, c := range []struct {
		name, budgets, args string
		status              int
		want                string
	}{
		{"none", "", "", 0, "There are no PodDisruptionBudgets in the input"},
		{"none, and nobody asks", "", "-no-budgets", 0, ""},
		{"a limit of the user's", budget("x", "a", "2"), "-budget x/of=1", 1, `4 pods of budget "x/of" are evicted, and 1 is allowed`},
		{"no node left", budget("x", "a", "2"), "-need-node", 1, "\n\n-need-node is broken: no node is left for 4 pods.\n\nAll other limits are kept.\n"},
		{"enough", budget("x", "a", "2"), "", 0, "All limits are kept."},
		{"too few", budget("x", "a", "1"), "", 1, "PodDisruptionBudget x/of-a allows 1 eviction, and the plan makes 2"},
		{"no status", strings.Replace(budget("x", "a", "0"), "disruptionsAllowed", "other", 1), "", 1, "PodDisruptionBudget x/of-a has no status, so it allows none, and the plan makes 2 evictions"},
		{"another namespace", budget("y", "a", "0"), "", 0, "All limits are kept."},
		{"other pods", budget("x", "c", "0"), "", 0, "All limits are kept."},
		{"not looked at", budget("x", "a", "1"), "-no-budgets", 0, ""},
		{"in stages", budget("x", "a", "1") + budget("x", "b", "1"), "-stages", 0, "Stage 2 of 2"},
		{"as one with others", budget("x", "a", "1"), "-stages -max-pods 4", 0, "Stage 2 of 2"},
		{"a node alone", budget("x", "a", "0"), "-stages", 1, "No stages keep them: node \"n0\" alone goes over a limit"},
	} {
		r := start(cluster+c.budgets, append(strings.Fields(c.args), "-f", "-", "-width", "0", "taint nodes --all t:NoExecute")...)
		if r.status != c.status || !strings.Contains(r.stdout, c.want) || c.budgets == "" && strings.Contains(r.stdout, "imits") || strings.Contains(r.stdout, "There are no") != (c.name == "none") {
			t.Errorf("%s: %+v, want %q", c.name, r, c.want)
		}
	}
}
