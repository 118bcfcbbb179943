package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	coordination "k8s.io/api/coordination/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	typed "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	restfake "k8s.io/client-go/rest/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/kubernetes/pkg/controller/nodelifecycle"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// event is something that happens to a node, with the time since the start.
type event struct {
	at   time.Duration
	node string
	// Exactly one of these: the node is created or changed, or it is deleted,
	// or its lease is renewed, or something else happens to leases.
	change func(*lifecycle.Node)
	known  bool // not if the node has to be created
	delete bool
	renew  bool
	leases func(leases)
	// skew is how far the renewTime is from the time of the event.
	skew time.Duration
}

// moment is the taints that the controller manages and the conditions of all
// nodes at some time.
type moment struct {
	at    time.Duration
	nodes map[string]state
}

type state struct {
	taints     lifecycle.TaintSet
	conditions lifecycle.Conditions
}

// nodeController is upstream's node life-cycle controller at work in a synctest
// bubble.
type nodeController struct {
	t      *testing.T
	client *fake.Clientset
	start  time.Time

	writing  sync.Mutex
	versions []lifecycle.TaintSet // the taints of each; a deletion and a lease count too
	leases   *heldLeases
}

// quietClient is a client whose events go nowhere. The controller writes them
// past the fake client, through its RESTClient, which is nil.
type quietClient struct{ *fake.Clientset }

func (c quietClient) CoreV1() typed.CoreV1Interface { return quietCore{c.Clientset.CoreV1()} }

type quietCore struct{ typed.CoreV1Interface }

func (quietCore) RESTClient() rest.Interface {
	return &restfake.RESTClient{
		NegotiatedSerializer: scheme.Codecs.WithoutConversion(),
		GroupVersion:         v1.SchemeGroupVersion,
		Client: restfake.CreateHTTPClient(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusCreated, Header: http.Header{"Content-Type": {"application/json"}},
				Body: io.NopCloser(strings.NewReader(`{"kind":"Event","apiVersion":"v1"}`))}, nil
		}),
	}
}

// runNodeController starts the controller without nodes, calls script, and
// stops it. It must be called in a bubble.
func runNodeController(t *testing.T, config lifecycle.Config, script func(*nodeController)) {
	c := &nodeController{t: t, client: fake.NewClientset()}
	c.leases = holdLeases(c.client)
	c.client.PrependReactor("*", "events", func(clienttesting.Action) (bool, runtime.Object, error) { return true, &v1.Event{}, nil })
	c.client.PrependReactor("update", "nodes", c.updateStatus)
	c.client.PrependReactor("patch", "nodes", c.patch)
	ctx, cancel := context.WithCancel(quietly())
	factory := informers.NewSharedInformerFactory(c.client, 0)
	controller, err := nodelifecycle.NewNodeLifecycleController(ctx, factory.Coordination().V1().Leases(), factory.Core().V1().Pods(),
		factory.Core().V1().Nodes(), factory.Apps().V1().DaemonSets(), quietClient{c.client}, config.MonitorPeriod, config.StartupGracePeriod,
		config.GracePeriod, config.Rate, config.SecondaryRate, int32(config.LargeZone), config.UnhealthyShare)
	if err != nil {
		t.Fatal(err)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	c.start = time.Now()
	var running sync.WaitGroup
	running.Go(func() { controller.Run(ctx) })
	synctest.Wait()
	script(c)
	cancel()
	running.Wait()
	factory.Shutdown()
}

// The API server gives each version of a node a number and refuses a patch of
// another version than the present one; the controller then tries again, after
// some time that is left to chance. The fake client does not know of versions.
// Here the second attempt succeeds at once: what the patch changes of the
// taints that it knew is changed of the present ones.

var nodesResource = v1.SchemeGroupVersion.WithResource("nodes")

// write replaces a node by what change makes of it.
func (c *nodeController) write(name string, change func(*v1.Node) *v1.Node) (handled bool, result runtime.Object, err error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	object, err := c.client.Tracker().Get(nodesResource, "", name)
	if err != nil {
		return true, nil, err
	}
	node := c.number(change(object.(*v1.Node).DeepCopy()))
	return true, node, c.client.Tracker().Update(nodesResource, node, "")
}

// number gives a node the next version.
func (c *nodeController) number(node *v1.Node) *v1.Node {
	node.ResourceVersion = c.version(taintsOf(node))
	return node
}

func (c *nodeController) version(taints lifecycle.TaintSet) string {
	c.versions = append(c.versions, taints)
	return strconv.Itoa(len(c.versions))
}

func taintsOf(node *v1.Node) lifecycle.TaintSet {
	return lifecycle.Of(kube.AppendTaints(nil, node.Spec.Taints))
}

func (c *nodeController) patch(action clienttesting.Action) (handled bool, result runtime.Object, err error) {
	patch := action.(clienttesting.PatchAction)
	var to v1.Node
	if err := json.Unmarshal(patch.GetPatch(), &to); err != nil {
		return true, nil, err
	}
	return c.write(patch.GetName(), func(node *v1.Node) *v1.Node {
		if !bytes.Contains(patch.GetPatch(), []byte(`"taints":`)) {
			return node // except for times that are the same to the second
		}
		version, err := strconv.Atoi(to.ResourceVersion)
		if err != nil {
			c.t.Error(err)
		}
		before, after := c.versions[version-1], taintsOf(&to)
		return withTaints(node, after&^before, before&^after)
	})
}

func withTaints(node *v1.Node, add, remove lifecycle.TaintSet) *v1.Node {
	taints := kube.AppendTaints(nil, node.Spec.Taints)
	node.Spec.Taints = kube.AppendV1Taints(nil, (&lifecycle.Action{At: time.Now(), Add: add, Remove: remove}).Apply(nil, taints))
	return node
}

// updateStatus changes the status only, as the API server does and the fake
// client does not.
func (c *nodeController) updateStatus(action clienttesting.Action) (handled bool, result runtime.Object, err error) {
	if action.GetSubresource() != "status" {
		return false, nil, nil
	}
	updated := action.(clienttesting.UpdateAction).GetObject().(*v1.Node)
	return c.write(updated.Name, func(node *v1.Node) *v1.Node {
		node.Status = *updated.Status.DeepCopy()
		return node
	})
}

// play lets an event happen.
func (c *nodeController) play(e event) {
	ctx := context.Background()
	nodes, leases := c.client.CoreV1().Nodes(), c.client.CoordinationV1().Leases(v1.NamespaceNodeLease)
	var err error
	switch _, missing := nodes.Get(ctx, e.node, metav1.GetOptions{}); {
	case e.change != nil && missing != nil && !e.known:
		_, err = nodes.Create(ctx, c.number(nodeFrom(e, new(v1.Node))), metav1.CreateOptions{})
	case missing != nil:
	case e.change != nil:
		_, _, err = c.write(e.node, func(node *v1.Node) *v1.Node { return nodeFrom(e, node) })
	case e.delete:
		if err = nodes.Delete(ctx, e.node, metav1.DeleteOptions{}); err == nil {
			_ = leases.Delete(ctx, e.node, metav1.DeleteOptions{})
			c.versions = append(c.versions, 0)
		}
	case e.leases != nil:
		e.leases(c.leases)
	default:
		lease := &coordination.Lease{ObjectMeta: metav1.ObjectMeta{Name: e.node, Namespace: v1.NamespaceNodeLease, ResourceVersion: c.version(0)},
			Spec: coordination.LeaseSpec{RenewTime: &metav1.MicroTime{Time: time.Now().Add(e.skew)}}}
		if _, err = leases.Update(ctx, lease, metav1.UpdateOptions{}); err != nil {
			_, err = leases.Create(ctx, lease, metav1.CreateOptions{})
		}
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// nodeFrom changes a node as the event says.
func nodeFrom(e event, node *v1.Node) *v1.Node {
	n := fromV1Node(node)
	e.change(&n)
	node = node.DeepCopy()
	node.Name, node.UID = e.node, "1"
	node.Labels = map[string]string{v1.LabelTopologyZone: n.Zone}
	if n.Excluded {
		node.Labels[lifecycle.LabelExcludeDisruption] = ""
	}
	node.CreationTimestamp = metav1.Time{Time: n.Created}
	node.Spec.Unschedulable = n.Unschedulable
	withTaints(node, n.Taints, managed&^n.Taints)
	node.Status.Conditions = nil
	for i, status := range statusesOf(&n.Conditions) {
		if *status != lifecycle.Absent {
			node.Status.Conditions = append(node.Status.Conditions, v1.NodeCondition{
				Type: conditionTypes[i], Status: v1.ConditionStatus(status.String()), LastHeartbeatTime: metav1.Time{Time: n.Heartbeat}})
		}
	}
	return node
}

// fromV1Node is what the controller of this module is told of a node.
func fromV1Node(node *v1.Node) lifecycle.Node {
	n := kube.LifecycleNode(node)
	n.Zone = node.Labels[v1.LabelTopologyZone] // the name that the events of a script have
	return n
}

// In the order of the constants of lifecycle, which is that of the kubelet.
var conditionTypes = [...]v1.NodeConditionType{v1.NodeMemoryPressure, v1.NodeDiskPressure, v1.NodePIDPressure, v1.NodeReady, v1.NodeNetworkUnavailable}

func statusesOf(c *lifecycle.Conditions) [5]*lifecycle.Status {
	return [...]*lifecycle.Status{&c.MemoryPressure, &c.DiskPressure, &c.PIDPressure, &c.Ready, &c.NetworkUnavailable}
}

// now returns the taints and conditions of all nodes.
func (c *nodeController) now() map[string]state {
	list, err := c.client.CoreV1().Nodes().List(context.Background(), metav1.ListOptions{})
	if err != nil {
		c.t.Fatal(err)
	}
	nodes := map[string]state{}
	for i := range list.Items {
		n := fromV1Node(&list.Items[i])
		nodes[list.Items[i].Name] = state{n.Taints, n.Conditions}
	}
	return nodes
}

// upstreamTimeline plays the events and returns the states after each instant
// at which something changed, until the horizon.
func upstreamTimeline(t *testing.T, config lifecycle.Config, events []event, horizon time.Duration) (timeline []moment) {
	synctest.Test(t, func(t *testing.T) {
		runNodeController(t, config, func(c *nodeController) {
			last, version := map[string]state{}, -1
			for at := time.Duration(0); at <= horizon; at = next(at, config, events) {
				time.Sleep(time.Until(c.start.Add(at)))
				synctest.Wait()
				for ; len(events) > 0 && events[0].at <= at; events = events[1:] {
					c.play(events[0])
					synctest.Wait()
				}
				if len(c.versions) == version {
					continue
				}
				version = len(c.versions)
				if nodes := c.now(); !maps.Equal(nodes, last) {
					timeline = append(timeline, moment{at, nodes})
					last = nodes
				}
			}
		})
	})
	return timeline
}

// next is the next instant at which something can happen.
func next(at time.Duration, config lifecycle.Config, events []event) time.Duration {
	multiple := func(period time.Duration) time.Duration { return (at/period + 1) * period }
	soon := min(multiple(config.MonitorPeriod), multiple(100*time.Millisecond))
	if len(events) > 0 {
		soon = min(soon, events[0].at)
	}
	return soon
}

// timelineOf plays the events to the controller of this module. From chance on
// upstream leaves to chance what happens: a zone is served in which several
// nodes are first, in the order of a map, or the last node of a zone goes, which
// the controller notices at the next look or at a later one, when the order of a
// map lets it come to that zone.
func timelineOf(t *testing.T, config lifecycle.Config, start time.Time, events []event, horizon time.Duration) (timeline []moment, chance time.Duration) {
	leases := &toldLeases{live: map[string]string{}, failing: map[string]bool{}}
	config.Verify = leases.verify
	c, err := lifecycle.New(config, start)
	if err != nil {
		t.Fatal(err)
	}
	leases.c, chance = c, horizon+1
	leases.tell(func() { c.Synced(nil, start, "1") })
	nodes, names := map[string]state{}, map[string]bool{}
	places := places{c: c, nodes: map[string]map[string]place{}}
	record := func(at time.Duration) {
		now := map[string]state{}
		for name := range names {
			if n, known := c.Node(name); known {
				now[name] = state{n.Taints, n.Conditions}
			}
		}
		if !maps.Equal(now, nodes) {
			timeline, nodes = append(timeline, moment{at, now}), now
		}
	}
	for at := time.Duration(0); at <= horizon; at = next(at, config, events) {
		before := places.waiting()
		actions := c.Advance(nil, start.Add(at))
		if at%config.MonitorPeriod == 0 {
			places.look(at, nodes, slices.ContainsFunc(actions, func(a lifecycle.Action) bool { return a.Reason == lifecycle.Stopped }))
		} else if !places.served(before) {
			chance = min(chance, at)
		}
		for ; len(events) > 0 && events[0].at <= at; events = events[1:] {
			e := events[0]
			names[e.node] = true
			n, known := c.Node(e.node)
			switch now := start.Add(at); {
			case e.change != nil && (known || !e.known):
				e.change(&n)
				c.Set(nil, now, e.node, n)
			case e.delete && known:
				c.Delete(nil, now, e.node)
				leases.now = now
				leases.drop(e.node)
				zones := slices.Collect(c.Zones())
				if !slices.ContainsFunc(zones, func(z lifecycle.Zone) bool { return z.Name == n.Zone }) && len(zones) > 0 {
					chance = min(chance, at)
				}
			case e.renew && known:
				leases.now = now
				leases.renew(e.node, now.Add(e.skew))
			case e.leases != nil && known:
				leases.now = now
				e.leases(leases)
			}
		}
		record(at)
	}
	return timeline, chance
}

// places is the places of nodes in the queues of their zones, as upstream counts:
// every look gives a new place to those that wait and do not have their taint yet.
type places struct {
	c     *lifecycle.Controller
	nodes map[string]map[string]place // by zone and node
}

type place struct {
	since  time.Duration
	queued bool // not any more if the node was served
}

// served takes out those who were served, and reports whether it was certain
// who was: nobody else had an equal place.
func (p *places) served(before map[string]int) bool {
	certain := true
	for zone, now := range p.waiting() {
		if now >= before[zone] {
			continue
		}
		var first []string
		oldest := time.Duration(math.MaxInt64)
		for name, place := range p.nodes[zone] {
			if place.queued && place.since < oldest {
				first, oldest = nil, place.since
			}
			if place.queued && place.since == oldest {
				first = append(first, name)
			}
		}
		certain = certain && len(first) == 1
		for _, name := range first {
			p.nodes[zone][name] = place{oldest, false}
		}
	}
	return certain
}

func (p *places) waiting() map[string]int {
	waiting := map[string]int{}
	for z := range p.c.Zones() {
		waiting[z.Name] = z.Waiting
	}
	return waiting
}

// look gives the places that the look at that time gives. before is the nodes
// as the look found them.
func (p *places) look(at time.Duration, before map[string]state, stopped bool) {
	for name := range before {
		n, _ := p.c.Node(name)
		if p.nodes[n.Zone] == nil {
			p.nodes[n.Zone] = map[string]place{}
		}
		wanted := lifecycle.NotReadyNoExecute
		switch n.Conditions.Ready {
		case lifecycle.Absent:
			continue
		case lifecycle.Unknown:
			wanted = lifecycle.UnreachableNoExecute
		}
		had := before[name].taints & noExecute
		_, member := p.nodes[n.Zone][name]
		switch {
		case stopped, n.Conditions.Ready == lifecycle.True:
			delete(p.nodes[n.Zone], name)
		case had&^wanted != 0: // swapped
		case had == 0, !member:
			p.nodes[n.Zone][name] = place{at, true}
		}
	}
}

func (m moment) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%v:", m.at)
	for _, name := range slices.Sorted(maps.Keys(m.nodes)) {
		fmt.Fprintf(&text, " %s %v [%v]", name, m.nodes[name].conditions.Ready, m.nodes[name].taints)
	}
	return text.String()
}
