package upstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/rest/fake"
	kubectl "k8s.io/kubectl/pkg/cmd/taint"
	cmdtesting "k8s.io/kubectl/pkg/cmd/testing"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
	"k8s.io/kubectl/pkg/scheme"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
)

// cluster is what kubectl talks to: one node, which it may only read.
type cluster struct {
	factory *cmdtesting.TestFactory
	node    *v1.Node
}

func newCluster(t *testing.T) *cluster {
	c := &cluster{factory: cmdtesting.NewTestFactory()}
	t.Cleanup(c.factory.Cleanup)
	t.Cleanup(cmdutil.DefaultBehaviorOnFatal)
	cmdutil.BehaviorOnFatal(func(message string, _ int) { panic(fatal(message)) })
	c.factory.ClientConfigVal = cmdtesting.DefaultClientConfig()
	c.factory.Client = &fake.RESTClient{
		NegotiatedSerializer: scheme.Codecs.WithoutConversion(),
		GroupVersion:         v1.SchemeGroupVersion,
		Client:               fake.CreateHTTPClient(c.serve),
	}
	return c
}

// fatal is the message with which kubectl gives up.
type fatal string

func (c *cluster) serve(request *http.Request) (*http.Response, error) {
	if request.Method != http.MethodGet || request.URL.Path != "/nodes/"+nodeName {
		return nil, fmt.Errorf("unexpected request: %s %s", request.Method, request.URL)
	}
	body, err := json.Marshal(c.node)
	return &http.Response{StatusCode: http.StatusOK, Header: cmdtesting.DefaultHeader(), Body: io.NopCloser(bytes.NewReader(body))}, err
}

// taint runs kubectl taint --dry-run=client on a node with the given taints, and
// returns those that the node would have then.
func (c *cluster) taint(taints []taint.Taint, overwrite bool, specs ...string) (result []taint.Taint, err error) {
	c.node = newNode(taints)
	c.node.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}
	streams, _, out, _ := genericiooptions.NewTestIOStreams()
	command := kubectl.NewCmdTaint(c.factory, streams)
	flags := map[string]string{"dry-run": "client", "output": "json", "overwrite": fmt.Sprint(overwrite)}
	for name, value := range flags {
		if err := command.Flags().Set(name, value); err != nil {
			return nil, err
		}
	}
	defer func() {
		if message, ok := recover().(fatal); ok {
			err = errors.New(string(message))
		}
	}()
	command.Run(command, append([]string{"nodes", nodeName}, specs...))
	var node v1.Node
	if err := json.Unmarshal(out.Bytes(), &node); err != nil {
		return nil, fmt.Errorf("reading what kubectl prints: %w", err)
	}
	return kube.AppendTaints(nil, node.Spec.Taints), nil
}

// compareKubectl compares what kubectl and ParseChange with Apply make of a
// node: verdict and list, in order.
func (c *cluster) compareKubectl(t rapid.TB, taints []taint.Taint, overwrite bool, specs []string) (accepted bool) {
	want, wantErr := c.taint(taints, overwrite, specs...)
	change, err := taint.ParseChange(specs...)
	var got []taint.Taint
	if err == nil {
		got, err = change.Apply(nil, taints, overwrite)
	}
	if (err == nil) != (wantErr == nil) || err == nil && !taint.Equal(got, want) {
		t.Fatalf("%q on %q (overwrite: %t): got %q, %v, want %q, %v", specs, taints, overwrite, got, err, want, wantErr)
	}
	if err != nil {
		compareCauses(t, err, wantErr.Error())
	}
	return err == nil
}

// compareCauses compares why a change was refused, where that is on the node's
// account: a taint that exists, or one that does not.
func compareCauses(t rapid.TB, err error, want string) {
	if got, exists := errors.Is(err, taint.ErrExists), strings.Contains(want, "--overwrite is false"); got != exists {
		t.Fatalf("got error %v, want %s", err, want)
	}
	if got, missing := errors.Is(err, taint.ErrNotFound), strings.Contains(want, "not found"); got != missing {
		t.Fatalf("got error %v, want %s", err, want)
	}
}

// TestK2Kubectl parses specs with kubectl itself, on a node that has what may be
// removed. Arguments without "=", ":" and final "-" are left out, which to
// kubectl are names of nodes.
func TestK2Kubectl(t *testing.T) {
	c, compared, accepted := newCluster(t), 0, 0
	node := mustTaints("a=x:NoSchedule", "a:NoExecute", "b:NoSchedule", "b:PreferNoSchedule", "example.com/a:NoExecute")
	for _, spec := range specs() {
		if !strings.ContainsAny(spec, "=:") && !strings.HasSuffix(spec, "-") {
			continue
		}
		compared++
		if c.compareKubectl(t, node, true, []string{spec}) {
			accepted++
		}
	}
	t.Logf("%d specs compared, %d accepted", compared, accepted)
}

// TestK3Apply applies every command of one or two specs to every list of up to
// three taints with and without overwrite (rules K2 to K4).
func TestK3Apply(t *testing.T) {
	c := newCluster(t)
	nodes := slices.DeleteFunc(listsUpTo(3, mustTaints("a:NoSchedule", "a=x:NoSchedule", "a:NoExecute", "b:NoSchedule")),
		func(taints []taint.Taint) bool { return len(taints) == 3 && taints[0] == taints[1] }) // a few duplicates will do
	commands := listsUpTo(2, []string{"a:NoSchedule", "a=x:NoSchedule", "b=y:NoExecute", "c:PreferNoSchedule", "a-", "a:NoSchedule-", "b-", "b:NoExecute-"})[1:]
	accepted := 0
	for _, node := range nodes {
		for _, command := range commands {
			for _, overwrite := range [...]bool{true, false} {
				if c.compareKubectl(t, node, overwrite, command) {
					accepted++
				}
			}
		}
	}
	t.Logf("%d commands compared, %d accepted", 2*len(nodes)*len(commands), accepted)
}

// TestK4AddedTaintsInFront shows the order that kubectl leaves.
func TestK4AddedTaintsInFront(t *testing.T) {
	c := newCluster(t)
	node := mustTaints("old:NoSchedule", "a:NoSchedule", "b:NoSchedule")
	want := mustTaints("new:NoExecute", "b=y:NoSchedule", "old:NoSchedule")
	specs := []string{"new:NoExecute", "a-", "b=y:NoSchedule"}
	if got, err := c.taint(node, true, specs...); err != nil || !taint.Equal(got, want) {
		t.Errorf("kubectl makes %q, %v, want %q", got, err, want)
	}
	c.compareKubectl(t, node, true, specs)
}

// TestK3ApplyGenerated applies longer commands to longer lists, whose taints
// have a TimeAdded or not.
func TestK3ApplyGenerated(t *testing.T) {
	c := newCluster(t)
	spec := rapid.StringMatching(`[a-d](=[xy]?)?:(No(Schedule|Execute)|PreferNoSchedule)-?|[a-d]-`)
	all := allTaints([]string{"a", "b", "c", "d"}, []string{"", "x"}, effectWords[1:4])
	for _, x := range all {
		x.TimeAdded = &taint.Time{Time: time.Unix(1_790_000_000, 0)}
		all = append(all, x)
	}
	node := rapid.SliceOfN(rapid.SampledFrom(all), 0, 8)
	rapid.Check(t, func(t *rapid.T) {
		c.compareKubectl(t, node.Draw(t, "node"), rapid.Bool().Draw(t, "overwrite"), rapid.SliceOfN(spec, 1, 5).Draw(t, "specs"))
	})
}
