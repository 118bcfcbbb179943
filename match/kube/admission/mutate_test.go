package admission

import (
	"encoding/json"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	v1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// A pod with the patch has the tolerations that the part gives it, and all else as it was.
func TestPatchesGiveWhatThePartGives(t *testing.T) {
	var part admit.Part
	h := Mutate(func(*v1.AdmissionRequest) admit.Part { return part })
	rapid.Check(t, func(rt *rapid.T) {
		list := rapid.SliceOfN(matchtest.Toleration(), 0, 4).Draw(rt, "tolerations")
		defaults := rapid.SliceOfN(matchtest.Toleration(), 0, 3).Draw(rt, "defaults")
		part = rapid.SampledFrom([]admit.Part{
			admit.Restriction{Defaults: defaults},
			admit.Restriction{Defaults: defaults, Exact: true},
			admit.DefaultSeconds{}, admit.Chain{}, taking{},
		}).Draw(rt, "part")
		var pod corev1.Pod
		pod.Name, pod.Spec.NodeName = "a~/b", "n"
		for _, x := range list {
			pod.Spec.Tolerations = append(pod.Spec.Tolerations, corev1.Toleration{
				Key: x.Key, Operator: corev1.TolerationOperator(x.Operator), Value: x.Value, Effect: corev1.TaintEffect(x.Effect), TolerationSeconds: x.TolerationSeconds,
			})
		}
		object, err := json.Marshal(pod)
		if err != nil {
			rt.Fatal(err)
		}
		response := respond(t, h, `"kind":{"kind":"Pod"},"operation":"CREATE","object":`+string(object))
		if !response.Allowed {
			rt.Fatalf("not allowed: %v", response.Result)
		}
		want := part.Append(nil, list)
		patched := object
		if response.Patch != nil {
			if *response.PatchType != v1.PatchTypeJSONPatch {
				rt.Fatalf("patch type %q", *response.PatchType)
			}
			patch, err := jsonpatch.DecodePatch(response.Patch)
			if err != nil {
				rt.Fatal(err)
			}
			if patched, err = patch.Apply(object); err != nil {
				rt.Fatalf("%s: %v", response.Patch, err)
			}
		} else if !toleration.Equal(list, want) {
			rt.Fatal("no patch")
		}
		var after corev1.Pod
		if err := json.Unmarshal(patched, &after); err != nil {
			rt.Fatal(err)
		}
		got, err := json.Marshal(after.Spec.Tolerations)
		if err != nil {
			rt.Fatal(err)
		}
		if read, err := toleration.ParseListJSON(got); err != nil || !toleration.Equal(read, want) {
			rt.Fatalf("the pod has %s, %v, want %s", got, err, toleration.FormatList(want))
		}
		after.Spec.Tolerations = pod.Spec.Tolerations
		if rest, _ := json.Marshal(after); string(rest) != string(object) {
			rt.Fatalf("the rest of the pod is %s, was %s", rest, object)
		}
	})
}

// taking is a part that takes all tolerations away, as no part of package admit does.
type taking struct{}

func (taking) Append(dst, _ []toleration.Toleration) []toleration.Toleration { return dst }

func TestMutate(t *testing.T) {
	h := Mutate(func(r *v1.AdmissionRequest) admit.Part {
		if r.Namespace != "web" {
			return nil
		}
		return admit.DefaultSeconds{NotReady: new(int64), Unreachable: new(int64)}
	})
	const two = `{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":0}`
	for _, c := range []struct{ name, fields, patch string }{
		{"templates get nothing", `"kind":{"group":"apps","kind":"Deployment"},"namespace":"web","operation":"CREATE","object":{"spec":{"template":{"spec":{}}}}`, ""},
		{"updates get nothing", pod + `"operation":"UPDATE","object":` + nothing, ""},
		{"no part", `"kind":{"kind":"Pod"},"namespace":"ml","operation":"CREATE","object":` + nothing, ""},
		{"one is there", pod + `"operation":"CREATE","object":{"spec":{"tolerations":[` + two + `]}}`,
			`[{"op":"add","path":"/spec/tolerations/-","value":{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":0}}]`},
		{"none is there", pod + `"operation":"CREATE","object":` + nothing,
			`[{"op":"add","path":"/spec/tolerations","value":[` + two + `,{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":0}]}]`},
	} {
		got := respond(t, h, c.fields)
		if !got.Allowed || string(got.Patch) != c.patch || (got.PatchType == nil) != (c.patch == "") {
			t.Errorf("%s: %t %s, want %s", c.name, got.Allowed, got.Patch, c.patch)
		}
	}
	if got := respond(t, h, pod+`"operation":"CREATE","object":{"spec":{"tolerations":7}}`); got.Allowed || got.Result.Code != 400 {
		t.Errorf("tolerations that cannot be read: %+v", got)
	}
}
