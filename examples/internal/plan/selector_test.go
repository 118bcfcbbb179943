package plan

import (
	"strings"
	"testing"
)

// Label selectors are read as kubectl reads them, and are the names of the nodes.
func TestSelectors(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"a","labels":{"pool":"gpu","zone":"1"}}}{"kind":"Node","metadata":{"name":"b","labels":{"pool":"gpu"}}}{"kind":"Node","metadata":{"name":"c","labels":{"pool":"web"}}}
		{"kind":"Pod","metadata":{"name":"p"}}`
	for step, want := range map[string]string{
		"cordon -l pool=gpu":                        "kubectl cordon a b",
		"cordon --selector pool==gpu,zone=1":        "kubectl cordon a",
		"cordon -l=pool=gpu,!zone":                  "kubectl cordon b",
		"cordon --selector=pool!=gpu":               "kubectl cordon c",
		"kubectl taint nodes -l 'zone' x:NoExecute": "kubectl taint nodes a x:NoExecute",
		"taint nodes x:NoExecute -l pool":           "kubectl taint nodes a b c x:NoExecute",
		"cordon -l pool=cpu":                        `line 1: selector "pool=cpu": no node has such labels`,
		"cordon c\ncordon -l =x":                    `line 2: selector "=x": "=x" is none of KEY=VALUE`,
		"cordon -l pool(x)":                         `selector "pool(x)": "pool(x)" is none of`,
		"cordon -l":                                 `"-l"`,
	} {
		r := start(input, "-f", "-", "-width", "0", step)
		if got := r.stdout + r.stderr; !strings.Contains(got, want) || (r.status == 0) != strings.HasPrefix(want, "kubectl") {
			t.Errorf("%s: %+v, want %s", step, r, want)
		}
	}
}
