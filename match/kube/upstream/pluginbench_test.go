package upstream

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"

	"github.com/tolero-dev/tolero/bench/ratio"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/match/kube/scheduler"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The plugin against the in-tree one, TaintToleration, through the framework's
// interfaces, in turns and on the same objects. The in-tree plugin does not look at
// the cordon, so neither does ours, except where the side says so.

// bench is a fleet as the framework has it.
type bench struct {
	infos []fwk.NodeInfo
	pods  []*v1.Pod
}

// newBench makes a fleet whose objects have memory of their own.
func newBench(name string, nodes, pods int) bench {
	var c *scenario.Cluster
	switch name {
	case "twelve":
		c = twelve(nodes, pods, hardAndSoft, "")
	case "soft":
		c = twelve(nodes, pods, []taint.Effect{taint.PreferNoSchedule}, taint.NoSchedule)
	default:
		maker, _ := scenario.Find(name)
		c = maker(1, nodes, pods)
	}
	c.Unshare()
	var b bench
	for _, node := range c.Nodes {
		b.infos = append(b.infos, nodeInfo(&v1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: node.Name},
			Spec:       v1.NodeSpec{Taints: kube.AppendV1Taints(nil, node.Taints)},
		}))
	}
	for _, pod := range c.Pods {
		b.pods = append(b.pods, &v1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: "default"},
			Spec:       v1.PodSpec{Tolerations: kube.AppendV1Tolerations(nil, pod.Tolerations)},
		})
	}
	return b
}

var hardAndSoft = []taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute}

// twelve makes a fleet of nodes that have twelve taints each, with the effects in
// turn, and pods with twelve tolerations of one effect, for the taints of a third of
// the nodes as far as key and value go.
func twelve(nodes, pods int, effects []taint.Effect, tolerated taint.Effect) *scenario.Cluster {
	c := scenario.Unique(1, nodes, pods)
	for i := range c.Nodes {
		c.Nodes[i].Taints = nil
		for j := range 12 {
			t := taint.Taint{Key: fmt.Sprint("example.com/t", j), Value: fmt.Sprint(i % 3), Effect: effects[j%len(effects)]}
			c.Nodes[i].Taints = append(c.Nodes[i].Taints, t)
		}
	}
	for i := range c.Pods {
		c.Pods[i].Tolerations = nil
		for j := range 12 {
			t := toleration.Toleration{Key: fmt.Sprint("example.com/t", j), Value: fmt.Sprint(i % 3), Effect: tolerated}
			c.Pods[i].Tolerations = append(c.Pods[i].Tolerations, t)
		}
	}
	return c
}

// forEachFleet runs a benchmark for every scenario and size.
func forEachFleet(b *testing.B, run func(b *testing.B, fleet bench)) {
	for _, name := range []string{"pools", "unique", "twelve", "soft"} {
		for _, nodes := range []int{5_000, 15_000} {
			b.Run(fmt.Sprintf("%s/nodes=%d", name, nodes), func(b *testing.B) { run(b, newBench(name, nodes, 10)) })
		}
	}
}

// BenchmarkPluginFilter asks for some pods and all nodes, pair by pair, PreFilter
// included and with another pod object each time. The empty plugin is what no plugin can be faster than, and the one that
// refuses what no plugin can that gives each refused node a status of its own.
func BenchmarkPluginFilter(b *testing.B) {
	p := newPlugins(b, scheduler.Args{IgnoreCordon: true, Narrow: new(bool)})
	both := newPlugins(b, scheduler.Args{Narrow: new(bool)}).ours
	forEachFleet(b, func(b *testing.B, fleet bench) {
		r := ratio.Measure(b, "pair", fleet.filterSide("in-tree", p.taints), fleet.filterSide("plugin", p.ours), fleet.filterSide("with-cordon", both), fleet.filterSide("empty", empty{}), fleet.filterSide("refusing", refusing{}))
		r.Agree(b, "in-tree", "plugin", "with-cordon")
		r.Report(b, "in-tree", "plugin")
		r.Report(b, "in-tree", "with-cordon")
		r.Report(b, "in-tree", "empty")
		r.Report(b, "in-tree", "refusing")
	})
}

// empty is a plugin that has no say, but looks at which node it is asked about.
type empty struct{ fwk.Plugin }

func (empty) Name() string { return "Empty" }

func (empty) PreFilter(context.Context, fwk.CycleState, *v1.Pod, []fwk.NodeInfo) (*fwk.PreFilterResult, *fwk.Status) {
	return nil, nil
}

func (empty) PreFilterExtensions() fwk.PreFilterExtensions { return nil }

func (empty) Filter(_ context.Context, _ fwk.CycleState, _ *v1.Pod, info fwk.NodeInfo) *fwk.Status {
	if info.Node() == nil {
		return fwk.NewStatus(fwk.Error)
	}
	return nil
}

// refusing is a plugin that refuses every node with the smallest status that there is.
type refusing struct{ empty }

func (refusing) Filter(_ context.Context, _ fwk.CycleState, _ *v1.Pod, info fwk.NodeInfo) *fwk.Status {
	if info.Node() == nil {
		return nil
	}
	status := *refusal // of which the framework writes to the copy
	return &status
}

var refusal = fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "node(s) had untolerated taint(s)")

func (empty) PreScore(context.Context, fwk.CycleState, *v1.Pod, []fwk.NodeInfo) *fwk.Status {
	return nil
}

func (empty) Score(_ context.Context, _ fwk.CycleState, _ *v1.Pod, info fwk.NodeInfo) (int64, *fwk.Status) {
	if info.Node() == nil {
		return 1, nil
	}
	return 0, nil
}

func (e empty) ScoreExtensions() fwk.ScoreExtensions { return e }

func (empty) NormalizeScore(_ context.Context, _ fwk.CycleState, _ *v1.Pod, scores fwk.NodeScoreList) *fwk.Status {
	for i := range scores {
		scores[i].Score = 100
	}
	return nil
}

// BenchmarkPluginFirst asks a new plugin about one pod and all nodes, none of which it has
// met: the first cycle after the start of a program.
func BenchmarkPluginFirst(b *testing.B) {
	forEachFleet(b, func(b *testing.B, fleet bench) {
		fleet.pods = fleet.pods[:1]
		p := newPlugins(b, scheduler.Args{IgnoreCordon: true, Narrow: new(bool)})
		first := ratio.Side{Name: "first", Units: len(fleet.infos), Do: func() int {
			return fleet.filterSide("", scheduler.NewPlugin(scheduler.Args{IgnoreCordon: true, Narrow: new(bool)})).Do()
		}}
		r := ratio.Measure(b, "pair", fleet.filterSide("in-tree", p.taints), first)
		r.Agree(b, "in-tree", "first")
		r.Report(b, "in-tree", "first")
	})
}

type asker interface {
	fwk.PreFilterPlugin
	fwk.FilterPlugin
}

func (f bench) filterSide(name string, plugin asker) ratio.Side {
	ctx, state := quietly(), framework.NewCycleState()
	return ratio.Side{Name: name, Units: len(f.infos) * len(f.pods), Do: func() (passed int) {
		for _, pod := range f.pods {
			another := *pod // which no plugin has met
			pod := &another
			plugin.PreFilter(ctx, state, pod, f.infos)
			for _, info := range f.infos {
				if plugin.Filter(ctx, state, pod, info).IsSuccess() {
					passed++
				}
			}
		}
		return passed
	}}
}

// BenchmarkPluginScore does PreScore, Score and NormalizeScore for some pods and all
// nodes, as the framework does: what PreScore skips is not scored. As there, the plugin
// mostly knows the pods from PreFilter, which is timed with Filter.
func BenchmarkPluginScore(b *testing.B) {
	p := newPlugins(b, scheduler.Args{})
	forEachFleet(b, func(b *testing.B, fleet bench) {
		r := ratio.Measure(b, "pair", fleet.scoreSide("in-tree", p.taints), fleet.scoreSide("plugin", p.ours), fleet.scoreSide("empty", empty{}))
		r.Agree(b, "in-tree", "plugin")
		r.Report(b, "in-tree", "plugin")
		r.Report(b, "in-tree", "empty")
	})
}

type scorer interface {
	fwk.PreScorePlugin
	fwk.ScorePlugin
}

func (f bench) scoreSide(name string, plugin scorer) ratio.Side {
	ctx := quietly()
	scores := make(fwk.NodeScoreList, len(f.infos))
	return ratio.Side{Name: name, Units: len(f.infos) * len(f.pods), Do: func() (sum int) {
		for _, pod := range f.pods {
			state := framework.NewCycleState()
			if plugin.PreScore(ctx, state, pod, f.infos).IsSkip() {
				sum += 100 * len(scores)
				continue
			}
			for i, info := range f.infos {
				scores[i].Score, _ = plugin.Score(ctx, state, pod, info)
			}
			plugin.ScoreExtensions().NormalizeScore(ctx, state, pod, scores)
			for i := range scores {
				sum += int(scores[i].Score)
			}
		}
		return sum
	}}
}

// BenchmarkPluginHint asks for 10,000 pending pods whether a change of a node's taints
// wakes them. The plugin is a new one each time: those pods are all that wait.
func BenchmarkPluginHint(b *testing.B) {
	tainted := mustTaints("dedicated=ml:NoSchedule", "node.kubernetes.io/not-ready:NoExecute", "c=d:PreferNoSchedule")
	for _, change := range []struct {
		name          string
		before, after []taint.Taint
	}{
		{"untainted", tainted, tainted[1:]},
		{"tainted", tainted[1:], tainted},
		{"freed", tainted, nil},
	} {
		for _, name := range []string{"pools", "twelve"} {
			b.Run(name+"/"+change.name, func(b *testing.B) {
				p := newPlugins(b, scheduler.Args{})
				ours, _ := hints(b, p.ours)
				theirs, _ := hints(b, p.taints)
				fleet := newBench(name, 100, 10_000)
				nodes := nodeInfos([][]taint.Taint{change.before, change.after})
				r := ratio.Measure(b, "pod", fleet.hintSide("in-tree", theirs, nodes), fleet.hintSide("plugin", ours, nodes), fleet.hintSide("reading", reading, nodes))
				r.Agree(b, "in-tree", "plugin")
				r.Report(b, "in-tree", "plugin")
				r.Report(b, "in-tree", "reading")
			})
		}
	}
}

// reading is a hint that only looks how long the keys of the pod's tolerations are: each
// pod has memory of its own, which has to be fetched.
func reading(_ klog.Logger, pod *v1.Pod, _, _ any) (fwk.QueueingHint, error) {
	length := 0
	for i := range pod.Spec.Tolerations {
		length += len(pod.Spec.Tolerations[i].Key)
	}
	if length < 0 {
		return fwk.Queue, nil
	}
	return fwk.QueueSkip, nil
}

func (f bench) hintSide(name string, hint fwk.QueueingHintFn, nodes []fwk.NodeInfo) ratio.Side {
	logger := klog.FromContext(quietly())
	before, after := any(nodes[0].Node()), any(nodes[1].Node())
	return ratio.Side{Name: name, Units: len(f.pods), Do: func() (woken int) {
		for _, pod := range f.pods {
			if answer, _ := hint(logger, pod, before, after); answer == fwk.Queue {
				woken++
			}
		}
		return woken
	}}
}

// BenchmarkPluginSign signs pods, as far as the framework's encoding.
func BenchmarkPluginSign(b *testing.B) {
	p := newPlugins(b, scheduler.Args{})
	for _, name := range []string{"pools", "twelve"} {
		b.Run(name, func(b *testing.B) {
			fleet := newBench(name, 100, 100)
			side := func(name string, plugin fwk.SignPlugin) ratio.Side {
				return ratio.Side{Name: name, Units: len(fleet.pods), Do: func() (n int) {
					for _, pod := range fleet.pods {
						n += len(signature(b, plugin, pod))
					}
					return n
				}}
			}
			r := ratio.Measure(b, "pod", side("in-tree", p.taints), side("plugin", p.ours), side("constant", constant{}))
			r.Report(b, "in-tree", "plugin")
			r.Report(b, "in-tree", "constant")
		})
	}
}

// constant signs every pod alike, with as many letters as the plugin.
type constant struct{ fwk.Plugin }

func (constant) SignPod(context.Context, *v1.Pod) ([]fwk.SignFragment, *fwk.Status) {
	return []fwk.SignFragment{{Key: "constant", Value: "0123456789012345678901234567890123456789012"}}, nil
}

// BenchmarkNarrow finds the nodes that pass all filters of a profile, with and
// without the names that PreFilter gives where one in so many nodes takes the pod.
// Unlike the scheduler, it uses one core and looks at all nodes.
func BenchmarkNarrow(b *testing.B) {
	const nodes = 5_000
	for _, share := range []int{1, 2, 4, 8, 16, 64, nodes} {
		b.Run(fmt.Sprintf("one in %d", share), func(b *testing.B) {
			objects := benchNodes(nodes, share)
			pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "default"}}
			side := func(name string, narrow bool) ratio.Side {
				f := newFramework(b, benchProfile(b, narrow), objects)
				return ratio.Side{Name: name, Units: nodes, Do: func() int { return findNodes(b, f, pod.DeepCopy()) }} // another pod each time
			}
			r := ratio.Measure(b, "node", side("all", false), side("narrowed", true))
			r.Agree(b, "all", "narrowed")
			r.Report(b, "all", "narrowed")
		})
	}
}

// benchProfile is the profile of the plugin's configuration file.
func benchProfile(b *testing.B, narrow bool) *config.KubeSchedulerProfile {
	text, err := os.ReadFile(configFile)
	if err != nil {
		b.Fatal(err)
	}
	with := strings.Replace(string(text), "nameTaints: false", fmt.Sprintf("narrow: %t", narrow), 1)
	return withoutDevices(&loadConfig(b, []byte(with)).Profiles[0])
}

// withoutDevices takes a plugin out of a profile that needs a cluster.
func withoutDevices(profile *config.KubeSchedulerProfile) *config.KubeSchedulerProfile {
	enabled := &profile.Plugins.MultiPoint.Enabled
	*enabled = slices.DeleteFunc(*enabled, func(p config.Plugin) bool { return p.Name == names.DynamicResources })
	return profile
}

func benchNodes(n, share int) (nodes []*v1.Node) {
	for i := range n {
		node := newNode(nil)
		node.Name = fmt.Sprint("node-", i)
		node.Status.Allocatable = v1.ResourceList{v1.ResourcePods: resource.MustParse("110")}
		if i%share != 0 {
			node.Spec.Taints = []v1.Taint{{Key: "dedicated", Value: "ml", Effect: v1.TaintEffectNoSchedule}}
		}
		nodes = append(nodes, node)
	}
	return nodes
}

// findNodes does what a scheduling cycle does before it scores.
func findNodes(b *testing.B, f framework.Framework, pod *v1.Pod) (found int) {
	ctx, state := context.Background(), framework.NewCycleState()
	result, status, _ := f.RunPreFilterPlugins(ctx, state, pod)
	if !status.IsSuccess() {
		b.Fatal(status)
	}
	nodes, _ := f.SnapshotSharedLister().NodeInfos().List()
	if !result.AllNodes() {
		nodes = nil
		for name := range result.NodeNames {
			info, err := f.SnapshotSharedLister().NodeInfos().Get(name)
			if err != nil {
				b.Fatal(err)
			}
			nodes = append(nodes, info)
		}
	}
	for _, info := range nodes {
		if f.RunFilterPlugins(ctx, state, pod, info).IsSuccess() {
			found++
		}
	}
	return found
}
