package main

import (
	"strings"
	"testing"
)

const before = `// Package p asks about taints.
package p

import (
	v1 "k8s.io/api/core/v1"
	corev1 "k8s.io/component-helpers/scheduling/corev1"
)

func ask(l logger, list []v1.Toleration, x *v1.Taint) bool {
	for i := range list {
		if list[i].ToleratesTaint(l, x, true) {
			return true
		}
	}
	return false
}

func all(l logger, list []v1.Toleration, xs []v1.Taint) bool {
	if ask(l, list, &xs[0]) && list[0].ToleratesTaint(l, &xs[1], true) {
		return corev1.TolerationsTolerateTaint(l, list, &xs[2], false)
	}
	return false
}

func (s *set) FindMatchingUntoleratedTaint() { corev1.FindMatchingUntoleratedTaint(a, b, c, d, e) }
`

func TestRewrite(t *testing.T) {
	got, err := rewrite([]byte(before), 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"package p\n\nimport tolerokube \"github.com/tolero-dev/tolero/match/kube\"\n",
		"bool {\n\tif tolerokube.TolerationsTolerateTaint(l, list, x, true) {\n\t\t\treturn true\n\t\t}\n\treturn false\n}",
		"if ask(l, list, &xs[0]) && tolerokube.ToleratesTaint(&list[0], l, &xs[1], true) {\n\t\treturn tolerokube.TolerationsTolerateTaint(l, list, &xs[2], false)",
		"FindMatchingUntoleratedTaint() { tolerokube.FindMatchingUntoleratedTaint(a, b, c, d, e) }",
		// as they were, under other names
		"func askBefore(l logger, list []v1.Toleration, x *v1.Taint) bool {\n\tfor i := range list {\n\t\tif list[i].ToleratesTaint(l, x, true) {",
		"if askBefore(l, list, &xs[0]) && list[0].ToleratesTaint(l, &xs[1], true) {\n\t\treturn corev1.TolerationsTolerateTaint(l, list, &xs[2], false)",
		"FindMatchingUntoleratedTaintBefore() { corev1.FindMatchingUntoleratedTaint(a, b, c, d, e) }",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
}

const old = `package p

import "k8s.io/component-helpers/scheduling/corev1"

func ask(list []v1.Toleration, xs []v1.Taint) (used []v1.Toleration) {
	for i := range list {
		if list[i].ToleratesTaint(&xs[0]) {
			return nil
		}
	}
	for i := range list {
		if list[i].ToleratesTaint(&xs[0]) {
			used = append(used, list[i])
		}
	}
	for _, t := range list {
		if !t.ToleratesTaint(&xs[0]) {
			break
		}
	}
	_, ok := corev1.FindMatchingUntoleratedTaint(xs, list, func(*v1.Taint) bool { return corev1.TolerationsTolerateTaint(list, &xs[1]) })
	return used
}
`

// TestRewriteOld gives the calls of Kubernetes 1.34 a logger and a gate, and leaves loops
// that do more than ask.
func TestRewriteOld(t *testing.T) {
	got, err := rewrite([]byte(old), 5, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n\nimport tolerolog \"k8s.io/klog/v2\"\n",
		"\tif tolerokube.TolerationsTolerateTaint(tolerolog.Logger{}, list, &xs[0], false) {\n\t\t\treturn nil\n\t\t}\n\tfor",
		"\t\tif tolerokube.ToleratesTaint(&list[i], tolerolog.Logger{}, &xs[0], false) {\n\t\t\tused =",
		"\t\tif !tolerokube.ToleratesTaint(&t, tolerolog.Logger{}, &xs[0], false) {\n\t\t\tbreak",
		"tolerokube.FindMatchingUntoleratedTaint(tolerolog.Logger{}, xs, list, func(*v1.Taint) bool { " +
			"return tolerokube.TolerationsTolerateTaint(tolerolog.Logger{}, list, &xs[1], false) }, false)\n\treturn used\n}",
		"func askBefore(",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
}

// A release with other calls, or without a function that is kept, is not run as if
// nothing had changed.
func TestRewriteRefuses(t *testing.T) {
	if _, err := rewrite([]byte(before), 3, nil); err == nil || err.Error() != "4 calls to rewrite, want 3" {
		t.Error(err)
	}
	if _, err := rewrite([]byte(before), 4, []string{"gone"}); err == nil || err.Error() != "no function gone" {
		t.Error(err)
	}
	if _, err := rewrite([]byte("package"), 0, nil); err == nil {
		t.Error("no error for what is no Go")
	}
}
