package why

import (
	"strings"
	"testing"
)

// Nodes of two roles. The worker with the disk is tainted.
const roles = `
	{"kind":"Node","metadata":{"name":"cp-1","labels":{"role":"control-plane"}},"spec":{"taints":[{"key":"control-plane","effect":"NoSchedule"}]}}
	{"kind":"Node","metadata":{"name":"cp-2","labels":{"role":"control-plane"}},"spec":{"taints":[{"key":"control-plane","effect":"NoSchedule"}]}}
	{"kind":"Node","metadata":{"name":"w-1","labels":{"role":"worker"}},"spec":{}}
	{"kind":"Node","metadata":{"name":"w-2","labels":{"role":"worker","disk":"ssd"}},"spec":{"taints":[{"key":"disk","effect":"NoSchedule"}]}}
	`

func daemonSet(spec string) string {
	return `{"kind":"DaemonSet","apiVersion":"apps/v1","metadata":{"name":"agent"},"spec":{"template":{"spec":` + spec + `}}}`
}

func required(terms string) string {
	return `{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[` + terms + `]}}}}`
}

// A node that the node selector or the required affinity excludes is not told to be
// missed for its taints.
func TestExcludedNodes(t *testing.T) {
	const selector, affinity = "Its node selector excludes ", "Its required node affinity excludes "
	const workers = "2 nodes, cp-1 first.\n  Taints let it go to 1 of 2 other nodes.\n\n  1 node: w-2\n"
	const one = "3 nodes, cp-1 first.\n  Taints let it go to 0 of 1 other node.\n\n  1 node: w-2\n"
	const none = ". No toleration helps.\n"
	for spec, want := range map[string]string{
		`{}`:                                 "Taints let it go to 1 of 4 nodes.\n\n  2 nodes: cp-1, cp-2\n",
		`{"nodeSelector":{"role":"worker"}}`: selector + workers,
		`{"nodeSelector":{"role":"worker","disk":"ssd"}}`:                                     selector + one,
		`{"nodeSelector":{"role":"master"}}`:                                                  "No node has role=master (cp-1 has role=control-plane)" + none,
		`{"nodeSelector":{"zone":""}}`:                                                        "No node has zone=" + none,
		`{"nodeSelector":{"zone":"a","role":"x"}}`:                                            "No node has role=x (cp-1 has role=control-plane), nor zone=a" + none,
		`{"nodeSelector":{"role":"control-plane","disk":"ssd"}}`:                              "No node has all of it: disk=ssd (1 node), role=control-plane (2 nodes)" + none,
		required(`{"matchExpressions":[{"key":"role","operator":"In","values":["worker"]}]}`): affinity + workers,
		required(`{"matchExpressions":[{"key":"role","operator":"NotIn","values":["worker"]}]}`): affinity +
			"2 nodes, w-1 first.\n  Taints let it go to 0 of 2 other nodes.\n\n  2 nodes: cp-1, cp-2\n",
		// Terms are ORed and expressions ANDed. An empty term matches nothing.
		required(`{},{"matchExpressions":[{"key":"disk","operator":"Exists"}]},{"matchExpressions":[{"key":"role","operator":"In","values":["worker"]},{"key":"disk","operator":"DoesNotExist"}]}`): affinity + workers,
		required(`{"matchExpressions":[{"key":"role","operator":"Exists"},{"key":"disk","operator":"Exists"}]}`):                                                                                    affinity + one,
		required(`{}`): "No node has what one of the terms of its required node affinity asks for, of which there are 1" + none,
		required(``):   "No node has what one of the terms of its required node affinity asks for, of which there are 0" + none,
		required(`{"matchExpressions":[{"key":"role","operator":"In","values":["a","b"]},{"key":"disk","operator":"NotIn","values":["ssd"]}]}`):                    "No node has role in (a, b) (cp-1 has role=control-plane)" + none,
		required(`{"matchExpressions":[{"key":"role","operator":"DoesNotExist"},{"key":"x","operator":"Exists"},{"key":"cores","operator":"Gt","values":["8"]}]}`): "No node has no label role (cp-1 has role=control-plane), nor the label x, nor cores Gt 8" + none,
		required(`{"matchFields":[{"key":"metadata.name","operator":"In","values":["w-9"]}]}`):                                                                     "No node has metadata.name=w-9" + none,
		required(`{"matchFields":[{"key":"metadata.name","operator":"In","values":["w-2"]}]}`):                                                                     affinity + one,
	} {
		r := start(roles+daemonSet(spec), "-f", "-", "-width", "0")
		if r.status != 0 || !strings.Contains(r.stdout, "\n  "+want) || strings.Contains(want, "No toleration") && strings.Contains(r.stdout, "- {key") {
			t.Errorf("%s: %+v, want %s", spec, r, want)
		}
	}
}

// What is true of DaemonSets is true of all pods.
func TestExcludedFromOtherPods(t *testing.T) {
	const want = "excludes 2 nodes, cp-1 first.\n  Taints let it go to 1 of 2 other nodes.\n"
	for _, pod := range []string{
		`{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"d"},"spec":{"template":{"spec":{"nodeSelector":{"role":"worker"}}}}}`,
		`{"kind":"Pod","metadata":{"name":"d"},"spec":{"nodeName":"gone","nodeSelector":{"role":"worker"}}}`,
	} {
		if r := start(roles+pod, "-f", "-", "d"); r.status != 0 || !strings.Contains(r.stdout, want) {
			t.Errorf("%+v", r)
		}
	}
}

// Pods with the same tolerations and other selectors are different questions.
func TestSelectorsApart(t *testing.T) {
	pod := func(name, zone string) string {
		return `{"kind":"Pod","metadata":{"name":"` + name + `"},"spec":{"nodeSelector":{"role":"` + zone + `"}}}`
	}
	r := start(roles+pod("a", "worker")+pod("b", "control-plane")+pod("c", "worker"), "-f", "-")
	for _, want := range []string{"Pods a, c\n  Its node selector excludes 2 nodes, cp-1 first.", "Pod b\n  Its node selector excludes 2 nodes, w-1 first."} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("no %q in %+v", want, r)
		}
	}
}

// A node that is asked for is explained even if it is excluded. JSON has the number.
func TestExcludedNodeThatIsAskedFor(t *testing.T) {
	for node, want := range map[string][2]string{
		"cp-1": {"The node does not have role=worker (cp-1 has role=control-plane). No toleration helps.\n\n  1 node: cp-1\n", "control-plane:NoSchedule is not tolerated"},
		"w-1":  {"  Taints let it go to w-1.\n\n  1 node: w-1\n", "Nothing has to change."},
	} {
		r := start(roles+daemonSet(`{"nodeSelector":{"role":"worker"}}`), "-f", "-", "-node", node)
		if !strings.Contains(r.stdout, want[0]) || !strings.Contains(r.stdout, want[1]) || strings.Contains(r.stdout, "No toleration") != (node == "cp-1") || strings.Contains(r.stdout, "- {key") {
			t.Errorf("%s: %+v", node, r)
		}
	}
	// Its taints let the pod in, and that is no help.
	r := start(roles+daemonSet(`{"nodeSelector":{"role":"control-plane"}}`), "-f", "-", "-node", "w-1")
	if !strings.Contains(r.stdout, "not have role=control-plane (w-1 has role=worker)") || !strings.Contains(r.stdout, "No toleration helps") || strings.Contains(r.stdout, "Nothing has to change") {
		t.Errorf("%+v", r)
	}
	if r := start(roles+daemonSet(`{"nodeSelector":{"role":"worker"}}`), "-f", "-", "-o", "json"); !strings.Contains(r.stdout, `"excluded": 2,`) || strings.Contains(r.stdout, "cp-1") {
		t.Errorf("%+v", r)
	}
}

// A dump that has the pods of a DaemonSet and not the DaemonSet does not tell the affinity
// of its template.
func TestUnknownAffinity(t *testing.T) {
	const pod = `{"kind":"Pod","metadata":{"name":"agent-x","ownerReferences":[{"apiVersion":"apps/v1","kind":"DaemonSet","name":"agent","uid":"u","controller":true}]},
		"spec":{"nodeName":"w-1","nodeSelector":{"role":"worker"},"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
		{"matchFields":[{"key":"metadata.name","operator":"In","values":["w-1"]}]}]}}}}}`
	const unknown = "\n  Its DaemonSet is not in the input"
	if r := start(roles+pod, "agent-x", "-f", "-", "-width", "0"); !strings.Contains(r.stdout, unknown) || !strings.Contains(r.stdout, "to 1 of 2 other nodes") {
		t.Errorf("%+v", r)
	}
	if r := start(roles+pod, "agent-x", "-f", "-", "-o", "json"); !strings.Contains(r.stdout, `"affinityUnknown": true`) {
		t.Errorf("%+v", r)
	}
	whole := strings.Replace(daemonSet(required(`{"matchExpressions":[{"key":"disk","operator":"Exists"}]}`)), `"metadata":{`, `"metadata":{"uid":"u",`, 1)
	if r := start(roles+pod+whole, "agent-x", "-f", "-", "-width", "0"); strings.Contains(r.stdout, unknown) || !strings.Contains(r.stdout, "excludes 3 nodes, cp-1 first") || !strings.Contains(r.stdout, "\n  1 node: w-2\n") {
		t.Errorf("%+v", r)
	}
	bare := strings.NewReplacer(`,"labels":{"role":"control-plane"}`, "", `,"labels":{"role":"worker"}`, "", `,"labels":{"role":"worker","disk":"ssd"}`, "").Replace(roles)
	if r := start(bare+pod, "agent-x", "-f", "-", "-width", "0"); !strings.Contains(r.stdout, "No node has role=worker; the input has no labels of nodes.") {
		t.Errorf("%+v", r)
	}
}

// Affinity is ignored during execution: it does not keep a taint from evicting the pod. It
// does exclude the node for a pod that is to be scheduled, whatever else it is to do.
func TestExcludedNodeWithThePod(t *testing.T) {
	input := strings.ReplaceAll(roles, "NoSchedule", "NoExecute") + `{"kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"cp-2","nodeSelector":{"role":"worker"}}}`
	for goal, want := range map[string]string{
		"schedule": "excludes 2 nodes, cp-1 first.", "stay": "excludes cp-1.", "both": "excludes 2 nodes, cp-1 first.",
	} {
		r := start(input, "-f", "-", "p", "-goal", goal)
		if !strings.Contains(r.stdout, want) || strings.Contains(r.stdout, "node: cp-2") != (goal == "stay") {
			t.Errorf("%s: %+v", goal, r)
		}
	}
}

// Only a pod that exists keeps its list and can get additions. A new list in a template is
// for new pods.
func TestWhatChangesApplyTo(t *testing.T) {
	workload := func(kind, api, spec string) string {
		return `{"kind":"` + kind + `","apiVersion":"` + api + `","metadata":{"name":"x"},"spec":` + spec + `}`
	}
	const template = `{"template":{"spec":{"tolerations":[{"key":"Control-plane","operator":"Exists"}]}}}`
	for object, want := range map[string]string{
		workload("Pod", "v1", `{"nodeSelector":{"role":"control-plane"},"tolerations":[{"key":"Control-plane","operator":"Exists"}]}`): "add to the pod's tolerations:",
		workload("Deployment", "apps/v1", template):                              "add to the tolerations of the template, which rolls out new pods:",
		workload("StatefulSet", "apps/v1", template):                             "add to the tolerations of the template, which rolls out new pods:",
		workload("DaemonSet", "apps/v1", template):                               "add to the tolerations of the template, which rolls out new pods:",
		workload("ReplicaSet", "apps/v1", template):                              "add to the tolerations of the template, for new pods:",
		workload("ReplicationController", "v1", template):                        "add to the tolerations of the template, for new pods:",
		workload("CronJob", "batch/v1", `{"jobTemplate":{"spec":`+template+`}}`): "add to the tolerations of the template, for new pods:",
		workload("Job", "batch/v1", template):                                    "add to the tolerations of a new Job, or of this one while it is suspended:",
	} {
		r := start(roles+object, "-f", "-", "-width", "0")
		isPod := strings.HasPrefix(want, "add to the pod's")
		if !strings.Contains(r.stdout, "    "+want+"\n      - {key: control-plane, operator: Exists, effect: NoSchedule}\n") || strings.Contains(r.stdout, "add to the pod's") != isPod ||
			strings.Contains(r.stdout, "or, in the manifest, replace tolerations[0] (Control-plane) with:") != isPod || strings.Contains(r.stdout, "or there, replace tolerations[0] (Control-plane) with:") == isPod {
			t.Errorf("%s: %+v", want, r)
		}
	}
}

// What pods require is told apart even if it is no valid selector.
func TestSelectorsThatLookAlike(t *testing.T) {
	const pods = `{"kind":"Pod","metadata":{"name":"a"},"spec":{"nodeSelector":{"a":"b c:d"}}}{"kind":"Pod","metadata":{"name":"b"},"spec":{"nodeSelector":{"a":"b","c":"d"}}}`
	if r := start(roles+pods, "-f", "-"); !strings.HasPrefix(r.stdout, "Pod a\n") || !strings.Contains(r.stdout, "\nPod b\n") {
		t.Errorf("%+v", r)
	}
}

// The node of a pod that is to be scheduled and to stay is excluded as any other: no
// toleration is advised for it.
func TestNoAdviceForTheExcludedNodeOfThePod(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n1","labels":{"a":"b"}},"spec":{"taints":[{"key":"k","effect":"NoSchedule"}]}}
		{"kind":"Node","metadata":{"name":"n2"}}
		{"kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n1","nodeSelector":{"a":"zzz"}}}`
	const none = "No node has a=zzz (n1 has a=b). No toleration helps"
	for goal, want := range map[string]string{"schedule": none, "stay": "excludes n2.\n  Taints let it go to 0 of 1 other node.\n  Nothing has to change.", "both": none} {
		r := start(input, "-f", "-", "p", "-goal", goal)
		if !strings.Contains(r.stdout, want) || strings.Contains(r.stdout, "- {key") {
			t.Errorf("%s: %+v", goal, r)
		}
	}
}
