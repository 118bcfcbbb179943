package kubectlget

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/kubectl/pkg/cmd/get"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
)

// TestMain is kubectl get itself under the name kubectl.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "kubectl" {
		flags := genericclioptions.NewConfigFlags(true)
		root := &cobra.Command{Use: "kubectl", SilenceUsage: true}
		flags.AddFlags(root.PersistentFlags())
		root.AddCommand(get.NewCmdGet("kubectl", cmdutil.NewFactory(flags), genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}))
		if err := root.Execute(); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type object = map[string]any

// server is an API server for those who only read.
type server struct {
	*testing.T
	mu       sync.Mutex
	lists    map[string][]object // by path
	chunks   int                 // that were asked for beyond the first
	watchers chan watcher
	ended    chan bool
}

// watcher is somebody who watches a list.
type watcher struct {
	path string
	http.ResponseWriter
}

var resources = map[string]string{ // by path of the group and version
	"/api/v1":         "nodes/Node pods/Pod persistentvolumeclaims/PersistentVolumeClaim persistentvolumes/PersistentVolume",
	"/apis/apps/v1":   "daemonsets/DaemonSet",
	"/apis/policy/v1": "poddisruptionbudgets/PodDisruptionBudget",
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		s.Errorf("%s %s: it must only read", r.Method, r.URL)
	}
	s.mu.Lock()
	items, found := s.lists[r.URL.Path]
	s.mu.Unlock()
	query := r.URL.Query()
	var answer object
	switch {
	case r.URL.Path == "/api":
		answer = object{"kind": "APIVersions", "versions": []string{"v1"}}
	case r.URL.Path == "/apis":
		answer = object{"kind": "APIGroupList", "apiVersion": "v1", "groups": []object{group("apps"), group("policy")}}
	case resources[r.URL.Path] != "":
		var all []object
		for _, resource := range strings.Fields(resources[r.URL.Path]) {
			name, kind, _ := strings.Cut(resource, "/")
			all = append(all, object{"name": name, "kind": kind, "namespaced": kind != "Node" && kind != "PersistentVolume", "verbs": []string{"get", "list", "watch"}})
		}
		version := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/apis/"), "/api/")
		answer = object{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": version, "resources": all}
	case found && query.Get("watch") != "":
		w.Header().Set("Content-Type", "application/json")
		w.(http.Flusher).Flush()
		select {
		case s.watchers <- watcher{r.URL.Path, w}:
			<-s.ended
		case <-r.Context().Done():
		}
		return
	case found:
		limit, _ := strconv.Atoi(query.Get("limit"))
		from, _ := strconv.Atoi(query.Get("continue"))
		meta := object{"resourceVersion": "7"}
		to := len(items)
		if limit > 0 && from+limit < len(items) {
			to = from + limit
			meta["continue"] = fmt.Sprint(to)
		}
		if from > 0 {
			s.mu.Lock()
			s.chunks++
			s.mu.Unlock()
		}
		answer = object{"kind": "List", "apiVersion": "v1", "metadata": meta, "items": items[from:to]}
	default:
		name := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		answer = object{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Forbidden", "code": 403,
			"message": name + ` is forbidden: User "jane" cannot list resource "` + name + `" in API group "" at the cluster scope`}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

func group(name string) object {
	version := object{"groupVersion": name + "/v1", "version": "v1"}
	return object{"name": name, "versions": []object{version}, "preferredVersion": version}
}

// start runs the server, and puts tolero and kubectl on the PATH, with a configuration for the
// server alone in an empty home.
func start(t *testing.T) *server {
	t.Helper()
	s := &server{T: t, lists: make(map[string][]object), watchers: make(chan watcher), ended: make(chan bool)}
	for path, names := range resources {
		for _, resource := range strings.Fields(names) {
			name, _, _ := strings.Cut(resource, "/")
			s.lists[path+"/"+name], s.lists[path+"/namespaces/shop/"+name] = []object{}, []object{}
		}
	}
	listening := httptest.NewServer(s)
	t.Cleanup(listening.CloseClientConnections)
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
	config := fmt.Sprintf("apiVersion: v1\nkind: Config\nclusters:\n- {name: c, cluster: {server: %q}}\ncontexts:\n- {name: test, context: {cluster: c, user: u}}\nusers:\n- {name: u, user: {token: very-secret}}\n", listening.URL)
	if err := os.WriteFile(filepath.Join(home, "config"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Setenv("KUBECONFIG", "")
	t.Setenv("PATH", home)
	return s
}

// tolero runs the program for the server.
func tolero(args ...string) *exec.Cmd {
	return exec.Command("tolero", append(args, "-context", "test", "-kubeconfig", filepath.Join(os.Getenv("HOME"), "config"))...)
}

// world is two nodes and so many pods, one of which waits.
func (s *server) world(pods int) {
	taints := []object{{"key": "gpu", "effect": "NoSchedule"}}
	var nodes, all []object
	for _, name := range []string{"a", "b"} {
		nodes = append(nodes, object{"kind": "Node", "apiVersion": "v1", "metadata": object{"name": name}, "spec": object{"taints": taints}})
	}
	for i := range pods {
		all = append(all, object{"kind": "Pod", "apiVersion": "v1", "metadata": object{"name": fmt.Sprint("p", i), "namespace": "shop"}, "spec": object{"nodeName": "a"}})
	}
	all[pods-1]["spec"] = object{}
	s.lists["/api/v1/nodes"], s.lists["/api/v1/pods"], s.lists["/api/v1/namespaces/shop/pods"] = nodes, all, all[pods-1:]
}

// The cluster that kubectl gets is the one of the server, in chunks where it is large.
func TestRead(t *testing.T) {
	s := start(t)
	s.world(1201)
	var stderr bytes.Buffer
	c := tolero("why", "-v")
	c.Stderr = &stderr
	output, err := c.Output()
	if err != nil || !strings.HasPrefix(string(output), "Pod shop/p1200\n") || !strings.Contains(stderr.String(), "read 2 nodes and 1,201 pods\n") || s.chunks != 2 {
		t.Errorf("%v, %d chunks more\n%s%s", err, s.chunks, output, &stderr)
	}
	for _, name := range []string{"nodes", "pods", "daemonsets.apps", "persistentvolumeclaims", "persistentvolumes"} {
		if !strings.Contains(strings.Join(strings.Fields(stderr.String()), " "), "kubectl get "+name+" --output=json --context=test --kubeconfig="+os.Getenv("HOME")) {
			t.Errorf("it does not tell of %s:\n%s", name, &stderr)
		}
	}
	output, err = tolero("why", "-n", "shop", "p1200").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(output), "Not read: pods: those of other namespaces than shop") || !strings.Contains(string(output), "\nPod shop/p1200\n") {
		t.Errorf("%v\n%s", err, output)
	}
	if output, err = tolero("matrix").CombinedOutput(); err != nil || !strings.HasPrefix(string(output), "the cluster of context test: 1,201 pods") {
		t.Errorf("kinds that the server does not have: %v\n%s", err, output)
	}
}

// What is forbidden is named, with the reason of the API server, and without the token.
func TestForbidden(t *testing.T) {
	s := start(t)
	s.world(3)
	delete(s.lists, "/api/v1/persistentvolumes")
	output, err := tolero("why").CombinedOutput()
	text := strings.Join(strings.Fields(string(output)), " ")
	if err != nil || !strings.HasPrefix(text, `Not read: persistentvolumes: Error from server (Forbidden): persistentvolumes is forbidden: User "jane" cannot list`) || !strings.Contains(text, " Pod shop/p2 ") {
		t.Errorf("%v\n%s", err, output)
	}
	for path := range s.lists {
		delete(s.lists, path)
	}
	output, err = tolero("why").CombinedOutput()
	text = strings.Join(strings.Fields(string(output)), " ")
	if err == nil || strings.Count(text, "is forbidden") != 5 || strings.Contains(text, "very-secret") {
		t.Errorf("%v\n%s", err, output)
	}
	output, err = exec.Command("tolero", "why", "-context", "none", "-kubeconfig", filepath.Join(os.Getenv("HOME"), "config")).CombinedOutput()
	if err == nil || !strings.Contains(string(output), "context was not found for specified context: none") {
		t.Errorf("%v\n%s", err, output)
	}
}

// A watch tells what changes, and goes on when the server has watched for long enough.
func TestWatch(t *testing.T) {
	s := start(t)
	s.world(3)
	c := tolero("watch")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	want := func(text string) {
		t.Helper()
		line, err := lines.ReadString('\n')
		if err != nil || !strings.Contains(line, text) {
			t.Fatalf("%q, %v; want %s; %s", line, err, text, &stderr)
		}
	}
	<-s.watchers
	<-s.watchers
	want(" 2 nodes and 3 pods")
	want(" tainted: Node")
	want(" pending: Pod shop/p2: taints ")
	s.mu.Lock()
	pods := slices.Clone(s.lists["/api/v1/pods"])
	s.lists["/api/v1/pods"] = pods[:2]
	s.mu.Unlock()
	for range 2 { // both watches end; the pod is gone when kubectl lists again
		s.ended <- true
	}
	w, other := <-s.watchers, <-s.watchers
	if w.path != "/api/v1/nodes" {
		w = other
	}
	want(" gone, and was pending: Pod shop/p2")
	_ = json.NewEncoder(w).Encode(object{"type": "MODIFIED", "object": object{"kind": "Node", "apiVersion": "v1", "metadata": object{"name": "a", "resourceVersion": "9"},
		"spec": object{"taints": []object{{"key": "drain", "effect": "NoExecute", "timeAdded": "2026-03-02T09:00:00Z"}}}}})
	w.ResponseWriter.(http.Flusher).Flush()
	want(" tainted: Node a: drain:NoExecute")
	want(" to be evicted: Pod")
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil || stderr.Len() > 0 {
		t.Errorf("%v, %s", err, &stderr)
	}
	close(s.ended)
}
