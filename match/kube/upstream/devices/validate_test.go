package devices

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	resource "k8s.io/kubernetes/pkg/apis/resource"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	"k8s.io/kubernetes/pkg/apis/resource/validation"
	"k8s.io/kubernetes/pkg/registry/resource/devicetaintrule"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/device"
	ours "github.com/tolero-dev/tolero/match/kube/resource"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// internal converts an object of the API to what the API server works on.
func internal[T runtime.Object](t rapid.TB, object runtime.Object, into T) T {
	if err := legacyscheme.Scheme.Convert(object, into, nil); err != nil {
		t.Fatal(err)
	}
	return into
}

// faultyFields returns the names of the fields that upstream finds at fault, below path,
// each once and sorted: upstream may have several faults for a field.
func faultyFields(errs field.ErrorList, path string) (names []string) {
	for _, err := range errs {
		names = append(names, strings.TrimPrefix(err.Field, path))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// ourFields returns those that this module finds.
func ourFields(err error) (names []string) {
	if err == nil {
		return nil
	}
	for _, fault := range err.(interface{ Unwrap() []error }).Unwrap() {
		var f *taint.FieldError
		if errors.As(fault, &f) {
			names = append(names, f.Field)
		}
	}
	if sorted := slices.Sorted(slices.Values(names)); !slices.Equal(slices.Compact(slices.Clone(sorted)), sorted) {
		names = append(names, "several faults for a field")
	}
	slices.Sort(names)
	return names
}

var (
	deviceWords = rapid.OneOf(
		rapid.SampledFrom([]string{"", "a", "a.b", "A", "a/b", "A.b/c", "a_b", "-a", "a-", "a..b", "a//b", "/", "a/", ".", "a b", "é", "\u212A", "\u212Ax.y", "0", "a.B/c/d",
			strings.Repeat("x", 63), strings.Repeat("x", 64), strings.Repeat("x.", 126) + "y", strings.Repeat("x", 253), strings.Repeat("x", 254),
			strings.Repeat("x", 254) + "/y", strings.Repeat("x.", 31) + "y", strings.Repeat("x.", 32) + "y"}),
		rapid.StringMatching(`[a-cA0./_-]{0,5}`),
	)
	deviceWordEffects = rapid.SampledFrom([]taint.Effect{"", "None", "NoSchedule", "NoExecute", "PreferNoSchedule", "none", "Future"})
	wordTaints        = rapid.Custom(func(t *rapid.T) taint.Taint {
		return taint.Taint{Key: deviceWords.Draw(t, "key"), Value: deviceWords.Draw(t, "value"), Effect: deviceWordEffects.Draw(t, "effect")}
	})
	wordTolerations = rapid.Custom(func(t *rapid.T) toleration.Toleration {
		x := toleration.Toleration{
			Key: deviceWords.Draw(t, "key"), Value: deviceWords.Draw(t, "value"), Effect: deviceWordEffects.Draw(t, "effect"),
			Operator: rapid.SampledFrom([]toleration.Operator{"", "Equal", "Exists", "Gt", "exists"}).Draw(t, "operator"),
		}
		if rapid.Bool().Draw(t, "limited") {
			x.TolerationSeconds = new(rapid.Int64().Draw(t, "seconds"))
		}
		return x
	})
	wordSelectors = rapid.Custom(func(t *rapid.T) *device.Selector {
		part := func() *string {
			if rapid.Bool().Draw(t, "any") {
				return nil
			}
			return new(deviceWords.Draw(t, "name"))
		}
		return &device.Selector{Driver: part(), Pool: part(), Device: part()}
	})
)

func compareFields(t rapid.TB, what any, got, want []string) {
	if !slices.Equal(got, want) {
		t.Fatalf("%+v: faults in %q, the API server's are in %q", what, got, want)
	}
}

// sliceOf is a valid slice except for the taints.
func sliceOf(t rapid.TB, taints []taint.Taint) *resource.ResourceSlice {
	slice := resourceSlice("s", &device.Slice{Driver: "d", Pool: device.Pool{Name: "p"}, Devices: []device.Device{{Name: "x", Taints: taints}}})
	return internal(t, slice, &resource.ResourceSlice{})
}

// TestD13Taints compares which fields of a device's taints are at fault, on create
// and on update.
func TestD13Taints(t *testing.T) {
	const path = "spec.devices[0]."
	rapid.Check(t, func(t *rapid.T) {
		taints, old := rapid.SliceOfN(wordTaints, 0, 17).Draw(t, "taints"), rapid.SliceOfN(wordTaints, 0, 2).Draw(t, "old")
		if rapid.Bool().Draw(t, "unchanged") {
			old = taint.Clone(taints)
		}
		theirs, theirOld := sliceOf(t, taints), sliceOf(t, old)
		compareFields(t, taints, ourFields(device.ValidateTaints(taints)), faultyFields(validation.ValidateResourceSlice(theirs), path))
		want := faultyFields(validation.ValidateResourceSliceUpdate(theirs, theirOld), path)
		want = slices.DeleteFunc(want, func(name string) bool { return strings.HasPrefix(name, "metadata") })
		compareFields(t, taints, ourFields(device.ValidateTaintsUpdate(taints, old)), want)
	})
}

// TestD13Tolerations does so for the tolerations of a request and a sub-request.
func TestD13Tolerations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tolerations := rapid.SliceOfN(wordTolerations, 0, 3).Draw(t, "tolerations")
		for path, alternative := range map[string]bool{"spec.devices.requests[0].exactly.": false, "spec.devices.requests[0].firstAvailable[0].": true} {
			claim := internal(t, claimFor(tolerations, false, alternative), &resource.ResourceClaim{})
			compareFields(t, tolerations, ourFields(device.ValidateTolerations(tolerations)), faultyFields(validation.ValidateResourceClaim(claim), path))
		}
	})
}

// TestD13Documented shows what the API server lets pass although the documents of
// the fields forbid it, and that this module does so too.
func TestD13Documented(t *testing.T) {
	for name, tolerations := range map[string][]toleration.Toleration{
		"an empty key with Equal":     {{Operator: toleration.OpEqual, Value: "x"}},
		"the effect None":             {{Key: "a", Operator: toleration.OpExists, Effect: device.None}},
		"seconds with no effect":      {{Key: "a", Operator: toleration.OpExists, TolerationSeconds: new(int64(1))}},
		"seconds with another effect": {{Key: "a", Operator: toleration.OpExists, Effect: taint.NoSchedule, TolerationSeconds: new(int64(1))}},
		"17 tolerations":              slices.Repeat([]toleration.Toleration{{Key: "a", Operator: toleration.OpExists}}, device.MaxTolerations+1),
	} {
		claim := internal(t, claimFor(tolerations, false, false), &resource.ResourceClaim{})
		if errs := validation.ValidateResourceClaim(claim); len(errs) != 0 {
			t.Errorf("%s: the API server says %v", name, errs)
		}
		if errs := legacyscheme.Scheme.Validate(quietly(), nil, claimFor(tolerations, false, false)); len(errs) != 0 {
			t.Errorf("%s: declarative validation says %v", name, errs)
		}
		if err := device.ValidateTolerations(tolerations); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestD13Rule compares which fields of a rule are at fault, on create and on update.
func TestD13Rule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func() device.Rule {
			rule := device.Rule{Taint: wordTaints.Draw(t, "taint")}
			if rapid.IntRange(0, 9).Draw(t, "selector") > 0 {
				rule.DeviceSelector = wordSelectors.Draw(t, "selector")
			}
			return rule
		}
		rule, old := draw(), draw()
		theirs, theirOld := internal(t, resourceRule("r", &rule), &resource.DeviceTaintRule{}), internal(t, resourceRule("r", &old), &resource.DeviceTaintRule{})
		theirs.ResourceVersion, theirOld.ResourceVersion = "1", "1"
		compareFields(t, rule, ourFields(rule.Validate()), faultyFields(validation.ValidateDeviceTaintRule(theirs), "spec."))
		compareFields(t, rule, ourFields(rule.ValidateUpdate(&old)), faultyFields(validation.ValidateDeviceTaintRuleUpdate(theirs, theirOld), "spec."))
	})
}

// TestD11Strategy compares the TimeAdded that the API server gives a rule: its
// defaults, as every object gets them that it decodes, and the strategy of rules.
func TestD11Strategy(t *testing.T) {
	compared := 0
	times := []*taint.Time{nil, {Time: time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC)}, {Time: time.Date(1999, 12, 31, 0, 0, 1, 0, time.UTC)}}
	effects := []taint.Effect{device.None, taint.NoSchedule, taint.NoExecute}
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(1700 * time.Millisecond) // not a whole second
		for _, before := range times {
			for _, after := range times {
				for _, effect := range effects {
					for _, changed := range []device.Rule{{Taint: taint.Taint{Key: "a"}}, {Taint: taint.Taint{Key: "a", Value: "x"}}, {Taint: taint.Taint{Key: "b"}},
						{DeviceSelector: &device.Selector{}, Taint: taint.Taint{Key: "a"}}} {
						old := device.Rule{Taint: taint.Taint{Key: "a", Effect: taint.NoSchedule, TimeAdded: before}}
						changed.Taint.Effect, changed.Taint.TimeAdded = effect, after
						compareTimes(t, changed, old)
						compared++
					}
				}
			}
		}
	})
	t.Logf("%d updates compared", compared)
}

func compareTimes(t *testing.T, rule, old device.Rule) {
	t.Helper()
	decoded := func(r *device.Rule) *resource.DeviceTaintRule {
		object := resourceRule("r", r)
		legacyscheme.Scheme.Default(object)
		return internal(t, object, &resource.DeviceTaintRule{})
	}
	theirOld := decoded(&old)
	devicetaintrule.Strategy.PrepareForCreate(quietly(), theirOld)
	old.SetDefaults(time.Now())
	time.Sleep(1500 * time.Millisecond)
	theirs := decoded(&rule)
	devicetaintrule.Strategy.PrepareForUpdate(quietly(), theirs, theirOld)
	rule.PrepareUpdate(&old, time.Now())
	if !old.Taint.TimeAdded.Equal(theirOld.Spec.Taint.TimeAdded.Time) || !rule.Taint.TimeAdded.Equal(theirs.Spec.Taint.TimeAdded.Time) {
		t.Errorf("from %+v to %+v: %v and %v, the API server's are %v and %v", old, rule,
			old.Taint.TimeAdded, rule.Taint.TimeAdded, theirOld.Spec.Taint.TimeAdded, theirs.Spec.Taint.TimeAdded)
	}
}

// TestD11SliceDefault shows that a slice that is written again without TimeAdded
// gets a new one.
func TestD11SliceDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var given [2]*metav1.Time
		for i := range given {
			time.Sleep(1500 * time.Millisecond)
			ours := taint.Taint{Key: "a", Effect: taint.NoExecute}
			slice := resourceSlice("s", &device.Slice{Devices: []device.Device{{Name: "x", Taints: []taint.Taint{ours}}}})
			legacyscheme.Scheme.Default(slice)
			given[i] = slice.Spec.Devices[0].Taints[0].TimeAdded
			if device.SetTaintDefaults(&ours, time.Now()); !ours.TimeAdded.Equal(given[i].Time) {
				t.Errorf("%v, the API server gives %v", ours.TimeAdded, given[i])
			}
		}
		if given[0].Equal(given[1]) {
			t.Error("the time stayed the same")
		}
	})
}

// TestD1Twice shows that a device may have equal taints, which no node may.
func TestD1Twice(t *testing.T) {
	twice := []taint.Taint{taint.MustParse("a=x:NoExecute"), taint.MustParse("a=x:NoExecute")}
	if errs := validation.ValidateResourceSlice(sliceOf(t, twice)); len(errs) != 0 || device.ValidateTaints(twice) != nil {
		t.Errorf("the API server says %v, and we %v", errs, device.ValidateTaints(twice))
	}
	if taint.Validate([]taint.Taint{taint.Taint(twice[0]), taint.Taint(twice[1])}) == nil {
		t.Error("a node may have them, too")
	}
}

// TestD5Immutable shows that neither the tolerations of a claim's request nor those of
// its allocation can be changed, so that nobody can put an eviction off as one can for
// nodes.
func TestD5Immutable(t *testing.T) {
	withResult := func(request, allocated string) *resource.ResourceClaim {
		claim := claimFor(tolerating(request), false, false)
		claim.ResourceVersion = "1"
		claim.Status.Allocation = &resourceapi.AllocationResult{}
		claim.Status.Allocation.Devices.Results = []resourceapi.DeviceRequestAllocationResult{
			{Request: "r", Driver: "d", Pool: "p", Device: "0", Tolerations: ours.AppendV1Tolerations(nil, tolerating(allocated))},
		}
		return internal(t, claim, &resource.ResourceClaim{})
	}
	old := withResult("a:NoExecute@5", "a:NoExecute@5")
	if errs := validation.ValidateResourceClaimStatusUpdate(old, old); len(errs) != 0 {
		t.Fatal(errs)
	}
	if errs := validation.ValidateResourceClaimUpdate(withResult("a:NoExecute", "a:NoExecute@5"), old); len(errs) != 1 || errs[0].Field != "spec" {
		t.Errorf("a request with other tolerations: %v", errs)
	}
	if errs := validation.ValidateResourceClaimStatusUpdate(withResult("a:NoExecute@5", "a:NoExecute"), old); len(errs) != 1 || errs[0].Field != "status.allocation" {
		t.Errorf("a result with other tolerations: %v", errs)
	}
}

// TestD13Default compares the operator that is left empty.
func TestD13Default(t *testing.T) {
	for _, operator := range []toleration.Operator{"", toleration.OpExists, "Gt"} {
		ours := toleration.Toleration{Key: "a", Operator: operator}
		claim := claimFor([]toleration.Toleration{ours}, false, false)
		legacyscheme.Scheme.Default(claim)
		device.SetTolerationDefaults(&ours)
		if got := claim.Spec.Devices.Requests[0].Exactly.Tolerations[0].Operator; string(got) != string(ours.Operator) {
			t.Errorf("%q becomes %q, with the API server %q", operator, ours.Operator, got)
		}
	}
}

// TestD13Limits compares the numbers of the API.
func TestD13Limits(t *testing.T) {
	if device.MaxTaints != resourceapi.DeviceTaintsMaxLength || device.MaxTolerations != resourceapi.DeviceTolerationsMaxLength {
		t.Errorf("%d taints and %d tolerations, the API has %d and %d", device.MaxTaints, device.MaxTolerations,
			resourceapi.DeviceTaintsMaxLength, resourceapi.DeviceTolerationsMaxLength)
	}
}
