package scheduler

import (
	"context"
	"strings"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
)

func TestArgs(t *testing.T) {
	for _, text := range []string{
		"", "{}", "null", `{"nameTaints":true,"comparisonOperators":true,"ignoreCordon":true,"narrow":false,"deferredResize":true}`, "nameTaints: true\nnarrow: false\n", "narrow: true",
	} {
		plugin, err := New(context.Background(), &runtime.Unknown{Raw: []byte(text)}, nil)
		if err != nil {
			t.Errorf("args %q: %v", text, err)
			continue
		}
		pl := plugin.(*Plugin)
		if got, want := pl.named, strings.Contains(text, "nameTaints"); got != want {
			t.Errorf("args %q: names taints: %t", text, got)
		}
		if got, want := pl.narrow != nil, !strings.Contains(text, "narrow\":false") && !strings.Contains(text, "narrow: false"); got != want {
			t.Errorf("args %q: narrows: %t", text, got)
		}
		if got, want := pl.rules.Comparisons, strings.Contains(text, "comparison"); got != want {
			t.Errorf("args %q: comparisons: %t", text, got)
		}
		if got, want := pl.deferred, strings.Contains(text, "deferredResize"); got != want {
			t.Errorf("args %q: defers: %t", text, got)
		}
		if got, want := pl.cordons, !strings.Contains(text, "ignoreCordon"); got != want {
			t.Errorf("args %q: cordons: %t", text, got)
		}
	}
	if plugin, err := New(context.Background(), nil, nil); err != nil || plugin.Name() != Name {
		t.Errorf("no args: %v, %v", plugin, err)
	}
}

func TestBadArgs(t *testing.T) {
	for _, test := range []struct {
		args runtime.Object
		want string // in the error
	}{
		{&runtime.Unknown{Raw: []byte(`{"nameTaint":true}`)}, `"nameTaint"`},
		{&runtime.Unknown{Raw: []byte(`{"nameTaints":1}`)}, "nameTaints"},
		{&runtime.Unknown{Raw: []byte(`[`)}, "args"},
		{&v1.Node{}, "*v1.Node"},
	} {
		plugin, err := New(context.Background(), test.args, nil)
		if err == nil || plugin != nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), Name) {
			t.Errorf("args %v: %v, %v, want an error that names %s", test.args, plugin, err, test.want)
		}
	}
}

// TestN4Gate reads the gate as it is: not known here at first, then off, then on.
// Arguments come before it. In a scheduler it is known from the start.
func TestN4Gate(t *testing.T) {
	expect := func(what string, args Args, want bool) {
		t.Helper()
		if got := NewPlugin(args).rules.Comparisons; got != want {
			t.Errorf("%s: comparisons: %t, want %t", what, got, want)
		}
	}
	on, off := true, false
	expect("unknown", Args{}, false)
	expect("unknown, set", Args{ComparisonOperators: &on}, true)
	gates := utilfeature.DefaultMutableFeatureGate
	if err := gates.Add(map[featuregate.Feature]featuregate.FeatureSpec{comparisonOperators: {Default: false, PreRelease: featuregate.Alpha}}); err != nil {
		t.Fatal(err)
	}
	expect("off", Args{}, false)
	if err := gates.SetFromMap(map[string]bool{string(comparisonOperators): true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = gates.SetFromMap(map[string]bool{string(comparisonOperators): false}) })
	expect("on", Args{}, true)
	expect("on, unset", Args{ComparisonOperators: &off}, false)
}
