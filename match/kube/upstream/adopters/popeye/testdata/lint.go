package lint

import (
	"strings"
	"testing"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/derailed/popeye/internal"
	"github.com/derailed/popeye/internal/test"
)

// TestToleroDialect lints a cluster of one node and one pod for each of the vectors, and
// looks for the remark that no pod tolerates a taint.
func TestToleroDialect(t *testing.T) {
	toleroDialect(t, "popeye", 50, func(p *toleroPair) bool {
		cluster, err := test.NewTestDB()
		if err != nil {
			t.Fatal(err)
		}
		txn := cluster.Txn(true)
		for name, object := range map[string]any{
			internal.Glossary[internal.NO].String(): &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}, Spec: v1.NodeSpec{Taints: p.taints}},
			internal.Glossary[internal.PO].String(): &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "default"}, Spec: v1.PodSpec{Tolerations: p.tolerations}},
		} {
			if err := txn.Insert(name, object); err != nil {
				t.Fatal(err)
			}
		}
		txn.Commit()
		n := NewNode(test.MakeCollector(t), cluster)
		if err := n.Lint(test.MakeContext("v1/nodes", "nodes")); err != nil {
			t.Fatal(err)
		}
		for _, issue := range n.Outcome()["n"] {
			if strings.Contains(issue.Message, "[POP-700]") {
				return false
			}
		}
		return true
	})
}
