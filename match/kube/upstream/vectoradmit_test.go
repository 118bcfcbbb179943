package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/spf13/pflag"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/cloud-provider/controllers/nodelifecycle"
	fakecloud "k8s.io/cloud-provider/fake"
	"k8s.io/kubernetes/cmd/kubeadm/app/phases/markcontrolplane"
	podupdate "k8s.io/kubernetes/pkg/api/pod"
	podtest "k8s.io/kubernetes/pkg/api/pod/testing"
	core "k8s.io/kubernetes/pkg/apis/core"
	coreqos "k8s.io/kubernetes/pkg/apis/core/helper/qos"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	v1helper "k8s.io/kubernetes/pkg/apis/core/v1/helper"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/auth/nodeidentifier"
	daemonutil "k8s.io/kubernetes/pkg/controller/daemon/util"
	"k8s.io/kubernetes/pkg/controller/podgc"
	kubeleteviction "k8s.io/kubernetes/pkg/kubelet/eviction"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/kubernetes/pkg/proxy/healthcheck"
	upstreamflag "k8s.io/kubernetes/pkg/util/flag"
	"k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds"
	"k8s.io/kubernetes/plugin/pkg/admission/extendedresourcetoleration"
	"k8s.io/kubernetes/plugin/pkg/admission/noderestriction"
	"k8s.io/kubernetes/plugin/pkg/admission/nodetaint"
	"k8s.io/kubernetes/plugin/pkg/admission/podtolerationrestriction"
	restriction "k8s.io/kubernetes/plugin/pkg/admission/podtolerationrestriction/apis/podtolerationrestriction"
	"k8s.io/kubernetes/plugin/pkg/admission/runtimeclass"
	"k8s.io/utils/clock"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/match/matchtest/vectors"
	"github.com/tolero-dev/tolero/taint"
)

func init() {
	type ask = func(*testing.T, *vectorInput, *vectors.Case) any
	for name, f := range map[string]ask{
		"defaultTolerationSeconds": defaultSecondsVector,
		"daemonSetTolerations": func(_ *testing.T, in *vectorInput, _ *vectors.Case) any {
			daemonutil.AddOrUpdateDaemonPodTolerations(&in.Pod.Spec)
			return in.Pod.Spec.Tolerations
		},
		"qosClass": func(t *testing.T, in *vectorInput, _ *vectors.Case) any {
			return coreqos.ComputePodQOS(corePodOf(t, &in.Pod))
		},
		"extendedResources": func(t *testing.T, in *vectorInput, _ *vectors.Case) any {
			pod := corePodOf(t, &in.Pod)
			must(t, admitted(pluginNamed(t, extendedresourcetoleration.Register, extendedresourcetoleration.PluginName), pod, "pods", false))
			return v1Tolerations(t, pod)
		},
		"podTolerationRestriction": restrictionVector,
		"covers": func(_ *testing.T, in *vectorInput, _ *vectors.Case) any {
			list := kube.AppendTolerations(nil, in.Tolerations)
			return upstreamIsSuperset(&list[0], &list[1])
		},
		"addToleration": func(_ *testing.T, in *vectorInput, _ *vectors.Case) any {
			v1helper.AddOrUpdateTolerationInPodSpec(&in.Pod.Spec, &in.Toleration)
			return in.Pod.Spec.Tolerations
		},
		"newNode": func(t *testing.T, in *vectorInput, _ *vectors.Case) any {
			node := &core.Node{Spec: core.NodeSpec{Taints: coreTaints(in.taints())}}
			must(t, admitted(nodetaint.NewPlugin(), node, "nodes", false))
			out := new(v1.Node)
			must(t, corev1.Convert_core_Node_To_v1_Node(node, out, nil))
			return out.Spec.Taints
		},
		"registerWithTaints": func(_ *testing.T, in *vectorInput, _ *vectors.Case) any {
			var list []v1.Taint
			flag := upstreamflag.RegisterWithTaintsVar{Value: &list}
			return taintsOr(list, flag.Set(in.Flags.Register), &list)
		},
		"staticPod": staticPodVector,
		"pressure":  pressureVector, "outOfService": outOfServiceVector, "cloudShutdown": cloudShutdownVector, "kubeletUpdate": kubeletUpdateVector, "runtimeClass": runtimeClassVector,
		"proxyHealthy": func(_ *testing.T, in *vectorInput, _ *vectors.Case) any {
			return healthcheck.NewProxyHealthServer("", time.Second, proxyNode{&in.Node}).NodeEligible()
		},
		"controlPlane": func(t *testing.T, in *vectorInput, _ *vectors.Case) any {
			in.Node.Name, in.Node.Labels = nodeName, map[string]string{v1.LabelHostname: nodeName}
			client := fake.NewClientset(&in.Node)
			must(t, markcontrolplane.MarkControlPlane(client, nodeName, []v1.Taint{{Key: taint.KeyControlPlane, Effect: v1.TaintEffectNoSchedule}}))
			return nodeOf(t, client).Spec.Taints
		},
		"kubectlTaint": func(t *testing.T, in *vectorInput, _ *vectors.Case) any {
			list, err := newCluster(t).taint(in.taints(), in.Overwrite, in.Args...)
			v1List := kube.AppendV1Taints(nil, list)
			return taintsOr(v1List, err, &v1List)
		},
		"validateNode": func(t *testing.T, in *vectorInput, _ *vectors.Case) any {
			return faultList(validation.ValidateNode(&core.Node{Spec: core.NodeSpec{Taints: coreTaints(in.taints())}}), "metadata.taints", "taints")
		},
		"validatePod": func(t *testing.T, in *vectorInput, _ *vectors.Case) any {
			options := validation.PodValidationOptions{AllowTaintTolerationComparisonOperators: in.gate()}
			return faultList(validation.ValidateTolerations(coreTolerations(in.tolerations()), field.NewPath("tolerations"), options), "tolerations", "tolerations")
		},
		"validatePodUpdate": func(t *testing.T, in *vectorInput, _ *vectors.Case) any {
			old, updated := coreTolerations(kube.AppendTolerations(nil, in.OldPod.Spec.Tolerations)), coreTolerations(in.tolerations())
			oldPod := podtest.MakePod("p", podtest.SetResourceVersion("1"), podtest.SetTolerations(old...))
			newPod := podtest.MakePod("p", podtest.SetResourceVersion("1"), podtest.SetTolerations(updated...))
			options := podupdate.GetValidationOptionsFromPodSpecAndMeta(&newPod.Spec, &oldPod.Spec, &newPod.ObjectMeta, &oldPod.ObjectMeta)
			return faultList(validation.ValidatePodUpdate(newPod, oldPod, options), "spec.tolerations", "tolerations")
		},
	} {
		vectorKinds[name] = f
	}
}

func mustDecode(t *testing.T, text []byte, into any) {
	t.Helper()
	must(t, json.NewDecoder(bytes.NewReader(text)).Decode(into))
}

func corePodOf(t *testing.T, pod *v1.Pod) *core.Pod {
	out := new(core.Pod)
	must(t, corev1.Convert_v1_Pod_To_core_Pod(pod.DeepCopy(), out, nil))
	return out
}

// v1Tolerations returns the tolerations of a pod as JSON has them.
func v1Tolerations(t *testing.T, pod *core.Pod) []v1.Toleration {
	out := new(v1.Pod)
	must(t, corev1.Convert_core_Pod_To_v1_Pod(pod, out, nil))
	return append([]v1.Toleration{}, out.Spec.Tolerations...)
}

// taintsOr is the list of taints, or that there is none because of an error.
func taintsOr(_ []v1.Taint, err error, list *[]v1.Taint) any {
	switch {
	case err != nil:
		return object{"refused": true}
	case len(*list) == 0:
		return object{}
	}
	return object{"taints": *list}
}

func defaultSecondsVector(t *testing.T, in *vectorInput, _ *vectors.Case) any {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	defaulttolerationseconds.RegisterFlags(flags)
	for name, seconds := range map[string]*int64{"default-not-ready-toleration-seconds": in.Flags.NotReady, "default-unreachable-toleration-seconds": in.Flags.Unreachable} {
		if seconds == nil { // the flags are global: what another vector set remains
			seconds = new(int64(300))
		}
		must(t, flags.Set(name, fmt.Sprint(*seconds)))
	}
	plugin := defaulttolerationseconds.NewDefaultTolerationSeconds()
	plugin.InspectFeatureGates(utilfeature.DefaultFeatureGate)
	pod := corePodOf(t, &in.Pod)
	must(t, admitted(plugin, pod, "pods", false))
	return v1Tolerations(t, pod)
}

func restrictionVector(t *testing.T, in *vectorInput, _ *vectors.Case) any {
	in.Namespace.Name = "default"
	plugin := podtolerationrestriction.NewPodTolerationsPlugin(&restriction.Configuration{})
	client := fake.NewClientset(&in.Namespace)
	plugin.SetExternalKubeClientSet(client)
	plugin.SetExternalKubeInformerFactory(informers.NewSharedInformerFactory(client, 0))
	plugin.SetReadyFunc(func() bool { return true })
	pod := corePodOf(t, &in.Pod)
	pod.Spec.Tolerations = slices.Clip(pod.Spec.Tolerations)
	if err := admitted(plugin, pod, "pods", in.Operation == "UPDATE"); err != nil {
		return object{"allowed": false, "tolerations": nil}
	}
	return object{"allowed": true, "tolerations": v1Tolerations(t, pod)}
}

// staticPodVector has the kubelet read the pod from a folder.
func staticPodVector(t *testing.T, in *vectorInput, _ *vectors.Case) any {
	folder, err := os.MkdirTemp(t.TempDir(), "")
	must(t, err)
	writeManifest(t, filepath.Join(folder, "pod.json"), "pod", in.tolerations())
	pods := staticPods(t, folder)
	if len(pods) != 1 {
		return "the kubelet reads no pod"
	}
	return pods[0].Spec.Tolerations
}

func pressureVector(t *testing.T, in *vectorInput, _ *vectors.Case) any {
	_, handler := kubeleteviction.NewManager(nil, kubeleteviction.Config{}, nil, nil, nil, nil, nil, clock.RealClock{}, false)
	conditions := reflect.ValueOf(handler).Elem().FieldByName("nodeConditions")
	*reflect.NewAt(conditions.Type(), unsafe.Pointer(conditions.UnsafeAddr())).Interface().(*[]v1.NodeConditionType) = in.Observed
	return handler.Admit(quietly(), &lifecycle.PodAdmitAttributes{Pod: &in.Pod}).Admit
}

// outOfServiceVector has the garbage collector look at a pod that is being deleted.
func outOfServiceVector(t *testing.T, in *vectorInput, _ *vectors.Case) any {
	in.Node.Name = nodeName
	pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "p", DeletionTimestamp: &metav1.Time{Time: time.Unix(1, 0)}}, Spec: v1.PodSpec{NodeName: nodeName}}
	client := fake.NewClientset()
	must(t, client.Tracker().Add(&in.Node))
	must(t, client.Tracker().Add(pod))
	ctx, cancel := context.WithCancel(quietly())
	factory := informers.NewSharedInformerFactory(client, 0)
	gc := podgc.NewPodGCInternal(ctx, client, factory.Core().V1().Pods(), factory.Core().V1().Nodes(), -1, 10*time.Millisecond, time.Hour)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	go gc.Run(ctx)
	deleted := false
	for range 30 {
		time.Sleep(10 * time.Millisecond)
		list, err := client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
		must(t, err)
		deleted = deleted || len(list.Items) == 0
	}
	cancel()
	return deleted
}

func cloudShutdownVector(t *testing.T, in *vectorInput, _ *vectors.Case) any {
	in.Node.Name = nodeName
	client := fake.NewClientset(&in.Node)
	ctx, cancel := context.WithCancel(quietly())
	factory := informers.NewSharedInformerFactory(client, 0)
	cloud := &fakecloud.Cloud{NodeShutdown: in.ShutDown, ExistsByProviderID: true, EnableInstancesV2: true}
	controller, err := nodelifecycle.NewCloudNodeLifecycleController(factory.Core().V1().Nodes(), client, cloud, time.Hour, 1)
	must(t, err)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	controller.MonitorNodes(ctx)
	cancel()
	factory.Shutdown()
	return append([]v1.Taint{}, nodeOf(t, client).Spec.Taints...)
}

func nodeOf(t *testing.T, client *fake.Clientset) *v1.Node {
	node, err := client.CoreV1().Nodes().Get(context.Background(), nodeName, metav1.GetOptions{})
	must(t, err)
	return node
}

func kubeletUpdateVector(t *testing.T, in *vectorInput, _ *vectors.Case) any {
	plugin := noderestriction.NewPlugin(nodeidentifier.NewDefaultNodeIdentifier())
	plugin.InspectFeatureGates(utilfeature.DefaultFeatureGate)
	plugin.SetExternalKubeInformerFactory(informers.NewSharedInformerFactory(fake.NewClientset(), 0))
	kubelet := &user.DefaultInfo{Name: "system:node:" + nodeName, Groups: []string{"system:nodes"}}
	kind, resource := schema.GroupVersionKind{Version: "v1", Kind: "Node"}, schema.GroupVersionResource{Version: "v1", Resource: "nodes"}
	of := func(node *v1.Node) *core.Node {
		return &core.Node{ObjectMeta: metav1.ObjectMeta{Name: nodeName}, Spec: core.NodeSpec{Taints: timedTaints(kube.AppendTaints(nil, node.Spec.Taints))}}
	}
	return plugin.Admit(context.Background(), admission.NewAttributesRecord(of(&in.Node), of(&in.OldNode), kind, "", nodeName, resource, "", admission.Update, &metav1.UpdateOptions{}, false, kubelet), nil) == nil
}

func runtimeClassVector(t *testing.T, in *vectorInput, _ *vectors.Case) any {
	in.RuntimeClass.Name, in.RuntimeClass.Handler = "class", "h"
	client := fake.NewClientset(&in.RuntimeClass)
	factory := informers.NewSharedInformerFactory(client, 0)
	must(t, factory.Node().V1().RuntimeClasses().Informer().GetStore().Add(&in.RuntimeClass))
	plugin := runtimeclass.NewRuntimeClass()
	plugin.SetExternalKubeClientSet(client)
	plugin.SetExternalKubeInformerFactory(factory)
	pod := &core.Pod{Spec: core.PodSpec{RuntimeClassName: &in.RuntimeClass.Name, Tolerations: coreTolerations(in.tolerations())}}
	attributes := admission.NewAttributesRecord(pod, nil, core.Kind("Pod").WithVersion("v1"), "default", "p", core.Resource("pods").WithVersion("v1"), "", admission.Create, &metav1.CreateOptions{}, false, nil)
	ctx, cancel := context.WithCancel(context.Background())
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	must(t, plugin.Admit(ctx, attributes, nil))
	cancel()
	factory.Shutdown()
	return v1Tolerations(t, pod)
}

// faultList is the faults below a path, each once and sorted, under another path.
func faultList(errs field.ErrorList, prefix, name string) any {
	seen, list := map[string]bool{}, []object{}
	for _, err := range errs {
		rest, ok := strings.CutPrefix(err.Field, prefix)
		if key := rest + " " + string(err.Type); ok && !seen[key] {
			seen[key] = true
			list = append(list, object{"field": name + rest, "problem": string(err.Type)})
		}
	}
	slices.SortFunc(list, func(a, b object) int {
		return strings.Compare(fmt.Sprint(a["field"], " ", a["problem"]), fmt.Sprint(b["field"], " ", b["problem"]))
	})
	return list
}
