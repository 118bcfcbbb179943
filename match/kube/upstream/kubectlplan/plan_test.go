package kubectlplan

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"
	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/kubectl/pkg/cmd/config"
	"k8s.io/kubectl/pkg/cmd/drain"
	"k8s.io/kubectl/pkg/cmd/get"
	"k8s.io/kubectl/pkg/cmd/rollout"
	"k8s.io/kubectl/pkg/cmd/taint"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
	"k8s.io/kubernetes/pkg/controller/tainteviction"
)

// TestMain is kubectl itself under that name, as far as the script needs it.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) != "kubectl" {
		os.Exit(m.Run())
	}
	flags := genericclioptions.NewConfigFlags(true)
	root := &cobra.Command{Use: "kubectl", SilenceUsage: true}
	flags.AddFlags(root.PersistentFlags())
	factory, streams := cmdutil.NewFactory(flags), genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
	root.AddCommand(get.NewCmdGet("kubectl", factory, streams), taint.NewCmdTaint(factory, streams), drain.NewCmdCordon(factory, streams), drain.NewCmdUncordon(factory, streams),
		rollout.NewCmdRollout("kubectl", factory, streams), config.NewCmdConfig(flags, clientcmd.NewDefaultPathOptions(), streams))
	if err := root.Execute(); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// cluster is an API server over the objects of a fake client, for which the taint-eviction
// controller works. It plays the rest: a pod that is gone is back after a second, on the first node
// that takes it, and ready two seconds later. The budget wants two ready pods of StatefulSet a.
type cluster struct {
	*testing.T
	client *fake.Clientset

	mu    sync.Mutex
	ready map[string]time.Time // when each pod is or was, zero once it is gone
	log   []string             // taints and evictions
}

var ctx = context.Background()

// podNames are the pods, each of the StatefulSet of its first letter.
var podNames = []string{"a-0", "a-1", "a-2", "b-0", "b-1", "c-0"}

func newCluster(t *testing.T) *cluster {
	c := &cluster{T: t, ready: make(map[string]time.Time)}
	var objects []runtime.Object
	for i := range 9 {
		objects = append(objects, &v1.Node{TypeMeta: metav1.TypeMeta{Kind: "Node", APIVersion: "v1"}, ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("n", i)}})
	}
	for i, name := range podNames {
		objects = append(objects, newPod(name, fmt.Sprint("n", i%3)))
		c.ready[name] = time.Now()
	}
	c.client = fake.NewClientset(objects...)
	c.client.PrependReactor("patch", "pods", func(clienttesting.Action) (bool, runtime.Object, error) { return true, &v1.Pod{}, nil })
	c.client.PrependReactor("*", "events", func(clienttesting.Action) (bool, runtime.Object, error) { return true, &v1.Event{}, nil })
	c.client.PrependReactor("delete", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		name := action.(clienttesting.DeleteAction).GetName()
		c.log, c.ready[name] = append(c.log, "evicted "+name), time.Time{}
		if ready, _ := c.count("a"); ready < 2 {
			c.log = append(c.log, "the budget is broken")
		}
		return false, nil, nil
	})
	return c
}

func newPod(name, node string) *v1.Pod {
	yes := true
	owner := metav1.OwnerReference{APIVersion: "apps/v1", Kind: "StatefulSet", Name: name[:1], Controller: &yes}
	p := &v1.Pod{TypeMeta: metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}, ObjectMeta: metav1.ObjectMeta{Namespace: "x", Name: name, Labels: map[string]string{"app": name[:1]}, OwnerReferences: []metav1.OwnerReference{owner}}}
	p.Spec.NodeName, p.Status.Phase = node, v1.PodRunning
	if name == "b-1" {
		seconds := int64(3)
		p.Spec.Tolerations = []v1.Toleration{{Key: "t", Operator: v1.TolerationOpExists, Effect: v1.TaintEffectNoExecute, TolerationSeconds: &seconds}}
	}
	return p
}

// count returns how many pods of a StatefulSet are ready, and how many there are to be.
func (c *cluster) count(owner string) (ready, all int) {
	for name, at := range c.ready {
		if strings.HasPrefix(name, owner+"-") {
			all++
			if !at.IsZero() && at.Before(time.Now()) {
				ready++
			}
		}
	}
	return ready, all
}

// replace makes the pods anew that are gone, until the context ends.
func (c *cluster) replace(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(time.Second)
		c.mu.Lock()
		gone := maps.Clone(c.ready)
		c.mu.Unlock() // the client calls back
		maps.DeleteFunc(gone, func(_ string, at time.Time) bool { return !at.IsZero() })
		for name := range gone {
			for i := range 9 {
				n, err := c.client.CoreV1().Nodes().Get(ctx, fmt.Sprint("n", i), metav1.GetOptions{})
				if err != nil || n.Spec.Unschedulable || len(n.Spec.Taints) > 0 {
					continue
				}
				if _, err := c.client.CoreV1().Pods("x").Create(ctx, newPod(name, n.Name), metav1.CreateOptions{}); err == nil {
					c.mu.Lock()
					c.ready[name] = time.Now().Add(2 * time.Second)
					c.mu.Unlock()
				}
				break
			}
		}
	}
}

// evict runs the controller until the context ends.
func (c *cluster) evict(ctx context.Context) {
	factory := informers.NewSharedInformerFactory(c.client, 0)
	pods := factory.Core().V1().Pods()
	byNode := cache.Indexers{"spec.nodeName": func(object any) ([]string, error) { return []string{object.(*v1.Pod).Spec.NodeName}, nil }}
	if err := pods.Informer().AddIndexers(byNode); err != nil {
		c.Fatal(err)
	}
	controller, err := tainteviction.New(ctx, c.client, pods, factory.Core().V1().Nodes(), "taint-eviction-controller")
	if err != nil {
		c.Fatal(err)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	go controller.Run(ctx)
}

type object = map[string]any

var resources = map[string]string{ // by path of the group and version
	"/api/v1":         "nodes/Node pods/Pod",
	"/apis/apps/v1":   "statefulsets/StatefulSet",
	"/apis/policy/v1": "poddisruptionbudgets/PodDisruptionBudget",
}

func (c *cluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	name := path[len(path)-1]
	w.Header().Set("Content-Type", "application/json")
	var answer any
	var err error
	switch {
	case r.URL.Path == "/api":
		answer = object{"kind": "APIVersions", "versions": []string{"v1"}}
	case r.URL.Path == "/apis":
		var groups []object
		for _, name := range []string{"apps", "policy"} {
			version := object{"groupVersion": name + "/v1", "version": "v1"}
			groups = append(groups, object{"name": name, "versions": []object{version}, "preferredVersion": version})
		}
		answer = object{"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}
	case resources[r.URL.Path] != "":
		var all []object
		for resource := range strings.FieldsSeq(resources[r.URL.Path]) {
			name, kind, _ := strings.Cut(resource, "/")
			all = append(all, object{"name": name, "kind": kind, "namespaced": kind != "Node", "verbs": []string{"get", "list", "watch", "patch"}})
		}
		answer = object{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": strings.Join(path[1:], "/"), "resources": all}
	case r.Method == http.MethodPatch && path[2] == "nodes" && r.URL.Query().Get("dryRun") == "":
		answer, err = c.patch(name, r)
	case path[2] == "nodes":
		answer, err = c.client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
	case slices.Contains(path, "pods"):
		answer, err = c.client.CoreV1().Pods("x").Get(ctx, name, metav1.GetOptions{})
	case slices.Contains(path, "poddisruptionbudgets"):
		answer = c.budget()
	case r.URL.Query().Get("sendInitialEvents") != "":
		w.WriteHeader(http.StatusUnprocessableEntity) // as an API server without lists by watching
		answer = object{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Invalid", "code": http.StatusUnprocessableEntity}
	case name == "statefulsets" && r.URL.Query().Get("watch") != "":
		for set := c.set(r); r.Context().Err() == nil; set = c.set(r) {
			_ = json.NewEncoder(w).Encode(object{"type": "MODIFIED", "object": set})
			w.(http.Flusher).Flush()
			if set.Status.ReadyReplicas == *set.Spec.Replicas {
				return
			}
			time.Sleep(200 * time.Millisecond)
		}
		return
	case name == "statefulsets":
		answer = object{"kind": "StatefulSetList", "apiVersion": "apps/v1", "metadata": object{"resourceVersion": "1"}, "items": []any{c.set(r)}}
	case slices.Contains(path, "statefulsets"):
		answer = c.set(r)
	}
	if err != nil || answer == nil {
		w.WriteHeader(http.StatusNotFound)
		answer = object{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404, "message": fmt.Sprint(err)}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (c *cluster) patch(name string, r *http.Request) (any, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if strings.Contains(string(body), "taints") {
		c.mu.Lock()
		c.log = append(c.log, "taint "+name)
		for _, owner := range []string{"a", "b", "c"} {
			if ready, all := c.count(owner); ready < all {
				c.log = append(c.log, owner+" has not recovered")
			}
		}
		c.mu.Unlock()
	}
	return c.client.CoreV1().Nodes().Patch(ctx, name, types.PatchType(r.Header.Get("Content-Type")), body, metav1.PatchOptions{})
}

func (c *cluster) budget() *policyv1.PodDisruptionBudget {
	c.mu.Lock()
	defer c.mu.Unlock()
	ready, _ := c.count("a")
	b := &policyv1.PodDisruptionBudget{TypeMeta: metav1.TypeMeta{Kind: "PodDisruptionBudget", APIVersion: "policy/v1"}, ObjectMeta: metav1.ObjectMeta{Namespace: "x", Name: "of-a"}}
	b.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "a"}}
	b.Status.DisruptionsAllowed = int32(max(0, ready-2))
	return b
}

// set returns the StatefulSet that a request is about.
func (c *cluster) set(r *http.Request) *appsv1.StatefulSet {
	name := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	if name == "statefulsets" {
		name = strings.TrimPrefix(r.URL.Query().Get("fieldSelector"), "metadata.name=")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	ready, all := c.count(name)
	n := int32(all)
	s := &appsv1.StatefulSet{TypeMeta: metav1.TypeMeta{Kind: "StatefulSet", APIVersion: "apps/v1"}, ObjectMeta: metav1.ObjectMeta{Namespace: "x", Name: name, Generation: 1, ResourceVersion: "1"}}
	s.Spec.Replicas, s.Spec.UpdateStrategy.Type = &n, appsv1.RollingUpdateStatefulSetStrategyType
	s.Status = appsv1.StatefulSetStatus{ObservedGeneration: 1, Replicas: n, UpdatedReplicas: n, CurrentReplicas: n, ReadyReplicas: int32(ready), CurrentRevision: "r", UpdateRevision: "r"}
	return s
}

// dump returns what kubectl get would print of the cluster.
func (c *cluster) dump() string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	nodes, err := c.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		c.Fatal(err)
	}
	pods, err := c.client.CoreV1().Pods("x").List(ctx, metav1.ListOptions{})
	if err != nil {
		c.Fatal(err)
	}
	for i := range nodes.Items {
		_ = encoder.Encode(&nodes.Items[i]) // it never fails in memory
	}
	for i := range pods.Items {
		_ = encoder.Encode(&pods.Items[i])
	}
	_ = encoder.Encode(c.budget())
	return b.String()
}

// said is what the test reads of tolero plan -o json.
type said struct {
	Result struct {
		Evictions []struct{ Pod, Node string }
		Stages    []struct{ Plan []string }
	}
}

func TestScript(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for half a minute")
	}
	c := newCluster(t)
	home := t.TempDir()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(home, "kubectl"))
	}
	if err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", filepath.Join(home, "tolero"), "./examples/tolero")
	build.Dir = "../../../.."
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	plan := func(format string) string {
		run := exec.Command(filepath.Join(home, "tolero"), "plan", "-f", "-", "-stages", "-o", format, "taint nodes n0 n1 n2 t:NoExecute")
		run.Stdin = strings.NewReader(c.dump())
		output, err := run.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, output)
		}
		return string(output)
	}
	var s said
	if err := json.Unmarshal([]byte(plan("json")), &s); err != nil || len(s.Result.Stages) != 3 {
		t.Fatalf("%v, %+v", err, s)
	}
	var want []string
	for _, stage := range s.Result.Stages {
		node := strings.Fields(stage.Plan[0])[3]
		want = append(want, "taint "+node)
		var evicted []string
		for _, e := range s.Result.Evictions {
			if e.Node == node {
				evicted = append(evicted, "evicted "+strings.TrimPrefix(e.Pod, "Pod x/"))
			}
		}
		want = append(want, evicted...)
	}
	if err := os.WriteFile(filepath.Join(home, "plan.sh"), []byte(plan("kubectl")), 0o600); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(c)
	defer server.Close()
	config := fmt.Sprintf("apiVersion: v1\nkind: Config\ncurrent-context: test\nclusters:\n- {name: c, cluster: {server: %q}}\ncontexts:\n- {name: test, context: {cluster: c, user: u}}\nusers:\n- {name: u, user: {token: t}}\n", server.URL)
	if err := os.WriteFile(filepath.Join(home, "config"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c.evict(ctx)
	go c.replace(ctx)
	run := exec.Command("bash", "plan.sh")
	run.Dir = home
	run.Env = append(os.Environ(), "HOME="+home, "KUBECONFIG="+filepath.Join(home, "config"), "PATH="+home+":"+os.Getenv("PATH"), "SETTLE=2", "TIMEOUT=120")
	output, err := run.CombinedOutput()
	time.Sleep(5 * time.Second) // the last stage is not waited for
	c.mu.Lock()
	log := byStage(c.log)
	c.mu.Unlock()
	if err != nil || !slices.Equal(log, byStage(want)) {
		t.Errorf("%v, %s\n%q, want\n%q", err, output, log, byStage(want))
	}
	for _, name := range podNames {
		if p, err := c.client.CoreV1().Pods("x").Get(ctx, name, metav1.GetOptions{}); err != nil || p.Spec.NodeName < "n3" {
			t.Errorf("%s is on %q, %v", name, p.Spec.NodeName, err)
		}
	}
}

// byStage sorts what happens between two taints: pods that are due at once are evicted in any order.
func byStage(log []string) (sorted []string) {
	for from := 0; from < len(log); {
		to := from + 1
		for to < len(log) && !strings.HasPrefix(log[to], "taint ") {
			to++
		}
		sorted = append(append(sorted, log[from]), slices.Sorted(slices.Values(log[from+1:to]))...)
		from = to
	}
	return sorted
}
