package admit_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// ptr returns a pointer to a copy of v.
func ptr[T any](v T) *T { return &v }

// list reads any list, valid or not.
func list(t testing.TB, text string) []toleration.Toleration {
	t.Helper()
	tolerations, err := notation.Tolerations(text)
	if err != nil {
		t.Fatal(err)
	}
	return tolerations
}

// check compares in the text form, with the keys of Kubernetes cut short.
func check(t *testing.T, what string, got []toleration.Toleration, want string) {
	t.Helper()
	if text := strings.ReplaceAll(toleration.FormatList(got), "node.kubernetes.io/", ""); text != want {
		t.Errorf("%s: got %s, want %s", what, text, want)
	}
}

// A key that is tolerated already is left alone, with any operator and value
// (rule A1).
func TestA1DefaultSeconds(t *testing.T) {
	const notReady, unreachable = "not-ready:NoExecute@300", "unreachable:NoExecute@300"
	for given, want := range map[string]string{
		"":                                        notReady + "," + unreachable,
		"node.kubernetes.io/not-ready":            "not-ready," + unreachable,
		"node.kubernetes.io/not-ready==x":         "not-ready==x," + unreachable,
		"node.kubernetes.io/not-ready?In x":       "not-ready?In x," + unreachable,
		"node.kubernetes.io/not-ready@0":          "not-ready@0," + unreachable,
		"node.kubernetes.io/not-ready:NoSchedule": "not-ready:NoSchedule," + notReady + "," + unreachable,
		"*":              "*",
		"*==x:NoExecute": "*==x:NoExecute",
		"*:NoSchedule":   "*:NoSchedule," + notReady + "," + unreachable,
	} {
		check(t, given, admit.DefaultSeconds{}.Append(nil, list(t, given)), want)
	}
}

// Numbers are said explicitly, zero included, and nothing evicts at once unless
// that is said (rule A1).
func TestA1OwnSeconds(t *testing.T) {
	for _, test := range []struct {
		part admit.DefaultSeconds
		want string
	}{
		{admit.DefaultSeconds{}, "not-ready:NoExecute@300,unreachable:NoExecute@300"},
		{admit.DefaultSeconds{NotReady: ptr(int64(0))}, "not-ready:NoExecute@0,unreachable:NoExecute@300"},
		{admit.DefaultSeconds{Unreachable: ptr(int64(7))}, "not-ready:NoExecute@300,unreachable:NoExecute@7"},
		{
			admit.DefaultSeconds{NotReady: ptr(int64(math.MinInt64)), Unreachable: ptr(int64(math.MaxInt64))},
			"not-ready:NoExecute@-9223372036854775808,unreachable:NoExecute@9223372036854775807",
		},
	} {
		check(t, "own seconds", test.part.Append(nil, nil), test.want)
	}
	part := admit.DefaultSeconds{NotReady: ptr(int64(1))}
	*part.Append(nil, nil)[0].TolerationSeconds = 2
	*admit.DefaultSeconds{}.Append(nil, nil)[0].TolerationSeconds = 2
	check(t, "nothing is shared", part.Append(nil, nil), "not-ready:NoExecute@1,unreachable:NoExecute@300")
}

// Six tolerations, seven on the host network, and the historical one when it is
// asked for (rule A2).
func TestA2DaemonSet(t *testing.T) {
	const six = "not-ready:NoExecute,unreachable:NoExecute,disk-pressure:NoSchedule,memory-pressure:NoSchedule,pid-pressure:NoSchedule,unschedulable:NoSchedule"
	check(t, "ordinary", admit.DaemonSet{}.Append(nil, nil), six)
	check(t, "host network", admit.DaemonSet{HostNetwork: true}.Append(nil, nil), six+",network-unavailable:NoSchedule")
	check(t, "critical, before 1.13", admit.DaemonSet{OutOfDisk: true}.Append(nil, nil), six+",out-of-disk:NoSchedule")
	check(t, "all", admit.DaemonSet{HostNetwork: true, OutOfDisk: true}.Append(nil, nil), six+",network-unavailable:NoSchedule,out-of-disk:NoSchedule")
	check(t, "its own seconds go", admit.DaemonSet{}.Append(list(t, "x"), list(t, "a,node.kubernetes.io/not-ready:NoExecute@5")),
		"x,a,"+six)
}

// The toleration of static pods, in the place where it is already (rule A8).
// Nothing is left for DefaultSeconds to add (rule A1).
func TestA8StaticPod(t *testing.T) {
	for given, want := range map[string]string{
		"":                          "*:NoExecute",
		"a,b=x:NoExecute@5":         "a,b=x:NoExecute@5,*:NoExecute",
		"*:NoExecute@5,a":           "*:NoExecute,a",
		"*:NoExecute@5,*:NoExecute": "*:NoExecute,*:NoExecute",
		"*":                         "*,*:NoExecute",
	} {
		got := admit.StaticPod{}.Append(nil, list(t, given))
		check(t, given, got, want)
		check(t, given+", with defaults", admit.DefaultSeconds{}.Append(nil, got), want)
	}
}

// The class of a pod from requests and limits (rule A3).
func TestA3QOS(t *testing.T) {
	type amounts = map[string]admit.Quantity
	both := func(cpu, memory admit.Quantity) admit.Resources {
		return admit.Resources{Requests: amounts{"cpu": cpu, "memory": memory}, Limits: amounts{"cpu": cpu, "memory": memory}}
	}
	one := func(containers ...admit.Resources) admit.PodResources {
		return admit.PodResources{Containers: containers}
	}
	whole := both("1", "1Gi")
	pages := admit.Resources{Requests: amounts{"hugepages-2Mi": "2Mi"}}
	for _, test := range []struct {
		why  string
		pod  admit.PodResources
		want admit.QOSClass
	}{
		{"no containers", one(), admit.BestEffort},
		{"nothing asked for", one(admit.Resources{}), admit.BestEffort},
		{"zeros", one(both("0", "0Mi")), admit.BestEffort},
		{"another resource", one(admit.Resources{Requests: amounts{"example.com/gpu": "1"}}), admit.BestEffort},
		{"equal", one(both("1", "1Gi")), admit.Guaranteed},
		{"equal in other words", one(admit.Resources{Requests: amounts{"cpu": "0.1", "memory": "1Gi"}, Limits: amounts{"cpu": "100m", "memory": "1073741824"}}), admit.Guaranteed},
		{"one container of two", one(both("1", "1Gi"), admit.Resources{}), admit.Burstable},
		{"CPU only", one(both("1", "0")), admit.Burstable},
		{"no limit", one(admit.Resources{Requests: amounts{"cpu": "1"}}), admit.Burstable},
		{"an init container counts", admit.PodResources{InitContainers: []admit.Resources{{}}, Containers: []admit.Resources{both("1", "1Gi")}}, admit.Burstable},
		{"the pod as a whole decides", admit.PodResources{Pod: &whole, Containers: []admit.Resources{{}}}, admit.Guaranteed},
		{"huge pages decide too", admit.PodResources{Pod: &pages, Containers: []admit.Resources{both("1", "1Gi")}}, admit.BestEffort},
		{"a whole with nothing does not", admit.PodResources{Pod: &admit.Resources{}, Containers: []admit.Resources{both("1", "1Gi")}}, admit.Guaranteed},
	} {
		if got, err := test.pod.QOS(); got != test.want || err != nil {
			t.Errorf("%s: %v, %v, want %v", test.why, got, err, test.want)
		}
	}
}

// Faults are named by their place, all of them and in order.
func TestA3QOSErrors(t *testing.T) {
	p := admit.PodResources{
		InitContainers: []admit.Resources{{Limits: map[string]admit.Quantity{"memory": "1 Gi"}}},
		Containers:     []admit.Resources{{}, {Requests: map[string]admit.Quantity{"cpu": "", "memory": "1e1001", "x": "?"}}},
	}
	class, err := p.QOS()
	var errs *taint.FieldErrors
	if !errors.As(err, &errs) || class != "" {
		t.Fatalf("got %q, %v", class, err)
	}
	var fields []string
	for _, e := range errs.Faults {
		fields = append(fields, e.Field+" "+e.Value)
	}
	want := []string{"initContainers[0].resources.limits[memory] 1 Gi", "containers[1].resources.requests[cpu] ", "containers[1].resources.requests[memory] 1e1001"}
	if !slices.Equal(fields, want) {
		t.Errorf("got %q, want %q", fields, want)
	}
}

// A pod that requests memory tolerates a shortage of it (rule A3). Nothing is
// added if the class is not known.
func TestA3MemoryPressure(t *testing.T) {
	for class, want := range map[admit.QOSClass]string{"": "a", admit.BestEffort: "a", admit.Burstable: "a,memory-pressure:NoSchedule", admit.Guaranteed: "a,memory-pressure:NoSchedule"} {
		for _, update := range []bool{false, true} {
			for _, exact := range []bool{false, true} {
				check(t, string(class), admit.Restriction{Class: class, Update: update, Exact: exact}.Append(nil, list(t, "a")), want)
			}
		}
	}
}

// Extended resources that containers and init containers request (rule A4).
func TestA4ExtendedResources(t *testing.T) {
	ask := func(names ...string) (r admit.Resources) {
		r.Requests = map[string]admit.Quantity{}
		for _, name := range names {
			r.Requests[name] = "1"
		}
		return r
	}
	p := admit.PodResources{
		Pod:            &admit.Resources{Requests: map[string]admit.Quantity{"example.com/whole": "1"}},
		InitContainers: []admit.Resources{ask("example.com/nic", "example.com/gpu")},
		Containers: []admit.Resources{ask("example.com/gpu", "cpu", "gpu", "hugepages-2Mi", "kubernetes.io/x", "x.kubernetes.io/y", "requests.example.com/x", "/x", "a/b/c"),
			{Limits: map[string]admit.Quantity{"example.com/limit": "1"}}},
	}
	if got := p.Extended(); !slices.Equal(got, []string{"example.com/gpu", "example.com/nic"}) {
		t.Errorf("Extended() = %q", got)
	}
	check(t, "added and updated", admit.ExtendedResources{Names: p.Extended()}.Append(nil, list(t, "example.com/nic:NoSchedule@5,a")),
		"example.com/nic:NoSchedule,a,example.com/gpu:NoSchedule")
	check(t, "none", admit.ExtendedResources{}.Append(nil, list(t, "a")), "a")
	check(t, "twice and odd", admit.ExtendedResources{Names: []string{"b", "", "b", "a"}}.Append(nil, list(t, "a,a:NoSchedule@1")), "a,a:NoSchedule,b:NoSchedule,*:NoSchedule")
	if got := (&admit.PodResources{}).Extended(); got != nil {
		t.Errorf("Extended() without containers = %q", got)
	}
}

// Many names are looked up in another way than few, with the same result (rules
// A4, A6).
func TestA4ManyResources(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.SampledFrom(strings.Split("abcdefghijklmnop", "")), 0, 20).Draw(t, "names")
		given := matchtest.Tolerations(nil).Draw(t, "tolerations")
		for _, name := range rapid.SliceOfN(rapid.SampledFrom(strings.Split("abcdefgh", "")), 0, 8).Draw(t, "given") {
			given = append(given, toleration.Toleration{Key: name, Operator: toleration.OpExists, Effect: taint.NoSchedule, TolerationSeconds: ptr(int64(5))})
		}
		want := slices.Clone(given)
		for _, name := range names {
			want, _ = toleration.Upsert(nil, want, toleration.Toleration{Key: name, Operator: toleration.OpExists, Effect: taint.NoSchedule})
		}
		if got := (admit.ExtendedResources{Names: names}).Append(nil, given); !toleration.Equal(got, want) {
			t.Fatalf("%q to %q: got %q, want %q", names, given, got, want)
		}
	})
}

// If the namespace has a list, even an empty one, the cluster's is not used (rule
// A5).
func TestA5Defaults(t *testing.T) {
	r := admit.Restriction{ClusterDefaults: list(t, "c")}
	check(t, "of the cluster", r.Append(nil, list(t, "a")), "a,c")
	r.Update = true
	check(t, "on update", r.Append(nil, list(t, "a")), "a")
	r.Update = false
	r.Defaults = list(t, "n")
	check(t, "of the namespace", r.Append(nil, list(t, "a")), "a,n")
	r.Class = admit.Guaranteed
	check(t, "with a class", r.Append(nil, list(t, "a")), "a,n,memory-pressure:NoSchedule")
	check(t, "the defaults are not written to", r.Defaults[:1:1], "n")
	r.Class, r.Defaults = "", []toleration.Toleration{}
	check(t, "of an empty namespace", r.Append(nil, list(t, "a")), "a")
}

// Both ways to merge and to check, side by side (rule A5).
func TestA5Exact(t *testing.T) {
	const redundant = "a>5,a>6"
	r := admit.Restriction{ClusterDefaults: list(t, "b"), ClusterWhitelist: list(t, "b,a>4")}
	check(t, "the plugin does not know Gt", r.Append(nil, list(t, redundant)), "a>5,a>6,b")
	var errs *taint.FieldErrors
	if err := r.Check(list(t, "b,"+redundant)); !errors.As(err, &errs) || len(errs.Faults) != 2 ||
		*errs.Faults[1] != (taint.FieldError{Field: "tolerations[2]", Problem: "forbidden", Value: "a>6", Detail: `"a>6" is not on the whitelist`}) {
		t.Errorf("the plugin allows %v", err)
	}
	r.Exact = true
	check(t, "exact, in a default cluster", r.Append(nil, list(t, redundant+",a=7,a=7")), "a>5,a>6,a=7,b")
	if err := r.Check(list(t, redundant+",a=7")); err == nil || strings.Count(err.Error(), "forbidden") != 1 {
		t.Errorf("exact, in a default cluster: %v", err)
	}
	r.Rules.Comparisons = true
	check(t, "exact", r.Append(nil, list(t, redundant)), "a>5,b")
	if err := r.Check(list(t, "b,"+redundant)); err != nil {
		t.Errorf("exact: %v", err)
	}
	if err := r.Check(list(t, "c")); err == nil {
		t.Error("exact: c is allowed")
	}
}

// Nothing is refused if the whitelist, that of the namespace before that of the
// cluster, is empty (rule A5).
func TestA5Whitelist(t *testing.T) {
	cluster, empty := list(t, "c"), []toleration.Toleration{}
	for _, test := range []struct {
		namespace, cluster []toleration.Toleration
		allowed            bool
	}{
		{nil, nil, true},
		{nil, cluster, false},
		{empty, cluster, true},
		{nil, empty, true},
		{list(t, "a"), cluster, true},
	} {
		r := admit.Restriction{Whitelist: test.namespace, ClusterWhitelist: test.cluster}
		if err := r.Check(list(t, "a")); (err == nil) != test.allowed {
			t.Errorf("%q and %q: %v", test.namespace, test.cluster, err)
		}
		if err := r.Check(nil); err != nil {
			t.Errorf("%q and %q refuse nothing: %v", test.namespace, test.cluster, err)
		}
	}
}

// Annotations: none is nil, empty is not.
func TestA5ParseAnnotation(t *testing.T) {
	for text, want := range map[string]string{"": "", "null": "", "[]": "", `[{"key":"a","operator":"Exists"}]`: "a", `[{"Key":"a","OPERATOR":"Exists"}]`: "a"} {
		got, err := admit.ParseAnnotation(text)
		if err != nil || got == nil || toleration.FormatList(got) != want {
			t.Errorf("ParseAnnotation(%q) = %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"{", "{}", `[{"tolerationSeconds":"5"}]`, "x"} {
		if got, err := admit.ParseAnnotation(text); err == nil || got != nil || !strings.Contains(err.Error(), "tolerations") {
			t.Errorf("ParseAnnotation(%q) = %v, %v", text, got, err)
		}
	}
}

// What a node starts with (rule A7).
func TestA7NewNode(t *testing.T) {
	with, err := taint.ParseList("dedicated=gpu:NoSchedule,node.kubernetes.io/not-ready=x:NoSchedule")
	if err != nil {
		t.Fatal(err)
	}
	const notReady, uninitialized = "node.kubernetes.io/not-ready:NoSchedule", "node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule"
	for _, test := range []struct {
		node admit.NewNode
		with []taint.Taint
		want string
	}{
		{admit.NewNode{}, nil, notReady},
		{admit.NewNode{ExternalCloudProvider: true}, nil, uninitialized + "," + notReady},
		{admit.NewNode{ExternalCloudProvider: true}, with[:1], "dedicated=gpu:NoSchedule," + uninitialized + "," + notReady},
		{admit.NewNode{}, with, taint.FormatList(with)},
	} {
		before := taint.MustParse(notReady)
		got := test.node.Append([]taint.Taint{before}, test.with)
		if text := taint.FormatList(got[1:]); text != test.want || got[0] != before {
			t.Errorf("%+v: got %s, want %s", test.node, text, test.want)
		}
		room := append(make([]taint.Taint, 0, 5), test.with...)
		if text := taint.FormatList(test.node.Append(room[:0], room)); text != test.want {
			t.Errorf("%+v in place: got %s, want %s", test.node, text, test.want)
		}
	}
}
