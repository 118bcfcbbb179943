package before135_test

import (
	"go/version"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestGoFix: go fix replaces every call by one of package kube, and the import with it.
func TestGoFix(t *testing.T) {
	if version.Compare(runtime.Version(), "go1.26") < 0 {
		t.Skip("go fix inlines calls since Go 1.26")
	}
	diff, err := exec.Command("go", "fix", "-diff", "./testdata/program").CombinedOutput()
	if _, found := err.(*exec.ExitError); err != nil && !found { // it exits with 1 if there is a difference
		t.Fatal(err)
	}
	lines := map[string][]string{}
	for _, line := range regexp.MustCompile(`(?m)^([+-])\t+([^\n]+)$`).FindAllStringSubmatch(string(diff), -1) {
		lines[line[1]] = append(lines[line[1]], line[2])
	}
	added := slices.DeleteFunc(slices.Clone(lines["+"]), func(line string) bool { return slices.Contains(lines["-"], line) }) // else it moved
	want := []string{
		`"github.com/tolero-dev/tolero/match/kube"`,
		`klog "k8s.io/klog/v2"`,
		`_, found := kube.FindMatchingUntoleratedTaint(klog.Logger{}, node.Spec.Taints, pod.Spec.Tolerations, hard, false)`,
		`if kube.ToleratesTaint(&pod.Spec.Tolerations[i], klog.Logger{}, x, false) {`,
		`return kube.TolerationsTolerateTaint(klog.Logger{}, pod.Spec.Tolerations, x, false)`,
	}
	if !slices.Equal(added, want) || strings.Contains(strings.Join(lines["+"], "\n"), "v1helper") {
		t.Errorf("go fix:\n%s", diff)
	}
}
