package upstream

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	core "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/core/helper"
	coreqos "k8s.io/kubernetes/pkg/apis/core/helper/qos"
	daemonutil "k8s.io/kubernetes/pkg/controller/daemon/util"
	"k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds"
	"k8s.io/kubernetes/plugin/pkg/admission/extendedresourcetoleration"
	"k8s.io/kubernetes/plugin/pkg/admission/nodetaint"
	"k8s.io/kubernetes/plugin/pkg/admission/podtolerationrestriction"
	restriction "k8s.io/kubernetes/plugin/pkg/admission/podtolerationrestriction/apis/podtolerationrestriction"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// admitted runs an admission plugin on an object that is created, or updated.
func admitted(plugin admission.Interface, object runtime.Object, resource string, update bool) error {
	operation, options := admission.Create, runtime.Object(&metav1.CreateOptions{})
	if update {
		operation, options = admission.Update, &metav1.UpdateOptions{}
	}
	return plugin.(admission.MutationInterface).Admit(context.Background(), admission.NewAttributesRecord(object, nil, core.Kind("X").WithVersion("v"),
		"default", "x", core.Resource(resource).WithVersion("v"), "", operation, options, false, nil), nil)
}

func corePod(tolerations []toleration.Toleration) *core.Pod {
	return &core.Pod{Spec: core.PodSpec{Tolerations: coreTolerations(tolerations)}}
}

// compareAdmitted compares tolerations with those of a pod.
func compareAdmitted(t rapid.TB, what any, got []toleration.Toleration, pod *core.Pod) {
	if want := pod.Spec.Tolerations; !slices.EqualFunc(coreTolerations(got), want, sameCoreToleration) {
		t.Fatalf("%v: got %q, want %v", what, got, want)
	}
}

// admissionTolerations draws lists with the keys that admission looks for.
var admissionTolerations = rapid.SliceOfN(rapid.OneOf(anyToleration, rapid.Custom(func(t *rapid.T) toleration.Toleration {
	u := fewToleration.Draw(t, "toleration")
	u.Key = rapid.SampledFrom([]string{"", taint.KeyNotReady, taint.KeyUnreachable, taint.KeyMemoryPressure, taint.KeyNetworkUnavailable, "example.com/gpu"}).Draw(t, "key")
	if rapid.Bool().Draw(t, "exists") {
		u.Operator, u.Value = toleration.OpExists, ""
	}
	return u
})), 0, 6)

// TestA1DefaultSeconds holds DefaultSeconds against the admission plugin, with
// the seconds of its flags.
func TestA1DefaultSeconds(t *testing.T) {
	for _, d := range []admit.DefaultSeconds{
		{}, // as the flags are before any is set
		{NotReady: new(int64(0)), Unreachable: new(int64(-5))},
		{NotReady: new(int64(1 << 62)), Unreachable: new(int64(7))},
		{NotReady: new(int64(300)), Unreachable: new(int64(300))}, // the last remains
	} {
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		defaulttolerationseconds.RegisterFlags(flags)
		for name, seconds := range map[string]*int64{"default-not-ready-toleration-seconds": d.NotReady, "default-unreachable-toleration-seconds": d.Unreachable} {
			if seconds == nil {
				continue
			}
			if err := flags.Set(name, fmt.Sprint(*seconds)); err != nil {
				t.Fatal(err)
			}
		}
		plugin := defaulttolerationseconds.NewDefaultTolerationSeconds()
		plugin.InspectFeatureGates(utilfeature.DefaultFeatureGate)
		rapid.Check(t, func(t *rapid.T) {
			list := admissionTolerations.Draw(t, "tolerations")
			pod := corePod(list)
			if err := admitted(plugin, pod, "pods", rapid.Bool().Draw(t, "update")); err != nil {
				t.Fatal(err)
			}
			compareAdmitted(t, list, d.Append(nil, list), pod)
		})
	}
}

// TestA1Default holds the zero DefaultSeconds against the defaults of the flags.
func TestA1Default(t *testing.T) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	defaulttolerationseconds.RegisterFlags(flags)
	added := admit.DefaultSeconds{}.Append(nil, nil)
	for i, name := range []string{"default-not-ready-toleration-seconds", "default-unreachable-toleration-seconds"} {
		if got, want := fmt.Sprint(*added[i].TolerationSeconds), flags.Lookup(name).DefValue; got != want {
			t.Errorf("%s is added, --%s=%s", added[i], name, want)
		}
	}
}

// TestA2DaemonSet holds DaemonSet against the DaemonSet controller, which adds
// or updates one after the other (rule A6).
func TestA2DaemonSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, hostNetwork := admissionTolerations.Draw(t, "tolerations"), rapid.Bool().Draw(t, "host network")
		spec := v1.PodSpec{Tolerations: kube.AppendV1Tolerations(nil, list), HostNetwork: hostNetwork}
		daemonutil.AddOrUpdateDaemonPodTolerations(&spec)
		got, want := admit.DaemonSet{HostNetwork: hostNetwork}.Append(nil, list), kube.AppendTolerations(nil, spec.Tolerations)
		if !toleration.Equal(got, want) {
			t.Fatalf("%q: got %q, want %q", list, got, want)
		}
	})
}

// quantities draws texts of quantities, most of them valid.
var quantities = rapid.OneOf(
	rapid.SampledFrom([]string{"0", "0m", "1", "1000m", "1e0", "100m", "0.1", "1Gi", "1024Mi", "1073741824", "-1", "+1", "1E", "1e18", "0.0000000001", "1n",
		"9223372036854775807Ki", "9Ei", "8Ei", "", ".", "-", "Ki", "1.5Gi", "1e", "1K", "1 ", "x", "1e-9", "1E3", "1e+3", "0.5m", "500u", "00.10", "1e999", "1ki"}),
	rapid.StringMatching(`[-+]?[0-9]{0,4}(\.[0-9]{0,11})?(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][-+]?[0-9]{1,2})?`),
	rapid.StringMatching(`[-+]?[0-9]{15,25}(\.[0-9]{0,3})?(|k|E|Ki|Ei)`),
)

var podResources = rapid.Custom(func(t *rapid.T) admit.PodResources {
	list := rapid.MapOfN(rapid.SampledFrom([]string{"cpu", "cpu", "memory", "example.com/gpu", "hugepages-2Mi", "ephemeral-storage", "requests.example.com/x", "kubernetes.io/x"}),
		rapid.Map(quantities, func(q string) admit.Quantity { return admit.Quantity(q) }), 0, 3)
	one := rapid.Custom(func(t *rapid.T) admit.Resources {
		r := admit.Resources{Requests: list.Draw(t, "requests"), Limits: list.Draw(t, "limits")}
		if rapid.Bool().Draw(t, "equal") {
			r.Limits = r.Requests
		}
		return r
	})
	p := admit.PodResources{InitContainers: rapid.SliceOfN(one, 0, 2).Draw(t, "init containers"), Containers: rapid.SliceOfN(one, 0, 2).Draw(t, "containers")}
	if rapid.IntRange(0, 3).Draw(t, "pod") == 0 {
		whole := one.Draw(t, "whole")
		p.Pod = &whole
	}
	return p
})

// withResources returns a pod with the resources; those whose quantities
// upstream does not read are false.
func withResources(p admit.PodResources) (pod *core.Pod, valid bool) {
	valid = true
	convert := func(r admit.Resources) (to core.ResourceRequirements) {
		for _, lists := range []struct {
			from map[string]admit.Quantity
			to   *core.ResourceList
		}{{r.Requests, &to.Requests}, {r.Limits, &to.Limits}} {
			*lists.to = core.ResourceList{}
			for name, text := range lists.from {
				q, err := resource.ParseQuantity(string(text))
				valid = valid && (err == nil || name != "cpu" && name != "memory")
				(*lists.to)[core.ResourceName(name)] = q
			}
		}
		return to
	}
	pod = &core.Pod{}
	for _, r := range p.InitContainers {
		pod.Spec.InitContainers = append(pod.Spec.InitContainers, core.Container{Resources: convert(r)})
	}
	for _, r := range p.Containers {
		pod.Spec.Containers = append(pod.Spec.Containers, core.Container{Resources: convert(r)})
	}
	if p.Pod != nil {
		whole := convert(*p.Pod)
		pod.Spec.Resources = &whole
	}
	return pod, valid
}

// TestA3QOS holds QOS against ComputePodQOS. What upstream cannot read is an
// error, unless the resources of the pod as a whole decide.
func TestA3QOS(t *testing.T) {
	classes := map[admit.QOSClass]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := podResources.Draw(t, "resources")
		pod, valid := withResources(p)
		got, err := p.QOS()
		if err != nil && valid && !slices.ContainsFunc(texts(p), refused) {
			t.Fatalf("QOS(%+v): %v", p, err)
		}
		if want := coreqos.ComputePodQOS(pod); err == nil && valid && string(got) != string(want) {
			t.Fatalf("QOS(%+v) = %s, want %s", p, got, want)
		}
		classes[got]++
	})
	t.Logf("classes: %v", classes)
}

// texts returns all quantities of p.
func texts(p admit.PodResources) (all []string) {
	for _, r := range append(slices.Concat(p.InitContainers, p.Containers), *cmp.Or(p.Pod, new(admit.Resources))) {
		for _, list := range []map[string]admit.Quantity{r.Requests, r.Limits} {
			for _, q := range list {
				all = append(all, string(q))
			}
		}
	}
	return all
}

// FuzzQuantity compares the amounts of two quantities as the class of a pod
// shows them (rule A3).
func FuzzQuantity(f *testing.F) {
	f.Add("100m", "0.1")                              // the same
	f.Add("1Gi", "1073741824")                        // a power of two
	f.Add("0.0000000001", "1n")                       // rounded up
	f.Add("9223372036854775807Ki", "9Ei")             // cut
	f.Add("9223372036854775808", "9223372036854776k") // not cut
	f.Add("1e3", "1E3")
	f.Add(".", "+")
	target.Fuzz(f, func(t *testing.T, request, limit string) {
		compareQuantities(t, request[:min(len(request), 100)], limit[:min(len(limit), 100)])
	})
}

func TestA3Quantity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		compareQuantities(t, quantities.Draw(t, "request"), quantities.Draw(t, "limit"))
	})
}

func compareQuantities(t rapid.TB, request, limit string) {
	x, errX := resource.ParseQuantity(request)
	y, errY := resource.ParseQuantity(limit)
	if milli, err := admit.Quantity(request).MilliValue(); err == nil && errX == nil && !beyondMilli(x) && milli != x.MilliValue() {
		t.Fatalf("%q: %d thousandths, want %d", request, milli, x.MilliValue())
	}
	memory := admit.Resources{Requests: map[string]admit.Quantity{"cpu": "1", "memory": admit.Quantity(request)},
		Limits: map[string]admit.Quantity{"cpu": "1", "memory": admit.Quantity(limit)}}
	got, err := (&admit.PodResources{Containers: []admit.Resources{memory}}).QOS()
	if err != nil {
		if errX == nil && errY == nil && !refused(request) && !refused(limit) {
			t.Fatalf("%q, %q: %v", request, limit, err)
		}
		return
	}
	if errX != nil || errY != nil {
		t.Fatalf("%q, %q: %s, but upstream: %v, %v", request, limit, got, errX, errY)
	}
	if want := x.Equal(y) && !x.IsZero(); (got == admit.Guaranteed) != want {
		t.Fatalf("%q, %q: %s, equal and not zero: %t", request, limit, got, want)
	}
}

// beyondMilli reports whether x is negative, so that upstream may round it to a positive
// number, or its thousandths may not fit in 64 bits.
func beyondMilli(x resource.Quantity) bool {
	return x.Sign() < 0 || x.Cmp(resource.MustParse("9P")) > 0
}

// refused reports whether text is one of those that upstream reads and this
// module does not: without a digit, or with a long exponent.
func refused(text string) bool {
	tail := text[strings.LastIndexAny(text, "eE+-")+1:]
	return !strings.ContainsAny(text, "0123456789") || len(tail) > 3 && strings.ContainsAny(text, "eE") || strings.IndexAny(text, "0123456789") > strings.IndexAny(text+"e", "eE")
}

// TestA4IsExtendedResource asks about every name made of parts.
func TestA4IsExtendedResource(t *testing.T) {
	parts := []string{"", "a", "example.com", "requests.", "kubernetes.io", "/", "gpu", "A", "-", "x.kubernetes.io/", "requests.a/", long63, long63 + "."}
	names := listsUpTo(4, parts)
	compare := func(t rapid.TB, name string) bool {
		got, want := admit.IsExtendedResource(name), helper.IsExtendedResourceName(core.ResourceName(name))
		if got != want {
			t.Fatalf("IsExtendedResource(%q) = %t, want %t", name, got, want)
		}
		return got
	}
	extended := 0
	for _, list := range names {
		name := ""
		for _, part := range list {
			name += part
		}
		if compare(t, name) {
			extended++
		}
	}
	t.Logf("%d names compared, %d extended", len(names), extended)
	rapid.Check(t, func(t *rapid.T) {
		compare(t, rapid.OneOf(anyKey, rapid.StringMatching(`(requests\.)?[a-z.]{0,240}/[A-Za-z._-]{0,70}`)).Draw(t, "name"))
	})
}

// pluginNamed returns a plugin whose constructor is private.
func pluginNamed(t *testing.T, register func(*admission.Plugins), name string) admission.Interface {
	plugins := admission.NewPlugins()
	register(plugins)
	plugin, err := plugins.InitPlugin(name, io.Reader(nil), noInitializer{})
	if err != nil {
		t.Fatal(err)
	}
	return plugin
}

type noInitializer struct{}

func (noInitializer) Initialize(admission.Interface) {}

// TestA4ExtendedResources holds ExtendedResources against the admission plugin,
// with few names and with many.
func TestA4ExtendedResources(t *testing.T) {
	plugin := pluginNamed(t, extendedresourcetoleration.Register, extendedresourcetoleration.PluginName)
	rapid.Check(t, func(t *rapid.T) {
		list, p := admissionTolerations.Draw(t, "tolerations"), podResources.Draw(t, "resources")
		if rapid.Bool().Draw(t, "many") {
			many := admit.Resources{Requests: map[string]admit.Quantity{}}
			for _, letter := range "zabcdefghijkl" {
				many.Requests["example.com/"+string(letter)] = "1"
			}
			p.Containers = append(p.Containers, many)
			list = append(list, toleration.Toleration{Key: "example.com/b", Operator: toleration.OpExists, Effect: taint.NoSchedule, TolerationSeconds: seconds(5)})
		}
		pod, _ := withResources(p)
		pod.Spec.Tolerations = coreTolerations(list)
		if err := admitted(plugin, pod, "pods", rapid.Bool().Draw(t, "update")); err != nil {
			t.Fatal(err)
		}
		compareAdmitted(t, p, admit.ExtendedResources{Names: p.Extended()}.Append(nil, list), pod)
	})
}

// TestA5Restriction holds Restriction against the admission plugin: namespaces
// with and without annotations, creation and update, every class.
func TestA5Restriction(t *testing.T) {
	refused, compared := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r, annotations := drawRestriction(t)
		list := admissionTolerations.Draw(t, "tolerations")
		r.Update = rapid.Bool().Draw(t, "update")
		r.Class = rapid.SampledFrom([]admit.QOSClass{admit.BestEffort, admit.Burstable, admit.Guaranteed}).Draw(t, "class")
		namespace := &v1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default", Annotations: annotations}}
		plugin := podtolerationrestriction.NewPodTolerationsPlugin(&restriction.Configuration{
			Default: slices.Clip(coreTolerations(r.ClusterDefaults)), Whitelist: coreTolerations(r.ClusterWhitelist)})
		client := fake.NewClientset(namespace)
		plugin.SetExternalKubeClientSet(client)
		plugin.SetExternalKubeInformerFactory(informers.NewSharedInformerFactory(client, 0))
		plugin.SetReadyFunc(func() bool { return true })
		pod := corePod(list)
		pod.Spec.Tolerations = slices.Clip(pod.Spec.Tolerations)
		pod.Status.QOSClass = core.PodQOSClass(r.Class)
		wantErr := admitted(plugin, pod, "pods", r.Update)
		got := r.Append(nil, list)
		compareAdmitted(t, list, got, pod)
		if err := r.Check(got); (err == nil) != (wantErr == nil) {
			t.Fatalf("Check(%q) with %+v: %v, want %v", got, r, err, wantErr)
		}
		if compared++; wantErr != nil {
			refused++
		}
	})
	t.Logf("%d pods compared, %d refused", compared, refused)
}

// drawRestriction draws settings, and the annotations that hold the namespace's.
func drawRestriction(t *rapid.T) (r admit.Restriction, annotations map[string]string) {
	annotations = map[string]string{"other": "x"}
	namespace := func(key string) []toleration.Toleration {
		if rapid.Bool().Draw(t, "no annotation") {
			return nil
		}
		text := rapid.SampledFrom([]string{"", "[]", "null", `[{"operator":"Exists"}]`, `[{"key":"a","operator":"Exists"},{"operator":"Exists","effect":"NoSchedule"}]`,
			`[{"key":"node.kubernetes.io/memory-pressure","operator":"Exists"}]`, `[{"Key":"a","operator":"Equal","value":"5","effect":"NoExecute","tolerationSeconds":300}]`}).Draw(t, "annotation")
		annotations[key] = text
		list, err := admit.ParseAnnotation(text)
		if err != nil || list == nil {
			t.Fatalf("ParseAnnotation(%q) = %v, %v", text, list, err)
		}
		return list
	}
	r.Defaults, r.Whitelist = namespace(admit.AnnotationDefaults), namespace(admit.AnnotationWhitelist)
	cluster := rapid.OneOf(rapid.Just[[]toleration.Toleration](nil), admissionTolerations)
	r.ClusterDefaults, r.ClusterWhitelist = cluster.Draw(t, "cluster defaults"), cluster.Draw(t, "cluster whitelist")
	return r, annotations
}

// TestA7NotReady holds NewNode against the admission plugin
// TaintNodesByCondition. The kubelet before it is run in controlplane/registration.
func TestA7NotReady(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := append(taintLists.Draw(t, "taints"), taint.Taint{Key: taint.KeyNotReady, Value: "x", Effect: taint.NoSchedule})
		if rapid.Bool().Draw(t, "without") {
			list = list[:len(list)-1]
		}
		node := &core.Node{Spec: core.NodeSpec{Taints: coreTaints(list)}}
		if err := admitted(nodetaint.NewPlugin(), node, "nodes", false); err != nil {
			t.Fatal(err)
		}
		if got := coreTaints(admit.NewNode{}.Append(nil, list)); !slices.Equal(got, node.Spec.Taints) {
			t.Fatalf("%q: got %v, want %v", list, got, node.Spec.Taints)
		}
	})
}
