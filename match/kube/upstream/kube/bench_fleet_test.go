package kube

import (
	"fmt"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	upstream "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/bench/work"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match/kube"
)

// The figures of package bench/figures that have a peer, against it. All sides
// answer for the same pods and nodes, which have memory of their own.
//
//	peer-sample   FindMatchingUntoleratedTaint of k8s.io/component-helpers for
//	              every pair, on v1 objects
//	match-sample  match.FirstUntolerated for every pair
//	index         the fleet index, from raw tolerations
//
// The first two are timed on a sample of the pods, over all nodes: what they
// would take for all pods is extrapolated. The index is timed on all pods, and
// its answers for the sample are compared with the others.

// BenchmarkP3 measures figure P3: one pod against all nodes. The chart of the
// README is drawn from it.
func BenchmarkP3(b *testing.B) {
	for _, name := range scenario.Names() {
		sizes := []int{5_000, 100_000}
		if name == "pools" {
			sizes = []int{100, 1_000, 5_000, 15_000, 100_000}
		}
		for _, nodes := range sizes {
			b.Run(fmt.Sprintf("%s/nodes=%d", name, nodes), func(b *testing.B) {
				f := newFleet(name, nodes, 1000)
				f.measure(b, ratio.Side{Name: "index", Units: len(f.Pods), Do: func() int {
					return work.ByIndex(f.snapshot, &f.fit, f.Pods)
				}})
			})
		}
	}
}

// BenchmarkP5 measures figure P5: a million pods from raw structs against 100,000
// nodes. "peer-extrapolated-h" is how many hours the peer would take for them.
func BenchmarkP5(b *testing.B) {
	f := newFleet("pools", 100_000, 1_000_000)
	r := f.measure(b, ratio.Side{Name: "index", Units: len(f.Pods), Do: func() int {
		return work.ByPodClass(f.snapshot, &f.fit, f.Pods)
	}})
	hours := r.Nanoseconds("peer-sample") * float64(len(f.Pods)) / float64(time.Hour)
	b.ReportMetric(hours, "peer-extrapolated-h")
}

// BenchmarkP6 measures figure P6: 100,000 nodes each with a taint of its own, and
// 100,000 pods that tolerate one each. The index gives the nodes, not only how
// many they are.
func BenchmarkP6(b *testing.B) {
	f := newFleet("unique", 100_000, 100_000)
	answers := make([]index.NodeID, 0, len(f.Pods))
	f.measure(b, ratio.Side{Name: "index", Units: len(f.Pods), Do: func() int {
		answers = answers[:0]
		for i := range f.Pods {
			f.snapshot.FitList(&f.fit, f.Pods[i].Tolerations)
			for id := range f.fit.Nodes() {
				answers = append(answers, id)
			}
		}
		return len(answers)
	}})
}

// fleet is a cluster as each engine takes it.
type fleet struct {
	*scenario.Cluster
	sample   []scenario.Pod
	v1Nodes  [][]v1.Taint
	v1Sample [][]v1.Toleration
	snapshot *index.Snapshot
	fit      index.Fit
}

func newFleet(name string, nodes, pods int) *fleet {
	maker, _ := scenario.Find(name)
	if testing.Short() { // enough to see that all sides run and agree
		nodes, pods = min(nodes, 5_000), min(pods, 5_000)
	}
	f := &fleet{Cluster: maker(1, nodes, pods)}
	f.Unshare()
	f.sample = work.SampleFor(nodes, f.Pods)
	if testing.Short() {
		f.sample = work.Sample(f.Pods, 3)
	}
	f.snapshot = work.Index(f.Nodes).Snapshot()
	for i := range f.Nodes {
		f.v1Nodes = append(f.v1Nodes, kube.AppendV1Taints(nil, ownTaints(f.Nodes[i].Taints)))
	}
	for i := range f.sample {
		f.v1Sample = append(f.v1Sample, kube.AppendV1Tolerations(nil, ownTolerations(f.sample[i].Tolerations)))
	}
	return f
}

// measure times a side that uses the index against the plain loops.
func (f *fleet) measure(b *testing.B, side ratio.Side) ratio.Result {
	if got, want := work.ByIndex(f.snapshot, &f.fit, f.sample), f.byPeer(); got != want {
		b.Fatalf("by the index %d pairs fit, by the peer %d", got, want)
	}
	r := ratio.Measure(b, "pod",
		ratio.Side{Name: "peer-sample", Units: len(f.sample), Do: f.byPeer},
		ratio.Side{Name: "match-sample", Units: len(f.sample), Do: func() int { return work.ByMatch(f.Nodes, f.sample) }},
		side)
	r.Agree(b, "peer-sample", "match-sample")
	r.Report(b, "peer-sample", "match-sample")
	r.Report(b, "peer-sample", side.Name)
	return r
}

func (f *fleet) byPeer() (fits int) {
	for _, pod := range f.v1Sample {
		for _, node := range f.v1Nodes {
			if _, refused := upstream.FindMatchingUntoleratedTaint(klog.Logger{}, node, pod, isHard, true); !refused {
				fits++
			}
		}
	}
	return fits
}
