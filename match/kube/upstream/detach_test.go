package upstream

import (
	"context"
	"fmt"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	world "k8s.io/kubernetes/pkg/controller/volume/attachdetach/cache"
	"k8s.io/kubernetes/pkg/controller/volume/attachdetach/reconciler"
	"k8s.io/kubernetes/pkg/controller/volume/attachdetach/statusupdater"
	"k8s.io/kubernetes/pkg/volume/util/operationexecutor"
	volumetypes "k8s.io/kubernetes/pkg/volume/util/types"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
)

// unwanted is a world in which volumes are attached that no pod needs any more.
type unwanted struct {
	world.DesiredStateOfWorld
	world.ActualStateOfWorld
	attached []world.AttachedVolume
}

func (unwanted) VolumeExists(v1.UniqueVolumeName, types.NodeName) bool { return false }
func (unwanted) GetVolumesToAttach() []world.VolumeToAttach            { return nil }
func (u unwanted) GetAttachedVolumes() []world.AttachedVolume          { return u.attached }
func (unwanted) RemoveVolumeFromReportAsAttached(v1.UniqueVolumeName, types.NodeName) error {
	return nil
}

func (unwanted) GetAttachState(v1.UniqueVolumeName, types.NodeName) world.AttachState {
	return world.AttachStateAttached
}

func (unwanted) SetDetachRequestTime(klog.Logger, v1.UniqueVolumeName, types.NodeName) (time.Duration, error) {
	return time.Second, nil
}

// detached notes which volumes are detached, and whether that is checked before.
type detached struct {
	operationexecutor.OperationExecutor
	verified map[string]bool // by node
	done     chan<- struct{} // one item for each round
	last     types.NodeName
}

func (d *detached) IsOperationSafeToRetry(v1.UniqueVolumeName, volumetypes.UniquePodName, types.NodeName, string) bool {
	return true
}

func (d *detached) DetachVolume(_ klog.Logger, volume operationexecutor.AttachedVolume, verify bool, _ operationexecutor.ActualStateOfWorldAttacherUpdater) error {
	d.verified[string(volume.NodeName)] = verify
	if volume.NodeName == d.last {
		d.done <- struct{}{}
	}
	return nil
}

// TestR3Detach has the reconciler of the attach-detach controller decide about volumes on
// nodes with each key, effect and readiness: one that is mounted is detached, and none is
// checked before, if and only if the node is out of service, ready or not.
func TestR3Detach(t *testing.T) {
	u := unwanted{}
	nodes := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	add := func(name string, mounted bool, ready v1.ConditionStatus, taints []taint.Taint) {
		node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1.NodeSpec{Taints: kube.AppendV1Taints(nil, taints)}}
		node.Status.Conditions = []v1.NodeCondition{{Type: v1.NodeReady, Status: ready}}
		must(t, nodes.Add(node))
		volume := world.AttachedVolume{MountedByNode: mounted}
		volume.VolumeName, volume.NodeName = v1.UniqueVolumeName("of-"+name), types.NodeName(name)
		u.attached = append(u.attached, volume)
	}
	type wish struct{ detached, verified bool }
	want := map[string]wish{}
	for _, ready := range []v1.ConditionStatus{v1.ConditionTrue, v1.ConditionFalse, v1.ConditionUnknown} {
		for _, x := range componentTaints() {
			for _, mounted := range []bool{false, true} {
				name, taints := fmt.Sprint("n", len(want)), []taint.Taint{{Key: "other", Effect: "NoSchedule"}, x}
				add(name, mounted, ready, taints)
				out := taint.KeyExists(taints, taint.KeyOutOfService)
				want[name] = wish{detached: !mounted || out, verified: !out}
			}
		}
	}
	add("last", false, v1.ConditionTrue, nil)
	want["last"] = wish{true, true}

	ctx, cancel := context.WithCancel(quietly())
	done := make(chan struct{})
	d := &detached{verified: map[string]bool{}, done: done, last: "last"}
	r := reconciler.NewReconciler(time.Millisecond, time.Hour, time.Hour, true, false, u, u, d, statusupdater.NewFakeNodeStatusUpdater(false),
		listers.NewNodeLister(nodes), record.NewFakeRecorder(1))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.Run(ctx)
	}()
	<-done
	cancel()
	select { // it may have begun another round
	case <-done:
		<-ended
	case <-ended:
	}
	kinds := map[wish]int{}
	for name, w := range want {
		verified, ok := d.verified[name]
		if ok != w.detached || ok && verified != w.verified {
			node, _, _ := nodes.GetByKey(name)
			t.Errorf("%v: detached %t, verified %t, want %+v", node, ok, verified, w)
		}
		kinds[w]++
	}
	if len(kinds) != 3 {
		t.Errorf("only these were wanted: %v", kinds)
	}
	t.Logf("%d volumes: %v", len(want), kinds)
}
