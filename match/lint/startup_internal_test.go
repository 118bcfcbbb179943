package lint

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func tolerates(keys ...string) (list []toleration.Toleration) {
	for _, key := range keys {
		list = append(list, toleration.Toleration{Key: key, Operator: toleration.OpExists})
	}
	return list
}

func taintsOf(keys ...string) (list []taint.Taint) {
	for _, key := range keys {
		list = append(list, taint.Taint{Key: key, Effect: taint.NoSchedule})
	}
	return list
}

// world is a small cluster: a state is which startup taints are gone, and which parties run
// anywhere.
type world struct {
	fleet Fleet
}

type worldState struct{ gone, runs uint64 }

// bit returns the number of a startup taint among those of all pools.
func (w *world) bit(pool, i int) (n int) {
	for p := range pool {
		n += len(w.fleet.Pools[p].Startup)
	}
	return n + i
}

// canRun is the definition: every hard taint that is there now is tolerated.
func (w *world) canRun(s worldState, p *Pod, pool int) bool {
	of := &w.fleet.Pools[pool]
	if !p.Affinity.MayMatch(&of.Labels) {
		return false
	}
	tolerated := func(x taint.Taint) bool {
		for i := range p.Tolerations {
			if p.Tolerations[i].Tolerates(&x, toleration.Rules{}) {
				return true
			}
		}
		return x.Effect == taint.PreferNoSchedule
	}
	for _, x := range of.Taints {
		if !tolerated(x) {
			return false
		}
	}
	for i, x := range of.Startup {
		if s.gone>>w.bit(pool, i)&1 == 0 && !tolerated(x) {
			return false
		}
	}
	return true
}

// next returns all states that follow by one event.
func (w *world) next(s worldState) (all []worldState) {
	for at := range w.fleet.Pods {
		p := &w.fleet.Pods[at]
		for pool := range w.fleet.Pools {
			if !p.DaemonSet && s.runs>>at&1 == 0 && w.canRun(s, p, pool) {
				all = append(all, worldState{s.gone, s.runs | 1<<at})
			}
		}
	}
	for pool := range w.fleet.Pools {
		for i, x := range w.fleet.Pools[pool].Startup {
			agents, agent, others, other := false, false, false, false
			for at := range w.fleet.Pods {
				p := &w.fleet.Pods[at]
				for _, key := range p.Removes {
					if key == x.Key && p.DaemonSet {
						agents, agent = true, agent || w.canRun(s, p, pool)
					} else if key == x.Key {
						others, other = true, other || s.runs>>at&1 == 1
					}
				}
			}
			if s.gone>>w.bit(pool, i)&1 == 0 && agent == agents && other == others {
				all = append(all, worldState{s.gone | 1<<w.bit(pool, i), s.runs})
			}
		}
	}
	return all
}

// everGone explores every order of events.
func (w *world) everGone() (gone uint64) {
	known := map[worldState]bool{{}: true}
	for open := []worldState{{}}; len(open) > 0; {
		s := open[0]
		open = open[1:]
		gone |= s.gone
		for _, n := range w.next(s) {
			if !known[n] {
				known[n] = true
				open = append(open, n)
			}
		}
	}
	return gone
}

func randomWorld(r *rand.Rand) *world {
	keys := []string{"a", "b", "c", "d"}
	some := func(n int) (list []string) {
		for _, key := range keys[:n] {
			if r.IntN(2) == 0 {
				list = append(list, key)
			}
		}
		return list
	}
	w := new(world)
	for i := range 1 + r.IntN(2) {
		p := Pool{Name: fmt.Sprint("pool", i), Startup: taintsOf(some(3)...)}
		if r.IntN(3) == 0 {
			p.Taints = taintsOf("d")
		}
		if r.IntN(5) == 0 && len(p.Startup) > 0 {
			p.Startup[0].Effect = taint.PreferNoSchedule
		}
		p.Labels = affinity.Template{Labels: map[string]string{"n": fmt.Sprint(i)}}
		w.fleet.Pools = append(w.fleet.Pools, p)
	}
	for i := range 1 + r.IntN(4) {
		p := Pod{Name: fmt.Sprint("pod", i), DaemonSet: r.IntN(3) > 0, Removes: []string{keys[r.IntN(3)]}, Tolerations: tolerates(some(4)...)}
		if r.IntN(4) == 0 {
			p.Affinity.NodeSelector = map[string]string{"n": fmt.Sprint(r.IntN(2))}
		}
		w.fleet.Pods = append(w.fleet.Pods, p)
	}
	return w
}

// On random small worlds the taints that stay are those that no order of events takes off; each
// step of a chain that is told is a wait that exists; and where a taint stays, something is told.
func TestStartupAgainstAllOrders(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	stuck, circles := 0, 0
	for range 20000 {
		w := randomWorld(r)
		s := newStartup(&w.fleet)
		if s.run() {
			t.Fatal("too many steps")
		}
		want, told, stays := w.everGone(), 0, false
		for pool := range w.fleet.Pools {
			for i := range w.fleet.Pools[pool].Startup {
				gone := want>>w.bit(pool, i)&1 == 1
				if len(s.parties) > 0 && s.gone[pool][i] != gone || len(s.parties) == 0 && !gone {
					t.Fatalf("%+v\npool %d, taint %d: gone is %v", w.fleet, pool, i, gone)
				}
				if gone {
					continue
				}
				stays = true
				if steps := s.chain(pool, i); steps != nil {
					told++
					circles += count(steps[len(steps)-1].next >= 0)
					w.checkChain(t, worldState{gone: want}, pool, i, steps)
				}
			}
		}
		if stays != (told > 0) {
			t.Fatalf("%+v\na taint stays: %v; %d chains", w.fleet, stays, told)
		}
		stuck += count(stays)
	}
	if stuck < 2000 || circles < 500 {
		t.Errorf("%d worlds with taints that stay, %d circles: too few", stuck, circles)
	}
}

// checkChain checks that each party is one that its taint waits for, and does not tolerate the next.
func (w *world) checkChain(t *testing.T, end worldState, pool, i int, steps []*wait) {
	t.Helper()
	for _, step := range steps {
		x := w.fleet.Pools[pool].Startup[i]
		if !step.party.removes(&x) || w.canRun(end, step.party.Pod, step.pool) {
			t.Fatalf("%+v\n%s does not wait for %s", w.fleet, x, step.party.Name)
		}
		if step.next < 0 {
			continue
		}
		pool, i = step.pool, step.next
		only := w.fleet.Pools[pool].Startup[i]
		for j := range step.party.Tolerations {
			if step.party.Tolerations[j].Tolerates(&only, toleration.Rules{}) {
				t.Fatalf("%+v\n%s tolerates %s", w.fleet, step.party.Name, only)
			}
		}
	}
}

// Too many parties and pools are skipped and counted.
func TestStartupIsBounded(t *testing.T) {
	f := new(Fleet)
	for i := range 5000 {
		f.Pools = append(f.Pools, Pool{Name: fmt.Sprint(i), Startup: taintsOf("a", "b")})
		f.Pods = append(f.Pods, Pod{Name: fmt.Sprint(i), DaemonSet: true, Removes: []string{"a", "b"}})
	}
	if r := Check(f, Options{}); r.Skipped != 5000 || r.Counts[StartupDeadlock] != 0 {
		t.Errorf("skipped %d, %v", r.Skipped, r.Counts)
	}
}

func TestStartupWords(t *testing.T) {
	f := &Fleet{
		Pools: []Pool{{Name: "NodePool gpu", Startup: taintsOf("x", "y"), Taints: taintsOf("gpu")}},
		Pods: []Pod{
			{Name: "X", DaemonSet: true, Removes: []string{"x"}, Tolerations: tolerates("x", "gpu")},
			{Name: "Y", DaemonSet: true, Removes: []string{"y"}, Tolerations: tolerates("y", "gpu")},
		},
	}
	check := func(want string) {
		t.Helper()
		var got []string
		for _, found := range Check(f, Options{}).Findings {
			if found.ID == StartupDeadlock {
				got = append(got, found.Field+": "+found.Reason+" / "+found.Fix)
			}
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
		}
	}
	check("startupTaints[0]: new nodes keep x:NoSchedule forever: X, which it waits for, does not tolerate y:NoSchedule; " +
		"Y, which that waits for, does not tolerate x:NoSchedule; a circle / add y==:NoSchedule to X, or add x==:NoSchedule to Y")
	f.Pods[0].Tolerations = tolerates("x", "y")
	check("startupTaints[0]: new nodes keep x:NoSchedule forever: X, which it waits for, does not tolerate gpu:NoSchedule / " +
		"add gpu==:NoSchedule to X, or take the startup taint away")
	f.Pods[0].Tolerations = tolerates("x", "y", "gpu")
	check("")
	f.Pods[0].Affinity.NodeSelector = map[string]string{"a": "b"}
	check("startupTaints[0]: new nodes keep x:NoSchedule forever: X, which it waits for, is not for such nodes by its node selector and affinity / " +
		"let X go there, or take the startup taint away")
	f.Nodes, f.Pools = []Node{{Name: "Node n", NodeName: "n", Taints: []taint.Taint{{Key: "k", Effect: taint.NoSchedule}, {Key: taint.KeyCloudProviderUninitialized, Value: "true", Effect: taint.NoSchedule}}}}, nil
	f.Pods = []Pod{{Name: "Deployment ccm", Tolerations: tolerates("k"), Removes: []string{taint.KeyCloudProviderUninitialized}}}
	check("taints[1]: the node keeps node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule forever: Deployment ccm, which it waits for, " +
		"does not tolerate node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule / add node.cloudprovider.kubernetes.io/uninitialized==true:NoSchedule to Deployment ccm")
	f.Pods[0].Node = "n" // it runs
	check("")
	f.Pods[0].Node, f.Nodes = "", append(f.Nodes, Node{Name: "Node m"}) // it can
	check("")
}

// A key of another project is known by the name of the workload.
func TestStartupTaints(t *testing.T) {
	for _, c := range []struct{ kind, namespace, name, want string }{
		{"DaemonSet", "kube-system", "cilium", "node.cilium.io/agent-not-ready nidhogg.uswitch.com/kube-system.cilium"},
		{"Deployment", "kube-system", "cilium", ""}, {"Deployment", "x", "cilium-operator", "node.cilium.io/agent-not-ready"},
		{"Deployment", "kube-system", "hcloud-cloud-controller-manager", taint.KeyCloudProviderUninitialized},
		{"Deployment", "nrr-system", "nrr-controller-manager", "readiness.k8s.io/"},
	} {
		if got := strings.Join(StartupTaints(c.kind, c.namespace, c.name), " "); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
