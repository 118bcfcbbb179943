package upstream

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Package manifest reads YAML as it reads the JSON that Kubernetes makes of it. That JSON
// no longer tells which fields occurred twice, so faults are not compared.
func TestManifestReadsYAMLAsKubernetes(t *testing.T) {
	for _, fields := range []string{
		"nodeName: a\n  nodeName: b",
		"nodeName: a\nspec:\n  hostNetwork: yes",
		"tolerations:\n  - &a {key: a, operator: Exists}\n  - <<: *a\n    key: z\n  - {key: z, <<: *a}\n  - <<: [*a, {key: b, effect: NoExecute}]\n    tolerationSeconds: 0x10",
		"tolerations: [{key: y, operator: Exists}, {key: 017}, {key: \"017\"}, {key: c, effect: NoExecute, tolerationSeconds: 3e2}]",
		"tolerations: [{key: 2001-01-01, value: ~}, {key: !!str 5}, {key: 'a', value: !!binary YQ==}, {key: on}, {key: d, tolerationSeconds: 18446744073709551615}]",
		"1: a\n  1.5: b\n  true: c\n  nodeName: >\n    a\n    b",
	} {
		text := "kind: Pod\nmetadata: {name: p}\nspec:\n  " + fields + "\n"
		converted, err := yaml.ToJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got, want := pods(t, text), pods(t, string(converted))
		if got != want || want == "" {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
	for _, text := range []string{"kind: Pod\n~: x\n", "kind: Pod\nspec: {nodeName: .nan}\n", "kind: Pod\n? [a]\n: b\n"} {
		_, want := yaml.ToJSON([]byte(text))
		if got := new(manifest.Loader).Read("f", strings.NewReader(text)); (got == nil) != (want == nil) || want == nil {
			t.Errorf("%q: %v, Kubernetes %v", text, got, want)
		}
	}
}

// pods tells what is read of pods.
func pods(t *testing.T, text string) string {
	var l manifest.Loader
	if err := l.Read("f", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, p := range l.Cluster().Pods {
		for _, toleration := range p.SpecTolerations {
			all = append(all, toleration.String())
		}
		all = append(all, fmt.Sprint(p.ID(), p.NodeName, p.HostNetwork))
	}
	return strings.Join(all, "\n")
}
