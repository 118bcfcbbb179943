package upstream

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/match/matchtest/vectors"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// vectorInput is the input of a vector, read as the objects of the real modules.
type vectorInput struct {
	FeatureGates map[string]bool
	Toleration   v1.Toleration
	Taint        v1.Taint
	Tolerations  []v1.Toleration
	Pod, OldPod  v1.Pod
	Node         v1.Node
	OldNode      v1.Node
	Nodes        []v1.Node
	Namespace    v1.Namespace
	RuntimeClass nodev1.RuntimeClass
	Flags        struct {
		NotReady      *int64 `json:"default-not-ready-toleration-seconds"`
		Unreachable   *int64 `json:"default-unreachable-toleration-seconds"`
		Register      string `json:"register-with-taints"`
		MonitorPeriod string `json:"node-monitor-period"`
	}
	Args            []string
	Overwrite       bool
	Operation       string
	Observed        []v1.NodeConditionType
	ShutDown        bool
	Ready, NotReady int
	Until           int64
	Events          []vectorEvent
}

type vectorEvent struct {
	At         int64
	Node       *v1.Node
	Pod        *v1.Pod
	DeleteNode string
	DeletePod  string
	Budget     *policyv1.PodDisruptionBudget `json:"podDisruptionBudget"`
	RenewLease string
	HideLease  string
}

func (in *vectorInput) gate() bool { return in.FeatureGates["TaintTolerationComparisonOperators"] }

func (in *vectorInput) taints() []taint.Taint { return kube.AppendTaints(nil, in.Node.Spec.Taints) }

func (in *vectorInput) tolerations() []toleration.Toleration {
	return kube.AppendTolerations(nil, in.Pod.Spec.Tolerations)
}

func milliseconds(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

var version = regexp.MustCompile(`k8s\.io/kubernetes@(v(1\.[0-9]+)\.[0-9]+)/`)

// release returns the release of Kubernetes that the tests are built with, and its
// module with the version, which the names of its source files have.
func release(t *testing.T) (kubernetes, module string) {
	file, _ := runtime.FuncForPC(reflect.ValueOf(tainttoleration.New).Pointer()).FileLine(0)
	m := version.FindStringSubmatch(file)
	if m == nil {
		t.Fatalf("no version in %s", file)
	}
	return m[2], "k8s.io/kubernetes " + m[1]
}

// TestVectors asks the code of Kubernetes every question of the vectors of its release:
// its answer must be that of the dialect kubernetes. The questions about devices are
// asked in package devices.
func TestVectors(t *testing.T) {
	kubernetes, module := release(t)
	cases, err := vectors.Load(kubernetes)
	must(t, err)
	confirmedBy(t, kubernetes, module)
	kinds := map[string]int{}
	for i := range cases {
		c := &cases[i]
		ask := vectorKinds[c.Ask]
		if ask == nil {
			if !strings.HasPrefix(c.Ask, "device") && !strings.HasPrefix(c.Ask, "validateDevice") && c.Ask != "validateRequest" {
				t.Errorf("%s: nobody confirms %s", c.ID, c.Ask)
			}
			continue
		}
		kinds[c.Ask]++
		confirmVector(t, c, ask)
	}
	t.Logf("%s: %v", module, kinds)
}

// confirmedBy compares the module with the one that the files name.
func confirmedBy(t *testing.T, kubernetes, module string) {
	names, err := fs.Glob(vectors.Files(), kubernetes+"/*/*.json")
	must(t, err)
	for _, name := range names {
		text, err := fs.ReadFile(vectors.Files(), name)
		must(t, err)
		var f vectors.File
		mustDecode(t, text, &f)
		if !slices.Contains(strings.Split(f.Confirmed, ", "), module) {
			t.Errorf("%s was confirmed by %s, not %s", name, f.Confirmed, module)
		}
	}
}

func confirmVector(t *testing.T, c *vectors.Case, ask func(*testing.T, *vectorInput, *vectors.Case) any) {
	in := new(vectorInput)
	decoder := json.NewDecoder(bytes.NewReader(c.Input))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(in); err != nil {
		t.Errorf("%s: %v", c.ID, err)
		return
	}
	setGateUntil(t, in.gate(), func() {
		got, err := json.Marshal(ask(t, in, c))
		must(t, err)
		if want := c.Expected("kubernetes"); !vectors.Equal(got, want) {
			t.Errorf("%s: %s\nKubernetes answers %s\nthe vector says    %s", c.ID, c.Input, got, want)
		}
	})
}

// setGateUntil sets the feature gate while f runs.
func setGateUntil(t *testing.T, on bool, f func()) {
	if !on {
		f()
		return
	}
	t.Run("gate on", func(t *testing.T) {
		setGate(t, true)
		f()
	})
}
