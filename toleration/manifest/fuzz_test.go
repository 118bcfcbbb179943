package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/affinity"
)

// FuzzRead reads any bytes, which must not panic, and no amount of a resource is less than
// nothing. If they are JSON values
// without faults, the same values written as YAML must give the same objects,
// and else a node with the bytes as its name must.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		nodeJSON + podJSON,         // a stream
		"[" + nodeJSON + ", null]", // a list, and an item that is none
		`{"kind":"NodeList","items":[{"spec":{"unschedulable":true}}]} null {"items":[{"kind":"List","items":[]}]}`, // kinds of lists
		`{"kind":"CronJob","spec":{"jobTemplate":{"spec":{"parallelism":3,"template":{"spec":{"tolerations":null}}}}}}`,
		`{"kind":"Pod","spec":{"tolerations":[{"key":"\u007f\ud83d\ude00\u2028---","tolerationSeconds":-9223372036854775808}]}}`, // odd characters
		`{"kind":"Pod","metadata":{"uid":"a","ownerReferences":[{"uid":"b"}]}}{"kind":"Job","metadata":{"uid":"b"}}`,             // owners
		`{"kind":"Pod","x":[1e5,-0,1E400,0.10,"<<","yes","~","0x1F","2001-01-01","1:20","*a","!b"]}`,                             // what YAML reads otherwise
		nodeYAML + "---\n" + podYAML + "...\n# end\n",                                                                            // YAML
		"kind: Pod\nspec: &a {tolerations: [*a]}\n",                                                                              // an alias to itself
		"a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n",                                                                               // aliases that multiply
		"%YAML 1.1\n--- |\n ---\n",                           // a directive, a block scalar
		"{kind: Pod, \"spec\": {a\r: 1}}\u0085---\r",         // line ends
		"items:\n- kind: Node\n-\n  kind: Pod\n",             // a block list
		nodeJSON + "\n---\n" + nodeYAML,                      // JSON, then YAML
		`[{"key":"a","operator":"Exists"},{"value":"b"}] []`, // bare lists of tolerations
		`{"kind":"Pod","spec":{"tolerations":[{"key":1},{"key":"a","key":"b"}]},"status":{"phase":"Failed"}}`, // left out, twice, finished
	} {
		f.Add([]byte(text))
	}
	f.Add([]byte(`{"kind":"Pod","spec":{"initContainers":[{"restartPolicy":"Always"},{"resources":{"limits":{"cpu":"9E"}}}],"containers":[{"resources":{"requests":{"cpu":0.5,"x":"-1"}}}],"overhead":{"cpu":"9E"}}}`))
	f.Add([]byte(`{"kind":"PodDisruptionBudget","spec":{"selector":{"matchLabels":{"a":"b"},"matchExpressions":[{}]},"minAvailable":"1%","maxUnavailable":1}}`))
	f.Add([]byte(`{"apiVersion":"karpenter.sh/v1","kind":"NodePool","spec":{"template":{"metadata":{"labels":{"a":"b"}},"spec":{"taints":[{"key":"a","effect":"NoSchedule"}],
		"startupTaints":[{"propagation":"x"}],"requirements":[{"key":"c","operator":"Gte","values":["7"]}]}}}}`))
	f.Add([]byte(`{"kind":"MachineSet","metadata":{"annotations":{"capacity.cluster-autoscaler.kubernetes.io/taints":"a=b:NoSchedule,c","capacity.cluster-autoscaler.kubernetes.io/labels":"=,a"}}}`))
	f.Add([]byte(`{"kind":"NodeReadinessRule","spec":{"taint":{"key":"a","effect":"x"},"nodeSelector":{"matchLabels":{"a":1},"matchExpressions":[{}]}}}
		{"kind":"ResourceFlavor","spec":{"nodeLabels":{"a":"b"},"nodeTaints":[{}],"tolerations":[{}]}}`))
	target.Fuzz(f, func(t *testing.T, text []byte) {
		readState(t, text)
		yaml, ok := rewrite(text)
		l := Loader{Bare: true}
		if err := l.Read("f", bytes.NewReader(text)); err != nil || !ok || len(l.Cluster().Faults) > 0 {
			name, _ := json.Marshal(string(text))
			text = fmt.Appendf(nil, `{"kind":"Node","metadata":{"name":%s}}`, name)
			yaml, _ = rewrite(text)
			l = Loader{Bare: true}
			if err := l.Read("f", bytes.NewReader(text)); err != nil {
				t.Fatalf("%v in %s", err, text)
			}
		}
		fromJSON := l.Cluster()
		again := Loader{Bare: true}
		if err := again.Read("f", strings.NewReader(yaml)); err != nil {
			t.Fatalf("%v in the YAML:\n%s", err, yaml)
		}
		if diff := cmp.Diff(fromJSON, again.Cluster(), unexported); diff != "" {
			t.Fatalf("JSON and YAML differ (-JSON +YAML):\n%s\n%s", diff, yaml)
		}
	})
}

// readState reads all that can be read.
func readState(t *testing.T, text []byte) {
	l := Loader{Placement: true, Controllers: true, State: true}
	_ = l.Read("f", bytes.NewReader(text))
	c := l.Cluster()
	for _, p := range c.Pools { // its nodes have its labels
		if a := (affinity.Required{NodeSelector: p.Labels.Labels}); !a.MayMatch(&p.Labels) {
			t.Fatalf("%s: %v in %s", p.ID(), p.Labels, text)
		}
	}
	for _, p := range c.Pods {
		for name, n := range p.State.Requests {
			if n < 0 {
				t.Fatalf("%s: %d in %s", name, n, text)
			}
		}
	}
}

// rewrite writes JSON values as YAML documents. ok is false if text is anything
// else, or too deep for YAML, in which each level is indented.
func rewrite(text []byte) (yaml string, ok bool) {
	var b strings.Builder
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte(byteOrderMark))))
	decoder.UseNumber()
	for {
		var value any
		err := decoder.Decode(&value)
		if err == io.EOF {
			return b.String(), true
		}
		if err != nil || !writeYAML(&b, value, "") {
			return "", false
		}
	}
}

// writeYAML writes one document, or the value of a key or a dash, in block
// style.
func writeYAML(b *strings.Builder, value any, indent string) bool {
	if indent == "" {
		b.WriteString("---")
	}
	if len(indent) > 100 {
		return false
	}
	switch value := value.(type) {
	case map[string]any:
		if len(value) == 0 {
			b.WriteString(" {}\n")
			return true
		}
		b.WriteString("\n")
		for key, field := range value {
			if len(key) > 500 { // YAML has a limit for keys
				return false
			}
			fmt.Fprintf(b, "%s%s:", indent, strconv.QuoteToASCII(key))
			if !writeYAML(b, field, indent+" ") {
				return false
			}
		}
	case []any:
		if len(value) == 0 {
			b.WriteString(" []\n")
			return true
		}
		b.WriteString("\n")
		return !slices.ContainsFunc(value, func(element any) bool {
			fmt.Fprintf(b, "%s-", indent)
			return !writeYAML(b, element, indent+" ")
		})
	case string:
		fmt.Fprintf(b, " %s\n", strconv.QuoteToASCII(value))
	case nil:
		b.WriteString(" null\n")
	default:
		fmt.Fprintf(b, " %v\n", value)
	}
	return true
}
