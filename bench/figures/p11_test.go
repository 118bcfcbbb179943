package figures

import (
	"testing"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/bench/work"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// BenchmarkP11 measures figure P11: pools whose nodes have Unix times in soft taints, and
// pods that tolerate one hard effect whatever the key, against pools without either.
func BenchmarkP11(b *testing.B) {
	const nodes, pods = 100_000, 1000
	pools, times := cluster("pools", nodes, pods), cluster("softtimes", nodes, pods)
	plain, withTimes := work.Index(pools.Nodes).Snapshot(), work.Index(times.Nodes).Snapshot()
	wholesale := make([]scenario.Pod, 0, pods)
	for i, effect := range [...]taint.Effect{taint.NoSchedule, taint.NoExecute} {
		for _, p := range pools.Pods[i*pods/2 : (i+1)*pods/2] {
			p.Tolerations = append(p.Tolerations[:len(p.Tolerations):len(p.Tolerations)], toleration.Toleration{Operator: toleration.OpExists, Effect: effect})
			wholesale = append(wholesale, p)
		}
	}
	var fit index.Fit
	side := func(name string, s *index.Snapshot, pods []scenario.Pod) ratio.Side {
		return ratio.Side{Name: name, Units: len(pods), Do: func() int { return work.ByIndex(s, &fit, pods) }}
	}
	r := ratio.Measure(b, "pod",
		side("pools", plain, pools.Pods),
		side("wholesale", plain, wholesale),
		side("times", withTimes, pools.Pods),
		side("times+wholesale", withTimes, wholesale))
	r.Report(b, "wholesale", "pools")
	r.Report(b, "times", "pools")
	r.Report(b, "times+wholesale", "pools")
}
