package source

import (
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// requests is a container.
func requests(limits map[string]admit.Quantity, pairs ...string) canonical.Container {
	c := canonical.Container{Resources: admit.Resources{Requests: map[string]admit.Quantity{}, Limits: limits}}
	for i := 0; i < len(pairs); i += 2 {
		c.Resources.Requests[pairs[i]] = admit.Quantity(pairs[i+1])
	}
	return c
}

const (
	notReady    = taint.KeyNotReady
	unreachable = taint.KeyUnreachable
)

// admission is about rules A.
func admission(l *list) {
	seconds := func(n int64) *int64 { return &n }
	for _, c := range []struct{ about, pods string }{
		{"an ordinary pod", ""},
		{"others are kept", "a,b:NoSchedule"},
		{"its own for not-ready", notReady + ":NoExecute@5"},
		{"its own for unreachable, every effect", unreachable},
		{"NoSchedule is another effect", notReady + ":NoSchedule"},
		{"everything", "*"},
		{"everything of NoSchedule", "*:NoSchedule"},
		{"Equal counts", notReady + "=x:NoExecute"},
		{"Gt counts", notReady + ">5:NoExecute"},
		{"both", notReady + ":NoExecute," + unreachable + ":NoExecute"},
	} {
		l.add("A1", "defaultTolerationSeconds", c.about, canonical.Input{Pod: pod(c.pods)})
	}
	l.add("A1", "defaultTolerationSeconds", "numbers of the flags", canonical.Input{Pod: pod(""), Flags: &canonical.Flags{NotReadySeconds: seconds(30), UnreachableSeconds: seconds(0)}})

	for _, c := range []struct {
		about, pods string
		host        bool
	}{
		{"six", "", false},
		{"seven on the host network", "", true},
		{"one that is there loses its seconds", notReady + ":NoExecute@5", false},
		{"others are kept in front", "a", false},
		{"everything is tolerated already", "*", false},
	} {
		p := pod(c.pods)
		p.Spec.HostNetwork = c.host
		l.add("A2", "daemonSetTolerations", c.about, canonical.Input{Pod: p})
	}

	for _, c := range []struct {
		about string
		init  []canonical.Container
		pod   []canonical.Container
	}{
		{"nothing", nil, []canonical.Container{requests(nil)}},
		{"a CPU request", nil, []canonical.Container{requests(nil, "cpu", "100m")}},
		{"zero is nothing", nil, []canonical.Container{requests(nil, "cpu", "0", "memory", "0m")}},
		{"other resources do not count", nil, []canonical.Container{requests(nil, "example.com/gpu", "1")}},
		{"requests and the same limits", nil, []canonical.Container{requests(map[string]admit.Quantity{"cpu": "1", "memory": "1024Mi"}, "cpu", "1000m", "memory", "1Gi")}},
		{"no memory", nil, []canonical.Container{requests(map[string]admit.Quantity{"cpu": "1"}, "cpu", "1")}},
		{"limits only", nil, []canonical.Container{requests(map[string]admit.Quantity{"cpu": "1", "memory": "1Gi"})}},
		{"one container without", nil, []canonical.Container{requests(map[string]admit.Quantity{"cpu": "1", "memory": "1"}, "cpu", "1", "memory", "1"), requests(nil)}},
		{"an init container", []canonical.Container{requests(nil, "memory", "1")}, []canonical.Container{requests(nil)}},
		{"a greater limit", nil, []canonical.Container{requests(map[string]admit.Quantity{"cpu": "2", "memory": "1"}, "cpu", "1", "memory", "1")}},
	} {
		l.add("A3", "qosClass", c.about, canonical.Input{Pod: &canonical.Pod{Spec: canonical.PodSpec{InitContainers: c.init, Containers: c.pod}}})
	}

	for _, c := range []struct {
		about, pods string
		init, main  []string
	}{
		{"none", "", nil, []string{"cpu", "1"}},
		{"sorted", "a", nil, []string{"example.com/z", "1", "example.com/b", "1"}},
		{"an init container's", "", []string{"example.com/gpu", "1"}, nil},
		{"native resources are not", "", nil, []string{"hugepages-2Mi", "1", "kubernetes.io/x", "1", "requests.example.com/x", "1", "example.com/gpu", "1"}},
		{"there already", "example.com/gpu:NoSchedule", nil, []string{"example.com/gpu", "1"}},
		{"zero counts", "", nil, []string{"example.com/gpu", "0"}},
	} {
		p := pod(c.pods)
		p.Spec.InitContainers, p.Spec.Containers = []canonical.Container{requests(nil, c.init...)}, []canonical.Container{requests(nil, c.main...)}
		l.add("A4", "extendedResources", c.about, canonical.Input{Pod: p})
	}

	for _, c := range []struct {
		rules, about, class, pods, operation string
		annotations                          map[string]string
	}{
		{"A5", "no annotations", "BestEffort", "a", "", nil},
		{"A3 A5", "memory pressure", "Burstable", "a", "", nil},
		{"A3 A5", "memory pressure, guaranteed", "Guaranteed", "", "", nil},
		{"A5", "defaults are merged", "BestEffort", "b", "", map[string]string{admit.AnnotationDefaults: `[{"key":"a","operator":"Exists"}]`}},
		{"A5", "defaults are not for updates", "BestEffort", "b", "UPDATE", map[string]string{admit.AnnotationDefaults: `[{"key":"a","operator":"Exists"}]`}},
		{"A5", "a default covers the pod's", "BestEffort", "a:NoSchedule", "", map[string]string{admit.AnnotationDefaults: `[{"key":"a","operator":"Exists"}]`}},
		{"A5", "allowed", "BestEffort", "a:NoSchedule", "", map[string]string{admit.AnnotationWhitelist: `[{"key":"a","operator":"Exists"}]`}},
		{"A5", "not allowed", "BestEffort", "b:NoSchedule", "", map[string]string{admit.AnnotationWhitelist: `[{"key":"a","operator":"Exists"}]`}},
		{"A5", "an empty whitelist allows everything", "BestEffort", "b:NoSchedule", "", map[string]string{admit.AnnotationWhitelist: `[]`}},
		{"A5 A3", "the whitelist is asked about memory pressure too", "Burstable", "a", "", map[string]string{admit.AnnotationWhitelist: `[{"key":"a","operator":"Exists"}]`}},
		{"A5", "a default that is not allowed", "BestEffort", "", "", map[string]string{admit.AnnotationDefaults: `[{"key":"b","operator":"Exists"}]`, admit.AnnotationWhitelist: `[{"key":"a","operator":"Exists"}]`}},
		{"A5", "an empty operator is not seen to be Equal", "BestEffort", "a=x", "", map[string]string{admit.AnnotationWhitelist: `[{"key":"a","operator":"Equal","value":"x"}]`}},
	} {
		p := pod(c.pods)
		p.Status = &canonical.PodStatus{QOSClass: c.class}
		l.add(c.rules, "podTolerationRestriction", c.about, canonical.Input{Pod: p, Operation: c.operation, Namespace: &canonical.Namespace{Metadata: canonical.Meta{Annotations: c.annotations}}})
	}
	for _, c := range [][3]string{
		{"the same", "a", "a"}, {"every key", "*", "a==x:NoSchedule"}, {"another key", "a", "b"}, {"Exists over Equal", "a", "a==x"}, {"Equal under Exists", "a==x", "a"},
		{"more effects", "a", "a:NoSchedule"}, {"fewer effects", "a:NoSchedule", "a"}, {"more seconds", "a:NoExecute@10", "a:NoExecute@5"}, {"fewer seconds", "a:NoExecute@5", "a:NoExecute@10"},
		{"an empty operator under Equal", "a==x", "a=x"}, {"a smaller bound", "a>5", "a>6"}, {"a greater bound", "a>6", "a>5"}, {"Gt over Equal", "a>5", "a==6"}, {"every key with Equal", "*==x", "a==x"},
		{"seconds with an empty effect", "a@5", "a:NoExecute"}, {"forever over seconds", "a:NoExecute", "a:NoExecute@5"}, {"negative seconds", "a:NoExecute@-1", "a:NoExecute@0"},
	} {
		l.add("A5", "covers", c[0], canonical.Input{Tolerations: tolerations(c[1] + "," + c[2])})
	}

	for _, c := range [][3]string{
		{"a new one comes last", "a,b", "c"}, {"it is there", "a,b", "a"}, {"with other seconds", "a:NoExecute@5,b", "a:NoExecute@7"}, {"without seconds", "a:NoExecute@5", "a:NoExecute"},
		{"another effect", "a:NoExecute", "a:NoSchedule"}, {"another value", "a=x", "a=y"}, {"another operator", "a=x", "a==x"}, {"another key", "a=x", "b=x"}, {"every equal one is replaced", "a:NoExecute@5,a:NoExecute@6", "a:NoExecute@7"},
	} {
		l.add("A6", "addToleration", c[0], canonical.Input{Pod: pod(c[1]), Toleration: &tolerations(c[2])[0]})
	}

	for _, c := range [][2]string{
		{"a new node", ""}, {"after those that it has", "a:NoSchedule"}, {"there already, with a value", notReady + "=x:NoSchedule"}, {"NoExecute is another taint", notReady + ":NoExecute"},
	} {
		l.add("A7", "newNode", c[0], canonical.Input{Node: node(c[1])})
	}
	for _, c := range [][2]string{
		{"nothing", ""}, {"one", "a=x:NoSchedule"}, {"two", "a=x:NoSchedule,example.com/b=:NoExecute"}, {"without a value", "a:PreferNoSchedule"}, {"without an effect", "a=x"}, {"an unknown effect", "a=x:noSchedule"},
		{"the same twice", "a=x:NoSchedule,a=y:NoSchedule"}, {"two effects of a key", "a=x:NoSchedule,a=x:NoExecute"}, {"a malformed key", "/a:NoSchedule"}, {"a malformed value", "a=x=y:NoSchedule"}, {"a space", " a:NoSchedule"}, {"an empty item", "a:NoSchedule,"},
	} {
		l.add("A7", "registerWithTaints", c[0], canonical.Input{Flags: &canonical.Flags{RegisterWithTaints: c[1]}})
	}
	for _, c := range [][2]string{{"a static pod", ""}, {"after the others", "a"}, {"there already", "*:NoExecute"}, {"with seconds", "*:NoExecute@5"}, {"every effect is another toleration", "*"}} {
		l.add("A8", "staticPod", c[0], canonical.Input{Pod: pod(c[1])})
	}
}

// components is about rules R.
func components(l *list) {
	critical := int32(2_000_000_000)
	below := critical - 1
	for _, c := range []struct {
		about, pods, class string
		priority           *int32
		static             bool
		observed           []string
	}{
		{"no pressure", "", "BestEffort", nil, false, nil},
		{"memory, best effort", "", "BestEffort", nil, false, []string{"MemoryPressure"}},
		{"memory, burstable", "", "Burstable", nil, false, []string{"MemoryPressure"}},
		{"memory, tolerated", taint.KeyMemoryPressure + ":NoSchedule", "BestEffort", nil, false, []string{"MemoryPressure"}},
		{"memory, tolerated for NoExecute", taint.KeyMemoryPressure + ":NoExecute", "BestEffort", nil, false, []string{"MemoryPressure"}},
		{"disk, burstable", "", "Burstable", nil, false, []string{"DiskPressure"}},
		{"disk, tolerated", taint.KeyDiskPressure + ":NoSchedule", "BestEffort", nil, false, []string{"DiskPressure"}},
		{"memory and disk, tolerated", "*", "Burstable", nil, false, []string{"MemoryPressure", "DiskPressure"}},
		{"disk, critical", "", "BestEffort", &critical, false, []string{"DiskPressure"}},
		{"disk, almost critical", "", "BestEffort", &below, false, []string{"DiskPressure"}},
		{"disk, static", "", "BestEffort", nil, true, []string{"DiskPressure"}},
	} {
		p := pod(c.pods)
		p.Spec.Priority = c.priority
		p.Spec.Containers = []canonical.Container{requests(nil)}
		if c.class == "Burstable" {
			p.Spec.Containers = []canonical.Container{requests(nil, "cpu", "1")}
		}
		source := "api"
		if c.static {
			source = "file"
		}
		p.Metadata = &canonical.Meta{Annotations: map[string]string{"kubernetes.io/config.source": source}}
		l.add("R1", "pressure", c.about, canonical.Input{Pod: p, Observed: c.observed})
	}
	for _, c := range []struct{ about, policy, pods, nodes string }{
		{"no policy", "", "", "a:NoSchedule"}, {"Ignore", "Ignore", "", "a:NoSchedule"}, {"Honor", "Honor", "", "a:NoSchedule"}, {"Honor, NoExecute", "Honor", "", "a:NoExecute"},
		{"Honor, tolerated", "Honor", "a", "a:NoSchedule"}, {"Honor, PreferNoSchedule", "Honor", "", "a:PreferNoSchedule"}, {"Honor, no taints", "Honor", "", ""},
	} {
		in := pair(c.pods, c.nodes)
		in.Pod.Spec.Spread = []canonical.Constraint{{NodeTaintsPolicy: c.policy}}
		l.add("R2", "topologySpread", c.about, in)
	}
	in := pair("", "")
	in.Node.Spec.Unschedulable = true
	in.Pod.Spec.Spread = []canonical.Constraint{{NodeTaintsPolicy: "Honor"}}
	l.add("R2", "topologySpread", "Honor, cordoned", in)
	for _, c := range []struct{ about, taints, ready string }{
		{"not ready", taint.KeyOutOfService + "=nodeshutdown:NoExecute", "False"}, {"unknown", taint.KeyOutOfService + ":NoSchedule", "Unknown"}, {"ready", taint.KeyOutOfService + ":NoExecute", "True"}, {"another key", "a:NoExecute", "False"},
		{"PreferNoSchedule", "a:NoSchedule," + taint.KeyOutOfService + ":PreferNoSchedule", "False"},
	} {
		n := node(c.taints)
		n.Status = &canonical.NodeStatus{Conditions: conditionsOf(c.ready)}
		l.add("R3", "outOfService", c.about, canonical.Input{Node: n})
	}
	for _, c := range [][2]string{
		{"no taints", ""}, {"to be deleted", taint.KeyToBeDeleted + "=1700000000:NoSchedule"}, {"whatever the effect", "a:NoSchedule," + taint.KeyToBeDeleted + ":PreferNoSchedule"}, {"a candidate", taint.KeyDeletionCandidate + "=1:PreferNoSchedule"},
	} {
		l.add("R4", "proxyHealthy", c[0], canonical.Input{Node: node(c[1])})
	}
	for _, c := range []struct {
		about, taints, ready string
		shut                 bool
	}{
		{"shut down", "a:NoSchedule", "False", true}, {"shut down, unknown", "", "Unknown", true}, {"not shut down", "a:NoSchedule", "False", false}, {"there already", taint.KeyCloudProviderShutdown + ":NoSchedule", "False", true},
		{"not shut down any more", taint.KeyCloudProviderShutdown + ":NoSchedule", "False", false}, {"ready again", "a:NoSchedule," + taint.KeyCloudProviderShutdown + ":NoSchedule", "True", false}, {"ready and shut down", "", "True", true},
	} {
		n := node(c.taints)
		n.Status = &canonical.NodeStatus{Conditions: conditionsOf(c.ready)}
		l.add("R5", "cloudShutdown", c.about, canonical.Input{Node: n, ShutDown: c.shut})
	}
	for _, c := range [][2]string{{"a new node", ""}, {"in front", "a:NoSchedule"}, {"there already", "a:NoSchedule," + taint.KeyControlPlane + ":NoSchedule"}, {"with a value it is another", taint.KeyControlPlane + "=x:NoSchedule"}} {
		l.add("R5", "controlPlane", c[0], canonical.Input{Node: node(c[1])})
	}
	for _, c := range [][3]string{
		{"the same", "a:NoSchedule,b:NoExecute", "a:NoSchedule,b:NoExecute"}, {"another order", "a:NoSchedule,b:NoExecute", "b:NoExecute,a:NoSchedule"}, {"one more", "a:NoSchedule", "a:NoSchedule,b:NoExecute"}, {"one fewer", "a:NoSchedule,b:NoExecute", "a:NoSchedule"},
		{"another value", "a=x:NoSchedule", "a=y:NoSchedule"}, {"none", "", ""},
	} {
		l.add("R6", "kubeletUpdate", c[0], canonical.Input{OldNode: node(c[1]), Node: node(c[2])})
	}
	for _, c := range []struct {
		about, pods, class string
		scheduling         bool
	}{
		{"no scheduling", "a,a:NoSchedule", "", false}, {"empty scheduling merges", "a,a:NoSchedule", "", true}, {"added", "a", "b:NoExecute", true}, {"covered", "a", "a:NoSchedule", true}, {"the class covers", "a:NoSchedule", "a", true},
	} {
		class := &canonical.RuntimeClass{}
		if c.scheduling {
			class.Scheduling = &canonical.Scheduling{Tolerations: tolerations(c.class)}
		}
		l.add("R7 A5", "runtimeClass", c.about, canonical.Input{Pod: pod(c.pods), RuntimeClass: class})
	}
}
