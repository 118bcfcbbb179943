package minors

import (
	"encoding/json"
	"io/fs"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"

	"github.com/tolero-dev/tolero/match/matchtest/vectors"
)

// question is what the vectors of older releases ask with.
type question struct {
	FeatureGates map[string]bool
	Toleration   v1.Toleration
	Taint        v1.Taint
	Pod          v1.Pod
	Node         v1.Node
}

func (q *question) gate() bool { return q.FeatureGates["TaintTolerationComparisonOperators"] }

var kinds = map[string]func(*question) any{
	"tolerates": func(q *question) any { return tolerates(&q.Toleration, &q.Taint, q.gate()) },
	"untolerated": func(q *question) any {
		indexes := []int{}
		for i := range q.Node.Spec.Taints {
			if first(q.Node.Spec.Taints[i:i+1], q.Pod.Spec.Tolerations, nil, q.gate()) {
				indexes = append(indexes, i)
			}
		}
		return indexes
	},
	"fits": func(q *question) any {
		hard := func(x *v1.Taint) bool {
			return x.Effect == v1.TaintEffectNoSchedule || x.Effect == v1.TaintEffectNoExecute
		}
		for i := range q.Node.Spec.Taints { // as the scheduler does, and which
			if first(q.Node.Spec.Taints[:i+1], q.Pod.Spec.Tolerations, hard, q.gate()) {
				return map[string]any{"fits": false, "taint": i}
			}
		}
		return map[string]any{"fits": true}
	},
}

// tolerates asks the method of the release.
func tolerates(t *v1.Toleration, x *v1.Taint, gate bool) bool {
	return call((*v1.Toleration).ToleratesTaint, t, klog.Logger{}, x, gate)[0].Bool()
}

// first reports whether the helper of the release finds an untolerated taint.
func first(taints []v1.Taint, tolerations []v1.Toleration, filter func(*v1.Taint) bool, gate bool) bool {
	return call(corev1.FindMatchingUntoleratedTaint, klog.Logger{}, taints, tolerations, filter, gate)[1].Bool()
}

// call calls a function that takes all arguments, or, before 1.35, all except the
// logger and the gate.
func call(function any, arguments ...any) []reflect.Value {
	f := reflect.ValueOf(function)
	var in []reflect.Value
	for _, a := range arguments {
		switch a.(type) {
		case klog.Logger, bool:
			if f.Type().NumIn() < len(arguments) {
				continue
			}
		}
		in = append(in, reflect.ValueOf(a).Convert(f.Type().In(len(in))))
	}
	return f.Call(in)
}

var version = regexp.MustCompile(`k8s\.io/component-helpers@(v0\.([0-9]+)\.[0-9]+)/`)

// release returns the release of Kubernetes that the test was built with, and its module
// with the version, which the name of the source file has.
func release(t *testing.T) (kubernetes, module string) {
	file, _ := runtime.FuncForPC(reflect.ValueOf(corev1.FindMatchingUntoleratedTaint).Pointer()).FileLine(0)
	m := version.FindStringSubmatch(file)
	if m == nil {
		t.Fatalf("no version in %s", file)
	}
	return "1." + m[2], "k8s.io/component-helpers " + m[1]
}

// TestVectors asks the release every question about matching in its folder. The command
// confirm asks the other ones.
func TestVectors(t *testing.T) {
	kubernetes, module := release(t)
	cases, err := vectors.Load(kubernetes)
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]int{}
	for i := range cases {
		c := &cases[i]
		ask := kinds[c.Ask]
		if ask == nil {
			continue
		}
		var q question
		if err := json.Unmarshal(c.Input, &q); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(ask(&q))
		if err != nil {
			t.Fatal(err)
		}
		if !vectors.Equal(got, c.Expected("kubernetes")) {
			t.Errorf("%s: %s\nKubernetes %s answers %s\nthe vector says %s", c.ID, c.Input, kubernetes, got, c.Expected("kubernetes"))
		}
		asked[c.Ask]++
	}
	t.Logf("%s: %v", module, asked)
	for kind := range kinds {
		if asked[kind] < 20 {
			t.Errorf("%d questions %s were asked", asked[kind], kind)
		}
	}
	confirmed(t, kubernetes, module)
}

// confirmed compares the module with the one that the files name.
func confirmed(t *testing.T, kubernetes, module string) {
	for _, name := range []string{"small/matching.json", "large/nodes.json"} {
		text, err := fs.ReadFile(vectors.Files(), kubernetes+"/"+name)
		if err != nil {
			t.Fatal(err)
		}
		var f vectors.File
		if err := json.Unmarshal(text, &f); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(strings.Split(f.Confirmed, ", "), module) {
			t.Errorf("%s/%s was confirmed by %s, not %s", kubernetes, name, f.Confirmed, module)
		}
	}
}
