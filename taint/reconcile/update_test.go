package reconcile_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint/reconcile"
	"github.com/tolero-dev/tolero/toleration"
)

// What the API server says is compared in match/kube/upstream/reconcile.
func TestUpdateAllowed(t *testing.T) {
	const frozen = "tolerations: forbidden: the template of a Job can change only while the Job is suspended, has no active pods, " +
		"and has never started or has the condition Suspended"
	for _, c := range []struct {
		object       reconcile.Object
		old, updated string
		want         string
	}{
		{reconcile.Pod, "a", "a,b", ""},
		{reconcile.Pod, "a", "b", `tolerations: forbidden: "a" is missing; only its tolerationSeconds may change`},
		{reconcile.GatedPod, "a", "b", `tolerations: forbidden: "a" is missing; only its tolerationSeconds may change`},
		{"odd", "a", "b", `tolerations: forbidden: "a" is missing; only its tolerationSeconds may change`},
		{reconcile.SuspendedJob, "a", "b", ""},
		{reconcile.SuspendedJob, "a", "a>5", `tolerations[0].operator: unsupported value "Gt": must be Exists, Equal or empty; ` +
			`Lt and Gt need the feature gate TaintTolerationComparisonOperators`},
		{reconcile.SuspendedJob, "a<9", "a>5", ""},
		{reconcile.RunningJob, "a", "a", ""},
		{reconcile.RunningJob, "a:NoExecute@5", "a:NoExecute@5", ""},
		{reconcile.RunningJob, "a:NoExecute@5", "a:NoExecute@6", frozen},
		{reconcile.RunningJob, "a", "a:No", frozen + `; tolerations[0].effect: unsupported value "No": must be NoSchedule, PreferNoSchedule, NoExecute or empty`},
	} {
		old, _ := notation.Tolerations(c.old)
		updated, err := notation.Tolerations(c.updated)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := reconcile.UpdateAllowed(c.object, old, updated); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v from %q to %q: %s", c.object, c.old, c.updated, got)
		}
	}
}

// Plans for valid lists are allowed.
func TestPlansAreAllowed(t *testing.T) {
	items, err := toleration.ParseList("a:NoExecute,a:NoExecute@5,a=1,a>3")
	if err != nil {
		t.Fatal(err)
	}
	var lists [][]toleration.Toleration
	for list := range matchtest.Lists(items, 2) {
		lists = append(lists, toleration.Clone(list))
	}
	for _, live := range lists {
		for _, last := range lists {
			for _, desired := range lists {
				for _, object := range []reconcile.Object{reconcile.Pod, reconcile.GatedPod, reconcile.SuspendedJob, reconcile.RunningJob} {
					for _, rules := range []toleration.Rules{{}, {Comparisons: true}} {
						p := reconcile.Tolerations(object, live, last, desired, rules)
						if err := reconcile.UpdateAllowed(object, live, p.Apply(nil, live), rules); err != nil {
							t.Fatalf("%v %+v %v: %v", object, rules, p, err)
						}
					}
				}
			}
		}
	}
}

func TestJobObject(t *testing.T) {
	for i := range 16 {
		j := reconcile.Job{Suspend: i&1 != 0, Started: i&2 != 0, SuspendedCondition: i&4 != 0, Active: int32(i >> 3)}
		want := reconcile.RunningJob
		switch j {
		case reconcile.Job{Suspend: true}, reconcile.Job{Suspend: true, SuspendedCondition: true}, reconcile.Job{Suspend: true, Started: true, SuspendedCondition: true}:
			want = reconcile.SuspendedJob
		}
		if got := j.Object(); got != want {
			t.Errorf("%+v: %v, want %v", j, got, want)
		}
	}
	if got := (reconcile.Job{Suspend: true, Active: -1}).Object(); got != reconcile.RunningJob { // not valid, and not zero
		t.Errorf("%v", got)
	}
}

// What is forbidden is said for each action, and plans survive a trip through JSON.
func TestForbiddenWords(t *testing.T) {
	a := []toleration.Toleration{{Key: "a", Operator: toleration.OpExists, Effect: "NoExecute"}}
	later := []toleration.Toleration{a[0]}
	seconds := int64(5)
	later[0].TolerationSeconds = &seconds
	for _, c := range []struct {
		live, last, desired []toleration.Toleration
		want                string
	}{
		{nil, nil, a, "forbidden: a:NoExecute cannot be added here"},
		{a, a, nil, "forbidden: a:NoExecute cannot be removed here"},
		{a, a, later, "forbidden: a:NoExecute cannot be changed here to a:NoExecute@5"},
	} {
		if got := reconcile.Tolerations(reconcile.RunningJob, c.live, c.last, c.desired).String(); got != c.want {
			t.Errorf("got %q", got)
		}
		for _, object := range []reconcile.Object{reconcile.Pod, reconcile.GatedPod, reconcile.SuspendedJob, reconcile.RunningJob} {
			p := reconcile.Tolerations(object, c.live, c.last, c.desired)
			text, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			var back reconcile.Plan[toleration.Toleration]
			if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(p, back) {
				t.Errorf("%s: %+v, %v", text, back, err)
			}
		}
	}
}
