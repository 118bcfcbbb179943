package outage

import (
	"fmt"
	"strings"
)

// invented returns the nodes and pods that the answer is about without -f: 300 nodes in three zones,
// each with ten pods, one of which no taint evicts, and one after half a minute, the others after
// the five that admission gives them (rules A1 and A2).
func invented() string {
	const tolerations = `[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute"%[1]s},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute"%[1]s}]`
	var b strings.Builder
	for i := range 300 {
		node := fmt.Sprintf("node-%c-%02d", 'a'+i%3, i/3)
		fmt.Fprintf(&b, `{"kind":"Node","metadata":{"name":%q,"labels":{"topology.kubernetes.io/zone":"%c"}}}`, node, 'a'+i%3)
		for j := range 10 {
			kind, owner, seconds := "StatefulSet", "web", `,"tolerationSeconds":300`
			switch j {
			case 0:
				kind, owner, seconds = "DaemonSet", "agent", ""
			case 1:
				owner, seconds = "hasty", `,"tolerationSeconds":30`
			}
			fmt.Fprintf(&b, `{"kind":"Pod","metadata":{"namespace":"demo","name":"%s-%d","ownerReferences":[{"kind":%q,"name":%q,"controller":true}]},"spec":{"nodeName":%q,"tolerations":%s}}`,
				owner, 10*i+j, kind, owner, node, fmt.Sprintf(tolerations, seconds))
		}
	}
	return b.String()
}
