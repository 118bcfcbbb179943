package manifest_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/toleration/manifest"
)

func TestOwnerReads(t *testing.T) {
	for owner, want := range map[manifest.Owner]string{
		{}:                                     "",
		{Kind: "ReplicaSet", Name: "web-5d4c"}: "ReplicaSet/web-5d4c",
		{Kind: "Node"}:                         "Node/",
		{Name: "a"}:                            "/a",
	} {
		if got := owner.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestLabels shows that only labels that are asked for are kept, and only of nodes. A
// label that is no string is a fault.
func TestLabels(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"a","labels":{"pool":"gpu","zone":"z","arch":"x"}}}
{"kind":"Node","metadata":{"name":"b","labels":{"zone":7}}}
{"kind":"Node","metadata":{"name":"c"}}
{"kind":"Pod","metadata":{"name":"p","labels":{"pool":"x"}}}`
	for _, test := range []struct {
		wanted []string
		first  map[string]string
		faults int
	}{
		{nil, nil, 0},
		{[]string{"pool"}, map[string]string{"pool": "gpu"}, 0},
		{[]string{"zone", "pool", "none"}, map[string]string{"pool": "gpu", "zone": "z"}, 1},
	} {
		l := manifest.Loader{Labels: test.wanted}
		if err := l.Read("input", strings.NewReader(input)); err != nil {
			t.Fatal(err)
		}
		c := l.Cluster()
		if got := c.Nodes[0].Labels; !maps.Equal(got, test.first) {
			t.Errorf("%q: got %v", test.wanted, got)
		}
		if c.Nodes[2].Labels != nil || len(c.Faults) != test.faults {
			t.Errorf("%q: labels of a node without any: %v; faults: %v", test.wanted, c.Nodes[2].Labels, c.Faults)
		}
	}
}
