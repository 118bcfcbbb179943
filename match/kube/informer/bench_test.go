package informer

import (
	"fmt"
	"testing"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// BenchmarkFits collects the names of the nodes that a pod fits: in a loop over the
// lister, and from a snapshot. Listing is what the loop cannot do without, and collecting
// what neither can.
func BenchmarkFits(b *testing.B) {
	for _, name := range []string{"pools", "unique"} {
		for _, size := range []int{1_000, 5_000} {
			b.Run(fmt.Sprintf("%s/nodes=%d", name, size), func(b *testing.B) { benchFits(b, name, size) })
		}
	}
}

func benchFits(b *testing.B, name string, size int) {
	maker, _ := scenario.Find(name)
	c := maker(1, size, 20)
	store, ix := cache.NewIndexer(cache.MetaNamespaceKeyFunc, nil), index.New(toleration.Rules{})
	for _, n := range c.Nodes {
		node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name}, Spec: v1.NodeSpec{Taints: kube.AppendV1Taints(nil, n.Taints)}}
		if err := store.Add(node); err != nil {
			b.Fatal(err)
		}
		ix.Set(node.Name, n.Taints)
	}
	var lists [][]v1.Toleration
	for _, pod := range c.Pods {
		lists = append(lists, kube.AppendV1Tolerations(nil, pod.Tolerations))
	}
	lister := corelisters.NewNodeLister(store)
	var fits []string
	side := func(name string, do func(list []v1.Toleration)) ratio.Side {
		return ratio.Side{Name: name, Units: len(lists), Do: func() (found int) {
			for _, list := range lists {
				fits = fits[:0]
				do(list)
				found += len(fits)
			}
			return found
		}}
	}
	loop := func(list []v1.Toleration) {
		nodes, _ := lister.List(labels.Everything())
		for _, node := range nodes {
			if _, refused := kube.FirstUntolerated(node.Spec.Taints, list, taint.Hard); !refused {
				fits = append(fits, node.Name)
			}
		}
	}
	var tolerations []toleration.Toleration
	var fit index.Fit
	indexed := func(list []v1.Toleration) {
		tolerations = kube.AppendTolerations(tolerations[:0], list)
		snapshot := ix.Snapshot()
		snapshot.FitList(&fit, tolerations)
		for id := range fit.Nodes() {
			name, _ := snapshot.Name(id)
			fits = append(fits, name)
		}
	}
	list := func([]v1.Toleration) { _, _ = lister.List(labels.Everything()) }
	words := make([]uint64, 0, size)
	bits := func(list []v1.Toleration) {
		tolerations = kube.AppendTolerations(tolerations[:0], list)
		ix.Snapshot().FitList(&fit, tolerations)
		words = fit.AppendWords(words[:0])
	}
	r := ratio.Measure(b, "pod", side("loop", loop), side("snapshot", indexed), side("listing", list), side("bits", bits))
	r.Agree(b, "loop", "snapshot")
	r.Report(b, "loop", "snapshot")
	r.Report(b, "loop", "bits")
}
