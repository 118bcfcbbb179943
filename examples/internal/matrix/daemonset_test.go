package matrix

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A DaemonSet runs where its controller's tolerations let it, as package explain has it:
// on nodes that are cordoned or in trouble and, on the host network, without a network.
func TestDaemonSets(t *testing.T) {
	const node = `{"kind":"Node","metadata":{"name":"n"},"spec":{"unschedulable":true,"taints":[{"key":"node.kubernetes.io/not-ready","effect":"NoExecute"}TAINT]}}`
	const network = `,{"key":"node.kubernetes.io/network-unavailable","effect":"NoSchedule"}`
	page := filepath.Join(t.TempDir(), "page.html")
	for _, c := range []struct {
		kind, spec, taint, free string
	}{
		{"DaemonSet", `{}`, "", "1"},
		{"DaemonSet", `{"hostNetwork":true}`, network, "1"},
		{"DaemonSet", `{}`, network, "0"},
		{"Deployment", `{}`, "", "0"},
	} {
		input := strings.Replace(node, "TAINT", c.taint, 1) + `{"kind":"` + c.kind + `","metadata":{"name":"d"},"spec":{"template":{"spec":` + c.spec + `}}}`
		r := start(t, input, "-f", "-", "-o", "json", "-html", page)
		if want := `"free": ` + c.free + ","; r.status != 0 || !strings.Contains(r.stdout, want) {
			t.Errorf("%s %s with %s: no %q in %+v", c.kind, c.spec, c.taint, want, r)
		}
		text, err := os.ReadFile(page)
		if has := strings.Contains(string(text), `{&#34;key&#34;:&#34;node.kubernetes.io/disk-pressure&#34;,&#34;operator&#34;:&#34;Exists&#34;,&#34;effect&#34;:&#34;NoSchedule&#34;}</code>`); err != nil || has != (c.kind == "DaemonSet") {
			t.Errorf("%s %s: the page has the toleration: %t, %v", c.kind, c.spec, has, err)
		}
	}
}
