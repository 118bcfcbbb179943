package registration

import (
	"context"
	"reflect"
	"testing"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/admission"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/klog/v2"
	core "k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/kubelet"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubelet/util"
	"k8s.io/kubernetes/plugin/pkg/admission/nodetaint"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// The two methods that register a node. They are called under their names in the
// binary because they are not exported, and what is exported needs a machine to manage.

//go:linkname initialNode k8s.io/kubernetes/pkg/kubelet.(*Kubelet).initialNode
func initialNode(*kubelet.Kubelet, context.Context) (*v1.Node, error)

//go:linkname tryRegister k8s.io/kubernetes/pkg/kubelet.(*Kubelet).tryRegisterWithAPIServer
func tryRegister(*kubelet.Kubelet, context.Context, *v1.Node) bool

const name = "n"

// newKubelet makes as much of a kubelet as registers.
func newKubelet(tb rapid.TB, client clientset.Interface, taints []v1.Taint, external bool) *kubelet.Kubelet {
	kl := new(kubelet.Kubelet)
	set(tb, kl, "nodeName", types.NodeName(name))
	set(tb, kl, "hostname", name)
	set(tb, kl, "registerWithTaints", taints)
	set(tb, kl, "externalCloudProvider", external)
	set(tb, kl, "kubeClient", client)
	set(tb, kl, "containerManager", cm.NewStubContainerManager())
	set(tb, kl, "nodeStartupLatencyTracker", util.NewNodeStartupLatencyTracker(klog.Logger{}))
	return kl
}

// set sets a field that is not exported.
func set[T any](tb rapid.TB, kl *kubelet.Kubelet, field string, value T) {
	tb.Helper()
	f := reflect.ValueOf(kl).Elem().FieldByName(field)
	if want := reflect.TypeFor[T](); !f.IsValid() || f.Type() != want && !want.AssignableTo(f.Type()) {
		tb.Fatalf("a kubelet has no field %s of type %v", field, want)
	}
	reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().Set(reflect.ValueOf(&value).Elem())
}

// register registers a node as a kubelet does, and returns the node that the API server
// has then.
func register(tb rapid.TB, client clientset.Interface, taints []v1.Taint, external bool) *v1.Node {
	tb.Helper()
	ctx := klog.NewContext(context.Background(), klog.Logger{})
	kl := newKubelet(tb, client, taints, external)
	node, err := initialNode(kl, ctx)
	if err != nil {
		tb.Fatal(err)
	}
	if !tryRegister(kl, ctx, node) {
		tb.Fatal("the node is not registered")
	}
	node, err = client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	return node
}

// admitted returns the taints of a node after TaintNodesByCondition has seen it created.
func admitted(tb rapid.TB, node *v1.Node) []v1.Taint {
	tb.Helper()
	var internal core.Node
	if err := corev1.Convert_v1_Node_To_core_Node(node, &internal, nil); err != nil {
		tb.Fatal(err)
	}
	attributes := admission.NewAttributesRecord(&internal, nil, core.Kind("Node").WithVersion("v"), "", name,
		core.Resource("nodes").WithVersion("v"), "", admission.Create, &metav1.CreateOptions{}, false, nil)
	if err := nodetaint.NewPlugin().Admit(context.Background(), attributes, nil); err != nil {
		tb.Fatal(err)
	}
	var out v1.Node
	if err := corev1.Convert_core_Node_To_v1_Node(&internal, &out, nil); err != nil {
		tb.Fatal(err)
	}
	return out.Spec.Taints
}

// TestA7Registration: a node that a kubelet registers has, once the API server has
// admitted it, the taints that NewNode says.
func TestA7Registration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, external := matchtest.Taints().Draw(t, "taints"), rapid.Bool().Draw(t, "external")
		for _, special := range []taint.Taint{
			{Key: taint.KeyNotReady, Value: "x", Effect: taint.NoSchedule},
			{Key: taint.KeyCloudProviderUninitialized, Value: "true", Effect: taint.NoSchedule},
		} {
			if rapid.Bool().Draw(t, special.Key) {
				list = append(list, special)
			}
		}
		node := register(t, fake.NewClientset(), kube.AppendV1Taints(nil, list), external)
		got := kube.AppendTaints(nil, admitted(t, node))
		if want := (admit.NewNode{ExternalCloudProvider: external}).Append(nil, list); !taint.Equal(got, want) {
			t.Fatalf("%q, external %t: the node has %q, want %q", list, external, got, want)
		}
	})
}

// TestA7RegistrationAgain: the taints of a node that exists stay as they are, whatever the
// flag of its kubelet says.
func TestA7RegistrationAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		has := matchtest.Taints().Draw(t, "taints of the node")
		client := fake.NewClientset(&v1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1.NodeSpec{Taints: kube.AppendV1Taints(nil, has)}})
		flag := kube.AppendV1Taints(nil, matchtest.Taints().Draw(t, "taints of the flag"))
		node := register(t, client, flag, rapid.Bool().Draw(t, "external"))
		if got := kube.AppendTaints(nil, node.Spec.Taints); !taint.Equal(got, has) {
			t.Fatalf("the node has %q, want %q", got, has)
		}
	})
}
