package manifest_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

const waiting = `
apiVersion: v1
kind: Node
metadata: {name: a, creationTimestamp: 2026-01-01T00:00:00Z, labels: {zone: x}}
spec: {taints: [{key: spot, effect: NoExecute, timeAdded: 2026-01-02T10:00:00Z}]}
status:
  allocatable: {cpu: 1930m, memory: 7Gi, pods: "110", nvidia.com/gpu: 1}
  conditions: [{type: Ready, status: "False", reason: KubeletNotReady, message: no network, lastTransitionTime: 2026-01-02T09:00:00Z, lastHeartbeatTime: 2026-01-02T10:04:00Z}]
---
apiVersion: v1
kind: Pod
metadata: {name: web-0, namespace: shop, creationTimestamp: 2026-01-02T09:30:00Z, labels: {app: web, tier: front}}
spec:
  schedulerName: default-scheduler
  schedulingGates: [{name: example.com/quota}]
  overhead: {cpu: 10m}
  initContainers:
  - resources: {requests: {cpu: 900m, memory: 100Mi}}
  - {restartPolicy: Always, resources: {requests: {cpu: 100m}}}
  - resources: {requests: {cpu: 1}}
  containers:
  - {resources: {requests: {cpu: 500m, memory: 1Gi}, limits: {cpu: 2}}, ports: [{containerPort: 80, hostPort: 8080}]}
  - resources: {limits: {memory: "1.5", nvidia.com/gpu: 1}}
  volumes: [{name: data, persistentVolumeClaim: {claimName: data-web-0}}, {name: tmp, ephemeral: {}}, {name: etc, configMap: {}}]
  affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone}, {}]}, podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{}]}}
  topologySpreadConstraints: [{whenUnsatisfiable: ScheduleAnyway}, {whenUnsatisfiable: DoNotSchedule}]
  resourceClaims: [{name: gpu}]
status:
  phase: Pending
  nominatedNodeName: a
  conditions:
  - {type: PodScheduled, status: "False", reason: Unschedulable, message: 0/1 nodes are available, lastTransitionTime: 2026-01-02T09:31:00Z}
---
apiVersion: v1
kind: Pod
metadata: {name: web-1, namespace: shop, labels: {app: web, tier: back}}
spec: {nodeName: a, resources: {requests: {cpu: 50m, nvidia.com/gpu: 9}}, containers: [{resources: {requests: {cpu: 20m, memory: 1k}}}]}
status: {phase: Running, startTime: 2026-01-02T10:05:00Z, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data-web-0, namespace: shop}
spec: {volumeName: pv-1, resources: {requests: {storage: 1Gi}}}
status: {phase: Bound}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv-1}
spec: {nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [z]}]}]}}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {minAvailable: 50%, selector: {matchLabels: {app: web}, matchExpressions: [{key: tier, operator: NotIn, values: [front]}]}}
status: {disruptionsAllowed: 1}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: all, namespace: shop}
spec: {maxUnavailable: 1, unhealthyPodEvictionPolicy: AlwaysAllow, selector: {}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: none, namespace: shop}
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: a}
spec: {renewTime: "2026-01-02T10:05:45.000000Z"}
`

func loadState(t *testing.T, text string) *manifest.Cluster {
	t.Helper()
	l := manifest.Loader{State: true}
	if err := l.Read("x", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return l.Cluster()
}

// What the volumes of a pod require of its node is part of its affinity.
func TestVolumeAffinity(t *testing.T) {
	l := manifest.Loader{State: true, Placement: true}
	const more = `
---
kind: Pod
metadata: {name: other, namespace: other}
spec: {volumes: [{persistentVolumeClaim: {claimName: data-web-0}}]}
---
kind: Pod
metadata: {name: unbound, namespace: shop}
spec: {volumes: [{persistentVolumeClaim: {claimName: unbound}}, {persistentVolumeClaim: {claimName: missing}}]}
---
kind: PersistentVolumeClaim
metadata: {name: unbound, namespace: shop}
`
	if err := l.Read("x", strings.NewReader(waiting+more)); err != nil {
		t.Fatal(err)
	}
	_ = l.Cluster()
	c := l.Cluster()
	for i := range c.Pods {
		p := &c.Pods[i]
		want := map[string]int{"web-0": 1}[p.Name]
		if len(p.Affinity.Volumes) != want || want > 0 && (p.Affinity.Matches("a", map[string]string{"zone": "x"}) || !p.Affinity.Matches("a", map[string]string{"zone": "z"})) {
			t.Errorf("%s: %+v", p.Name, p.Affinity)
		}
	}
}

func at(hour, minute int) time.Time { return time.Date(2026, 1, 2, hour, minute, 0, 0, time.UTC) }

// What says why a pod waits is read on request, each field as the input has it.
func TestState(t *testing.T) {
	c := loadState(t, waiting)
	if len(c.Faults) > 0 {
		t.Fatal(c.Faults)
	}
	node := &manifest.NodeState{
		Allocatable: manifest.ResourceList{"cpu": 1930, "memory": 7 << 30, "pods": 110, "nvidia.com/gpu": 1},
		Conditions:  []manifest.Condition{{Type: "Ready", Status: "False", Reason: "KubeletNotReady", Message: "no network", Since: at(9, 0)}},
	}
	// CPU: 500m + sidecar 100m is less than the init container of 1 beside the sidecar.
	// Memory: 1Gi and 1.5 bytes, which counts as 2.
	first := &manifest.PodState{
		Labels: map[string]string{"app": "web", "tier": "front"}, Scheduler: "default-scheduler", Gates: []string{"example.com/quota"},
		Scheduled: manifest.Condition{Type: "PodScheduled", Status: "False", Reason: "Unschedulable", Message: "0/1 nodes are available", Since: at(9, 31)},
		Nominated: "a", Claims: []string{"data-web-0", "web-0-tmp"}, Devices: []string{""},
		Requests:    manifest.ResourceList{"cpu": 1110, "memory": 1<<30 + 2, "nvidia.com/gpu": 1},
		Constraints: []string{"hostPort", "affinity.podAntiAffinity", "topologySpreadConstraints", "resourceClaims"},
	}
	second := &manifest.PodState{
		Labels: map[string]string{"app": "web", "tier": "back"}, Ready: true,
		Requests: manifest.ResourceList{"cpu": 50, "memory": 1000}, // what the pod as a whole requests, but not of GPUs
	}
	zone := affinity.Required{Terms: []affinity.Term{{Expressions: []affinity.Requirement{{Key: "zone", Operator: "In", Values: []string{"z"}}}}}}
	web := affinity.Required{
		NodeSelector: map[string]string{"app": "web"},
		Terms:        []affinity.Term{{Expressions: []affinity.Requirement{{Key: "tier", Operator: "NotIn", Values: []string{"front"}}}}},
	}
	want := &manifest.Cluster{
		Claims:  []manifest.Claim{{Phase: "Bound", VolumeName: "pv-1"}},
		Volumes: []manifest.Volume{{Affinity: zone}},
		Budgets: []manifest.Budget{
			{Selector: web, DisruptionsAllowed: 1},
			{UnhealthyPodEvictionPolicy: "AlwaysAllow", NoStatus: true},
			{Selector: affinity.Required{Terms: []affinity.Term{}}, NoStatus: true},
		},
		Others: map[string]int{"Lease": 1}, Latest: at(10, 5).Add(45 * time.Second),
	}
	named := cmp.Comparer(func(manifest.Object, manifest.Object) bool { return true }) // those of want have no names
	got := *c
	got.Nodes, got.Pods = nil, nil
	for _, d := range []string{
		cmp.Diff(node, c.Nodes[0].State), cmp.Diff(first, c.Pods[0].State), cmp.Diff(second, c.Pods[1].State), cmp.Diff(want, &got, named),
	} {
		if d != "" {
			t.Error(d)
		}
	}
	var plain manifest.Loader
	if err := plain.Read("x", strings.NewReader(waiting)); err != nil {
		t.Fatal(err)
	}
	c = plain.Cluster()
	if c.Nodes[0].State != nil || c.Pods[0].State != nil || c.Budgets != nil || !c.Latest.IsZero() || c.Others["PodDisruptionBudget"] != 3 {
		t.Errorf("read without being asked for: %+v", c)
	}
}

// A budget protects the pods of its namespace that it selects and that the eviction API
// would ask it about.
func TestProtects(t *testing.T) {
	c := loadState(t, waiting)
	running := c.Pods[1]
	for name, test := range map[string]struct {
		change func(*manifest.Pod)
		want   string // by the budgets web, all and none
	}{
		"as it is":         {func(p *manifest.Pod) {}, "110"},
		"another label":    {func(p *manifest.Pod) { p.State.Labels = map[string]string{"app": "web", "tier": "front"} }, "010"},
		"no label":         {func(p *manifest.Pod) { p.State.Labels = nil }, "010"},
		"not ready":        {func(p *manifest.Pod) { p.State.Ready = false }, "100"},
		"starting":         {func(p *manifest.Pod) { p.Phase = "Pending" }, "000"},
		"ended":            {func(p *manifest.Pod) { p.Phase = "Failed" }, "000"},
		"being deleted":    {func(p *manifest.Pod) { p.Terminating = true }, "000"},
		"elsewhere":        {func(p *manifest.Pod) { p.Namespace = "other" }, "000"},
		"elsewhere too":    {func(p *manifest.Pod) { p.Namespace = "zoo" }, "000"},
		"a task":           {func(p *manifest.Pod) { p.Kind = "Task" }, "000"},
		"phase not known":  {func(p *manifest.Pod) { p.Phase = "" }, "110"},
		"a workload":       {func(p *manifest.Pod) { p.Kind = "Deployment" }, "000"},
		"state not loaded": {func(p *manifest.Pod) { p.State = nil }, "000"},
	} {
		p, state := running, *running.State
		p.State = &state
		test.change(&p)
		got := ""
		for i := range c.Budgets {
			got += map[bool]string{true: "1", false: "0"}[c.Budgets[i].Protects(&p)]
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// What is no amount is a fault that names it, and the rest is kept.
func TestStateFaults(t *testing.T) {
	c := loadState(t, `
kind: Pod
metadata: {name: a, creationTimestamp: yesterday}
spec:
  Containers: []
  containers: [{resources: {requests: {cpu: much, memory: -1, x: [1], v: 1, z: null}, limits: 7}}, 5]
status: {conditions: x}
---
kind: Node
status: {allocatable: {cpu: 1K}}
---
kind: Gadget
spec: {selector: 7, minAvailable: []}
`)
	var got []string
	for i := range c.Faults {
		got = append(got, c.Faults[i].Err.Error())
	}
	want := []string{
		`metadata.creationTimestamp: invalid value "yesterday": want a time such as 2006-01-02T15:04:05Z`,
		`spec.Containers: forbidden: there is no such field; it is ignored (is containers meant? Case matters)`,
		`spec.containers[0].resources.requests.cpu: invalid value "much": must be a decimal number with an optional suffix: n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei, or e and an exponent; it is left out`,
		`spec.containers[0].resources.requests.memory: invalid value "-1": must not be negative; it is left out`,
		`spec.containers[0].resources.requests.x: invalid value "": want an amount of a resource, found a list`,
		`spec.containers[0].resources.limits: invalid value "7": want an object, found a number`,
		`spec.containers[1]: invalid value "5": want an object, found a number`,
		`status.conditions: invalid value "x": want a list, found a string`,
		`status.allocatable.cpu: invalid value "1K": must be a decimal number with an optional suffix: n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei, or e and an exponent; it is left out`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got := c.Pods[0].State.Requests; len(got) != 1 || got["v"] != 1 {
		t.Errorf("requests %v", got)
	}
}

// Sums do not overflow.
func TestHugeRequests(t *testing.T) {
	c := loadState(t, `{kind: Pod, spec: {containers: [{resources: {requests: {cpu: 9E, memory: 9E}}}, {resources: {requests: {cpu: 9E, memory: 9E}}}]}}`)
	if got := c.Pods[0].State.Requests; got["cpu"] != 1<<63-1 || got["memory"] != (1<<63-1)/1000+1 {
		t.Errorf("requests %v", got)
	}
}

// A source that is compressed by gzip is read as what it has, and one that only looks like
// gzip, or is cut off, is an error.
func TestGzip(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte(waiting))
	z.Close()
	for text, want := range map[string]string{
		zipped.String(): "", zipped.String()[:100]: "x: ", "\x1f\x8bgarbage": "x: it begins as gzip does: ",
	} {
		var l manifest.Loader
		err := l.Read("x", strings.NewReader(text))
		switch {
		case want == "" && (err != nil || len(l.Cluster().Pods) != 2):
			t.Errorf("%v, %d pods", err, len(l.Cluster().Pods))
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)):
			t.Errorf("%.9q: %v, want %q", text, err, want)
		}
	}
}

// Requests add up as in kube-scheduler. Each sum was worked out by hand, one for each shape of a pod.
func TestRequests(t *testing.T) {
	request := func(list string) string { return `{resources: {requests: {` + list + `}}}` }
	sidecar := func(list string) string { return `{restartPolicy: Always, resources: {requests: {` + list + `}}}` }
	for _, c := range []struct{ spec, want string }{
		{``, `map[]`},
		{`containers: [` + request(`cpu: 1`) + `, ` + request(`cpu: 2`) + `]`, `map[cpu:3000]`},
		{`containers: [` + request(`cpu: 1`) + `], initContainers: [` + request(`cpu: 3`) + `, ` + request(`cpu: 2`) + `]`, `map[cpu:3000]`},
		{`containers: [` + request(`cpu: 2`) + `], initContainers: [` + sidecar(`cpu: 3`) + `]`, `map[cpu:5000]`},
		{`containers: [` + request(`cpu: 1`) + `], initContainers: [` + request(`cpu: 3`) + `, ` + sidecar(`cpu: 1`) + `]`, `map[cpu:3000]`},
		{`containers: [` + request(`cpu: 1`) + `], initContainers: [` + sidecar(`cpu: 1`) + `, ` + request(`cpu: 3`) + `]`, `map[cpu:4000]`},
		{`containers: [` + request(`cpu: 1`) + `], initContainers: [` + sidecar(`cpu: 1`) + `, ` + request(`cpu: 2`) + `, ` + sidecar(`cpu: 2`) + `]`, `map[cpu:4000]`},
		{`containers: [` + request(`cpu: 1`) + `], initContainers: [{restartPolicy: OnFailure, resources: {requests: {cpu: 2}}}, {restartPolicy: Zero, resources: {requests: {cpu: 2}}}]`, `map[cpu:2000]`},
		{`containers: [{resources: {limits: {cpu: 2, memory: 1}, requests: {cpu: 1}}}, {resources: {limits: {cpu: 3}}}]`, `map[cpu:4000 memory:1]`},
		{`containers: [` + request(`cpu: 1, memory: 2, hugepages-2Mi: 3, ephemeral-storage: 4, a: 5, z: 6`) + `], resources: {requests: {cpu: 7, memory: 8, hugepages-2Mi: 9, ephemeral-storage: 10, a: 11, z: 12}}`,
			`map[a:5 cpu:7000 ephemeral-storage:4 hugepages-2Mi:9 memory:8 z:6]`},
		{`overhead: {cpu: 1, a: 500m}, resources: {requests: {cpu: 1}}`, `map[a:1 cpu:2000]`},
		{`containers: [` + request(`cpu: 0, a: 0, memory: 999m, z: 1001m`) + `]`, `map[a:0 cpu:0 memory:1 z:2]`},
	} {
		l := loadState(t, `{kind: Pod, spec: {`+c.spec+`}}`)
		if got := fmt.Sprint(l.Pods[0].State.Requests); got != c.want || len(l.Faults) > 0 {
			t.Errorf("%s: %s, want %s; %v", c.spec, got, c.want, l.Faults)
		}
	}
}

// Each of these makes one difference to what is read.
func TestStateFields(t *testing.T) {
	for _, c := range []struct{ object, want string }{
		{`{kind: Pod, spec: {containers: [{ports: [{hostPort: 1}, {hostPort: 2}]}]}}`, `[hostPort]`},
		{`{kind: Pod, spec: {containers: [{ports: [{hostPort: 0}, {hostPort: null}, {}]}]}}`, `[]`},
		{`{kind: Pod, spec: {topologySpreadConstraints: [{}]}}`, `[topologySpreadConstraints]`},
		{`{kind: Pod, spec: {topologySpreadConstraints: [{whenUnsatisfiable: ScheduleAnyway}]}}`, `[]`},
		{`{kind: Pod, spec: {affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{}]}}}}`, `[affinity.podAffinity]`},
		{`{kind: Pod, spec: {affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: []}}}}`, `[]`},
	} {
		if got := fmt.Sprint(loadState(t, c.object).Pods[0].State.Constraints); got != c.want {
			t.Errorf("%s: %s, want %s", c.object, got, c.want)
		}
	}
	for _, status := range []string{"True", "False", "Unknown", "A"} {
		if got := loadState(t, `{kind: Pod, status: {conditions: [{type: Ready, status: "`+status+`"}]}}`).Pods[0].State.Ready; got != (status == "True") {
			t.Errorf("ready %s: %t", status, got)
		}
	}
	for _, kind := range []string{"Deployment", "StatefulSet"} {
		if got := loadState(t, `{kind: `+kind+`, metadata: {labels: {a: b}, creationTimestamp: 2026-01-02T10:00:00Z}}`).Pods[0].State; got.Labels != nil {
			t.Errorf("%s: %+v", kind, got)
		}
	}
	for object, want := range map[string]time.Time{
		`{kind: Node, spec: {taints: [{key: a, effect: NoExecute, timeAdded: 2026-01-02T10:05:00Z}, {key: b, effect: NoSchedule}]}}`: at(10, 5),
		`{kind: Node, status: {conditions: [{lastHeartbeatTime: 2026-01-02T10:06:00Z, lastTransitionTime: 2026-01-02T10:01:00Z}]}}`:  at(10, 6),
		`{kind: Gadget, status: {conditions: [{lastProbeTime: 2026-01-02T10:07:00Z}]}}`:                                              at(10, 7),
		`{kind: Pod, metadata: {deletionTimestamp: 2026-01-02T10:08:00Z}, status: {startTime: 2026-01-02T10:02:00Z}}`:                at(10, 2), // it is a time to come
		`{kind: Gadget, metadata: {creationTimestamp: 2026-01-02T10:09:00Z}}`:                                                        at(10, 9),
	} {
		if got := loadState(t, object).Latest; !got.Equal(want) {
			t.Errorf("%s: %v, want %v", object, got, want)
		}
	}
	// A taint of a clock that is wrong does not count, if there are heartbeats.
	taints := `kind: Node, spec: {taints: [{key: a, effect: NoExecute, timeAdded: 2026-01-02T10:06:00Z}, {key: b, effect: NoExecute, timeAdded: 2026-01-02T11:00:00Z}]}`
	for object, want := range map[string]time.Time{
		`{` + taints + `, status: {conditions: [{lastHeartbeatTime: 2026-01-02T10:01:00Z}]}}`:  at(10, 6),
		`{` + taints + `, status: {conditions: [{lastHeartbeatTime: 2026-01-02T10:50:00Z}]}}`:  at(11, 0),
		`{` + taints + `, metadata: {creationTimestamp: 2026-01-02T10:00:00Z}}`:                at(11, 0),
		"{" + taints + "}\n---\n{kind: Lease, spec: {renewTime: 2026-01-02T10:01:00.000000Z}}": at(10, 6),
		"{kind: Lease, spec: {renewTime: 2026-01-02T10:01:00.000000Z}}\n---\n{" + taints + "}": at(10, 6),
	} {
		if got := loadState(t, object).Latest; !got.Equal(want) {
			t.Errorf("%s: %v, want %v", object, got, want)
		}
	}
	for _, kind := range []string{"PersistentVolumeClaim", "PersistentVolume", "PodDisruptionBudget", "Service"} {
		c := loadState(t, `{apiVersion: example.com/v1, kind: `+kind+`, spec: {selector: []}}`)
		if c.Others[kind] != 1 || len(c.Claims)+len(c.Volumes)+len(c.Budgets)+len(c.Faults) > 0 {
			t.Errorf("%s of another group: %+v", kind, c)
		}
	}
	if c := loadState(t, `{kind: PodDisruptionBudget, spec: {selector: [], unhealthyPodEvictionPolicy: AlwaysAllow}}`); len(c.Faults) != 1 || c.Budgets[0].UnhealthyPodEvictionPolicy != "AlwaysAllow" {
		t.Errorf("%+v", c)
	}
}

// Many sidecars with different resources take linear time: this would not end otherwise.
func TestManySidecars(t *testing.T) {
	const n = 100_000
	var b strings.Builder
	b.WriteString(`{"kind": "Pod", "spec": {"initContainers": [`)
	for i := range n {
		fmt.Fprintf(&b, `{"restartPolicy": "Always", "resources": {"requests": {"r%d": 1}}}, {"resources": {"requests": {"r%d": 1}}}, `, i, i)
	}
	b.WriteString(`{}]}}`)
	got := loadState(t, b.String()).Pods[0].State.Requests
	if len(got) != n || got["r0"] != 2 {
		t.Errorf("%d resources, %d of the first", len(got), got["r0"])
	}
}

// What a pod claims of devices: by name, made from a template, and not made yet.
func TestDeviceClaims(t *testing.T) {
	c := loadState(t, `{kind: Pod, spec: {resourceClaims: [{name: a, resourceClaimName: own}, {name: b, resourceClaimTemplateName: t}, {name: c, resourceClaimTemplateName: t}]}, status: {resourceClaimStatuses: [{name: b, resourceClaimName: p-b-x}]}}
---
{kind: Deployment, spec: {template: {spec: {resourceClaims: [{name: a, resourceClaimTemplateName: t}]}}}}
---
{kind: ResourceClaim, apiVersion: resource.k8s.io/v1, metadata: {name: own}, status: {allocation: {devices: {}}}}
---
{kind: ResourceClaim, apiVersion: resource.k8s.io/v1, metadata: {name: p-b-x}, status: {allocation: null}}
---
{kind: ResourceClaim, apiVersion: example.com/v1, metadata: {name: other}}
`)
	if got, want := fmt.Sprintf("%q %q", c.Pods[0].State.Devices, c.Pods[1].State.Devices), `["own" "p-b-x" ""] [""]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(c.Devices) != 2 || c.Devices[0].Phase != "Bound" || c.Devices[1].Phase != "Pending" || c.Devices[1].Name != "p-b-x" || c.Others["ResourceClaim"] != 1 || len(c.Claims) > 0 {
		t.Errorf("%+v", c)
	}
}
