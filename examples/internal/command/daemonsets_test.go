package command

import (
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// The template of a DaemonSet gets what the controller adds; its pods have it already.
func TestTolerations(t *testing.T) {
	list := []toleration.Toleration{{Key: "a", Operator: toleration.OpExists}}
	for name, c := range map[string]struct {
		pod  manifest.Pod
		want []toleration.Toleration
	}{
		"a DaemonSet":         {manifest.Pod{Object: manifest.Object{Kind: "DaemonSet"}}, admit.DaemonSet{}.Append(nil, list)},
		"on the host network": {manifest.Pod{Object: manifest.Object{Kind: "DaemonSet"}, HostNetwork: true}, admit.DaemonSet{HostNetwork: true}.Append(nil, list)},
		"its pod":             {manifest.Pod{Object: manifest.Object{Kind: "Pod"}, Owner: manifest.Owner{Kind: "DaemonSet", Name: "d"}}, list},
		"a CronJob":           {manifest.Pod{Object: manifest.Object{Kind: "CronJob"}}, list},
		"a Deployment":        {manifest.Pod{Object: manifest.Object{Kind: "Deployment"}}, list},
	} {
		c.pod.SpecTolerations = list
		if got := Tolerations(&c.pod); !toleration.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

// DaemonSets are those of templates and of pods, by the names that plans have for them.
func TestDaemonSetsOf(t *testing.T) {
	d := make(DaemonSets)
	agent := manifest.Owner{Kind: "DaemonSet", Name: "agent"}
	for _, p := range []manifest.Pod{
		{Object: manifest.Object{Kind: "DaemonSet", Namespace: "x", Name: "cni"}, HostNetwork: true},
		{Object: manifest.Object{Kind: "Pod", Namespace: "x", Name: "agent-1"}, Owner: agent},
		{Object: manifest.Object{Kind: "Pod", Namespace: "y", Name: "agent-1"}, Owner: agent, Workload: manifest.Owner{Kind: "Rollout", Name: "r"}},
		{Object: manifest.Object{Kind: "Deployment", Namespace: "x", Name: "web"}},
		{Object: manifest.Object{Kind: "Pod", Namespace: "x", Name: "bare"}},
	} {
		d.Add(&p)
	}
	want := DaemonSets{"DaemonSet x/cni": {HostNetwork: true}, "DaemonSet x/agent": {}}
	if len(d) != len(want) {
		t.Errorf("got %v, want %v", d, want)
	}
	for owner, of := range want {
		if got, found := d[owner]; !found || got != of {
			t.Errorf("%s: %+v, %t; want %+v", owner, got, found, of)
		}
	}
}

// A plan for a DaemonSet is about the list that its pods get, and is shown as it was
// written, the stages too.
func TestAdmitted(t *testing.T) {
	d := DaemonSets{"DaemonSet x/cni": {HostNetwork: true}, "DaemonSet x/agent": {}}
	list := []toleration.Toleration{{Key: "a", Operator: toleration.OpExists}}
	set := func(owner string, list []toleration.Toleration) whatif.Step {
		return whatif.Step{Verb: whatif.SetTolerations, Owner: owner, Tolerations: list}
	}
	plan := whatif.Plan{Steps: []whatif.Step{
		set("DaemonSet x/cni", list), set("DaemonSet x/agent", list), set("DaemonSet x/agent", nil), set("Deployment x/web", list),
		{Verb: whatif.ChangeTaints, Owner: "DaemonSet x/agent", Taints: taint.Change{}},
		{Verb: whatif.SetTolerations + 1, Owner: "DaemonSet x/agent"}, // no action: it is refused as it is
	}}
	before := slices.Clone(plan.Steps)
	admitted, written := d.Admitted(plan)
	for i, want := range [][]toleration.Toleration{
		admit.DaemonSet{HostNetwork: true}.Append(nil, list), admit.DaemonSet{}.Append(nil, list), admit.DaemonSet{}.Append(nil, nil), list, nil, nil,
	} {
		if got := admitted.Steps[i].Tolerations; !toleration.Equal(got, want) {
			t.Errorf("step %d: got %v, want %v", i, got, want)
		}
		if !toleration.Equal(plan.Steps[i].Tolerations, before[i].Tolerations) {
			t.Errorf("step %d of the plan is changed", i)
		}
	}
	stage := whatif.Plan{Steps: slices.Clone(admitted.Steps)}
	slices.Reverse(stage.Steps)
	back := written(stage)
	for i := range back.Steps {
		if want := before[len(before)-1-i].Tolerations; !toleration.Equal(back.Steps[i].Tolerations, want) {
			t.Errorf("step %d from the end: got %v, want %v", i, back.Steps[i].Tolerations, want)
		}
	}
}
