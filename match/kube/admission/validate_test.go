package admission

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	v1 "k8s.io/api/admission/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/toleration"
)

const (
	pod     = `"kind":{"version":"v1","kind":"Pod"},"namespace":"web",`
	disk    = `{"key":"disk","operator":"Exists"}`
	gpu     = `{"key":"gpu","operator":"Exists","effect":"NoSchedule"}`
	both    = `{"spec":{"tolerations":[` + disk + `,` + gpu + `]}}`
	nothing = `{"spec":{}}`
	refused = `spec: tolerations[1]: "gpu:NoSchedule" tolerates gpu:NoSchedule, which is denied`
)

// spec is an object with a list of tolerations.
func spec(items ...string) string {
	return `{"spec":{"tolerations":[` + strings.Join(items, ",") + `]}}`
}

func seconds(n string) string {
	return `{"key":"gpu","operator":"Exists","effect":"NoExecute","tolerationSeconds":` + n + `}`
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name, fields string
		code         int32
		text         string
	}{
		{"a pod that may not", pod + `"operation":"CREATE","object":` + both, 403, refused},
		{"a pod that may", pod + `"operation":"CREATE","object":` + nothing, 0, ""},
		{"a pod where it may", `"kind":{"kind":"Pod"},"namespace":"ml","operation":"CREATE","object":` + both, 0, ""},
		{"a dry run", pod + `"dryRun":true,"operation":"CREATE","object":` + both, 403, refused},
		{"an update to it", pod + `"operation":"UPDATE","object":` + both + `,"oldObject":` + nothing, 403, refused},
		{"an update of what was so before", pod + `"operation":"UPDATE","object":` + both + `,"oldObject":` + both, 0, ""},
		{"an update of nothing", pod + `"operation":"UPDATE","object":` + both, 403, refused},
		{"an update of what cannot be read", pod + `"operation":"UPDATE","object":` + both + `,"oldObject":{"spec":1}`, 403, refused},
		{"a delete", pod + `"operation":"DELETE","object":null,"oldObject":` + both, 0, ""},
		{"a connection", pod + `"operation":"CONNECT","subResource":"exec","object":{"kind":"PodExecOptions"}`, 0, ""},
		{"a status", pod + `"operation":"UPDATE","subResource":"status","object":` + both, 0, ""},
		{"null", pod + `"operation":"CREATE","object":{"spec":{"tolerations":null}}`, 0, ""},
		{"a spec of null", pod + `"operation":"CREATE","object":{"spec":null}`, 0, ""},
		{"no spec", pod + `"operation":"CREATE","object":{}`, 0, ""},
		{"no object", pod + `"operation":"CREATE"`, 400, "object: missing"},
		{"an object of null", pod + `"operation":"CREATE","object":null`, 400, "object: missing"},
		{"a spec that is none", pod + `"operation":"CREATE","object":{"spec":[]}`, 400, "object.spec: want an object, got a list"},
		{"tolerations that are none", pod + `"operation":"CREATE","object":{"spec":{"tolerations":{}}}`, 400, "object.spec.tolerations: want a list, got object"},
		{"a field nobody knows", pod + `"operation":"CREATE","object":{"spec":{"tolerations":[{"until":1}]}}`, 400, `object.spec.tolerations[0]: field "until" is unknown or repeated`},
		{"a list that is not valid", pod + `"operation":"CREATE","object":{"spec":{"tolerations":[{"operator":"Equal"}]}}`, 403, ""},
		{"another kind", `"kind":{"version":"v1","kind":"Secret"},"operation":"CREATE","object":{}`, 400, `kind "Secret" of group "": not one that has pods (correct the rules of the webhook)`},
		{"a kind in another group", `"kind":{"group":"argoproj.io","kind":"Deployment"},"operation":"CREATE","object":{}`, 400, `kind "Deployment" of group "argoproj.io": not one that has pods (correct the rules of the webhook)`},
		{"an object that is none", pod + `"operation":"CREATE","object":"x"`, 400, "object: want an object, got a string"},
		{"an update that adds", pod + `"operation":"UPDATE","object":` + spec(gpu, disk) + `,"oldObject":` + spec(disk), 403,
			`spec: counting only those that are new: tolerations[0]: "gpu:NoSchedule" tolerates gpu:NoSchedule, which is denied`},
		{"an update that removes", pod + `"operation":"UPDATE","object":` + spec(gpu) + `,"oldObject":` + spec(disk, gpu), 0, ""},
		{"an update that removes all", pod + `"operation":"UPDATE","object":` + nothing + `,"oldObject":` + spec(gpu), 0, ""},
		{"an update that reorders", pod + `"operation":"UPDATE","object":` + spec(gpu, disk) + `,"oldObject":` + spec(disk, gpu), 0, ""},
		{"an update that repeats", pod + `"operation":"UPDATE","object":` + spec(gpu, gpu) + `,"oldObject":` + spec(gpu), 0, ""},
		{"an update that adds what may be added", pod + `"operation":"UPDATE","object":` + spec(gpu, disk) + `,"oldObject":` + spec(gpu), 0, ""},
		{"an update that writes Equal", pod + `"operation":"UPDATE","object":` + spec(`{"key":"gpu","operator":"Equal"}`) + `,"oldObject":` + spec(`{"key":"gpu"}`), 0, ""},
		{"an update of the value", pod + `"operation":"UPDATE","object":` + spec(`{"key":"gpu","value":"a"}`) + `,"oldObject":` + spec(`{"key":"gpu"}`), 403, ""},
		{"an update of the seconds", pod + `"operation":"UPDATE","object":` + spec(seconds("20")) + `,"oldObject":` + spec(seconds("10")), 403, ""},
		{"an update that keeps the seconds", pod + `"operation":"UPDATE","object":` + spec(seconds("10"), disk) + `,"oldObject":` + spec(seconds("10")), 0, ""},
	} {
		got := respond(t, noGPUs(t), c.fields)
		if got.Allowed != (c.code == 0) || (got.Result == nil) != got.Allowed {
			t.Errorf("%s: %+v", c.name, got)
			continue
		}
		if got.Allowed {
			continue
		}
		if got.Result.Code != c.code || got.Result.Status != "Failure" || c.text != "" && got.Result.Message != c.text {
			t.Errorf("%s: %d %q, want %d %q", c.name, got.Result.Code, got.Result.Message, c.code, c.text)
		}
	}
}

// The paths to the pods are those of Kubernetes' own types: what is written into the type is
// what the webhook sees.
func TestEveryKind(t *testing.T) {
	pods := corev1.PodSpec{Tolerations: []corev1.Toleration{{Key: "a", Operator: "Exists"}}}
	template := corev1.PodTemplateSpec{Spec: pods}
	objects := map[[2]string]any{
		{"", "Pod"}:                   &corev1.Pod{Spec: pods},
		{"", "PodTemplate"}:           &corev1.PodTemplate{Template: template},
		{"", "ReplicationController"}: &corev1.ReplicationController{Spec: corev1.ReplicationControllerSpec{Template: &template}},
		{"apps", "ReplicaSet"}:        &appsv1.ReplicaSet{Spec: appsv1.ReplicaSetSpec{Template: template}},
		{"apps", "Deployment"}:        &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Template: template}},
		{"apps", "DaemonSet"}:         &appsv1.DaemonSet{Spec: appsv1.DaemonSetSpec{Template: template}},
		{"apps", "StatefulSet"}:       &appsv1.StatefulSet{Spec: appsv1.StatefulSetSpec{Template: template}},
		{"batch", "Job"}:              &batchv1.Job{Spec: batchv1.JobSpec{Template: template}},
		{"batch", "CronJob"}:          &batchv1.CronJob{Spec: batchv1.CronJobSpec{JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: template}}}},
	}
	if len(objects) != len(podSpecs) {
		t.Fatalf("%d objects for %d kinds", len(objects), len(podSpecs))
	}
	var seen []toleration.Toleration
	h := Validate(func(_ *v1.AdmissionRequest, list []toleration.Toleration) error {
		seen = list
		return nil
	})
	for kind, object := range objects {
		text, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		seen = nil
		respond(t, h, `"kind":{"group":"`+kind[0]+`","kind":"`+kind[1]+`"},"operation":"CREATE","object":`+string(text))
		if toleration.FormatList(seen) != "a" {
			t.Errorf("%s: %q is seen", kind, toleration.FormatList(seen))
		}
	}
}

func TestConcurrentReviews(t *testing.T) {
	h := noGPUs(t)
	done := make(chan bool)
	for range 8 {
		go func() {
			for range 100 {
				w := ask(h, http.MethodPost, "application/json", review(pod+`"operation":"CREATE","object":`+gpu))
				done <- w.Code == http.StatusOK
			}
		}()
	}
	for range 800 {
		if !<-done {
			t.Fatal("a review fails beside others")
		}
	}
}
