package scheduler

import (
	"context"
	"fmt"
	"testing"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/tolero-dev/tolero/bench/ratio"
)

// BenchmarkStatus gives 5,000 nodes a status each, from pages and one by one.
func BenchmarkStatus(b *testing.B) {
	const nodes = 5_000
	var r refusal
	r.init(reasonTaints)
	statuses := make([]*fwk.Status, nodes)
	side := func(name string, status func() *fwk.Status) ratio.Side {
		return ratio.Side{Name: name, Units: nodes, Do: func() int {
			for i := range statuses {
				statuses[i] = status()
			}
			return len(statuses)
		}}
	}
	ratio.Measure(b, "status",
		side("single", func() *fwk.Status { return fwk.NewStatus(fwk.UnschedulableAndUnresolvable, reasonTaints) }),
		side("page", r.status)).Report(b, "single", "page")
}

// BenchmarkPrepare asks about a new pod with five tolerations and so many nodes, with and
// without compiling its tolerations before. It justifies manyNodes.
func BenchmarkPrepare(b *testing.B) {
	tolerations := mustTolerations(b, "a==x:NoSchedule,b,c:NoExecute@300,d==y,e:NoSchedule")
	var infos []fwk.NodeInfo
	for i := range 1000 {
		infos = append(infos, nodeInfo{node: newNode(fmt.Sprint("node-", i), mustTaints(b, fmt.Sprintf("d=%d:NoSchedule,e:NoExecute", i%10)), false)})
	}
	ctx, pl := context.Background(), NewPlugin(Args{})
	pl.remember(newPod(nil), infos)
	for _, nodes := range []int{8, 16, 32, 64, 128} {
		b.Run(fmt.Sprint(nodes), func(b *testing.B) {
			side := func(name string, prepare bool) ratio.Side {
				return ratio.Side{Name: name, Units: nodes, Do: func() (refused int) {
					pod := newPod(tolerations)
					if prepare {
						pl.prepare(ctx, pod, len(infos))
					}
					for _, info := range infos[:nodes] {
						if !pl.Filter(ctx, nil, pod, info).IsSuccess() {
							refused++
						}
					}
					return refused
				}}
			}
			r := ratio.Measure(b, "node", side("asked", false), side("prepared", true))
			r.Agree(b, "asked", "prepared")
			r.Report(b, "asked", "prepared")
		})
	}
}

// BenchmarkFollow brings the index up to date with lists of 5,000 nodes: the same one,
// one that starts elsewhere each time, and one in which all nodes are new objects.
func BenchmarkFollow(b *testing.B) {
	nodes := fewOf(5_000, 5_000)
	turned := append(append([]*v1.Node(nil), nodes[1:]...), nodes[0])
	side := func(name string, lists ...[]*v1.Node) ratio.Side {
		pl, turn := NewPlugin(Args{}), 0
		var infos [][]fwk.NodeInfo
		for _, list := range lists {
			infos = append(infos, infosOf(list))
		}
		return ratio.Side{Name: name, Units: len(nodes), Do: func() int {
			turn++
			pl.narrow.follow(infos[turn%len(infos)])
			return pl.narrow.index.Len()
		}}
	}
	r := ratio.Measure(b, "node", side("same", nodes), side("order", nodes, turned), side("objects", nodes, fewOf(5_000, 5_000)))
	r.Report(b, "objects", "order")
	r.Report(b, "objects", "same")
}
