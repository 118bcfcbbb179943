package plan

import (
	"strings"
	"testing"
)

// Disruption budgets of the input are not read, and each output says so once.
func TestUnreadBudgets(t *testing.T) {
	const node = `{"kind":"Node","metadata":{"name":"n"}}{"kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n"}}`
	const budget = `{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"b"},"spec":{"minAvailable":1,"selector":{}}}`
	for _, c := range []struct{ input, args, want string }{
		{node, "", ""},
		{node, "-o json", ""},
		{node, "-o kubectl", ""},
		{node + budget, "-width 0", "\n\n1 PodDisruptionBudget of the input is not read; -budget NAME=N:OWNER gives the evictions that one allows.\n"},
		{node + budget + budget, "-width 0 -stages -max-pods 9", "\n\n2 PodDisruptionBudgets of the input are not read; "},
		{node + budget + budget, "-o json", `"unreadBudgets": 2`},
		{node + budget + budget, "-o kubectl", "# 2 PodDisruptionBudgets of the input are not read; "},
	} {
		r := start(c.input, append(strings.Fields(c.args), "-f", "-", "taint nodes n a:NoExecute")...)
		told := strings.Count(r.stdout, "PodDisruptionBudget") + strings.Count(r.stdout, "unreadBudgets")
		if r.status != 0 || c.want == "" && told > 0 || c.want != "" && (told != 1 || !strings.Contains(r.stdout, c.want)) {
			t.Errorf("%q: %+v", c.args, r)
		}
	}
}
