package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	_ "k8s.io/kubernetes/pkg/apis/core/install" // the kubelet decodes pods by it
	"k8s.io/kubernetes/pkg/kubelet/config"
	kubetypes "k8s.io/kubernetes/pkg/kubelet/types"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// TestA8StaticPod holds StaticPod against the pods that the kubelet makes of the
// manifests in a folder. It reads only valid ones.
func TestA8StaticPod(t *testing.T) {
	folder := t.TempDir()
	lists := make(map[string][]toleration.Toleration)
	for seed := 0; len(lists) < 200; seed++ {
		list := admissionTolerations.Example(seed)
		if (toleration.Rules{}).Validate(list) != nil {
			continue
		}
		name := fmt.Sprint("pod-", len(lists))
		lists[name+"-node"] = list // the kubelet adds the name of its node
		writeManifest(t, filepath.Join(folder, name+".json"), name, list)
	}
	pods := staticPods(t, folder)
	for _, pod := range pods {
		list, known := lists[pod.Name]
		got, want := admit.StaticPod{}.Append(nil, list), kube.AppendTolerations(nil, pod.Spec.Tolerations)
		if !known || !toleration.Equal(got, want) {
			t.Errorf("%s: %q become %q, want %q", pod.Name, list, got, want)
		}
	}
	if len(pods) != len(lists) {
		t.Errorf("%d of %d manifests were compared", len(pods), len(lists))
	}
}

func writeManifest(t *testing.T, file, name string, list []toleration.Toleration) {
	text, err := json.Marshal(&v1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: v1.PodSpec{
			Containers:  []v1.Container{{Name: "c", Image: "i"}},
			Tolerations: kube.AppendV1Tolerations(nil, list),
		},
	})
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// staticPods returns what the kubelet makes of the manifests in a folder.
func staticPods(t *testing.T, folder string) []*v1.Pod {
	ctx, logger := context.Background(), klog.Background()
	c := config.NewPodConfig(record.NewFakeRecorder(1000), unobserved{})
	config.NewSourceFile(logger, folder, "node", time.Hour, c.Channel(ctx, kubetypes.FileSource))
	select {
	case update := <-c.Updates():
		return update.Pods
	case <-time.After(time.Minute):
		t.Fatal("the kubelet sends no update")
		return nil
	}
}

// unobserved observes nothing.
type unobserved struct{}

func (unobserved) ObservedPodOnWatch(klog.Logger, *v1.Pod, time.Time) {}
