package devices

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/dynamic-resource-allocation/resourceclaim"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	resource "k8s.io/kubernetes/pkg/apis/resource"
	"k8s.io/kubernetes/pkg/apis/resource/validation"
	"k8s.io/kubernetes/pkg/registry/resource/devicetaintrule"

	"github.com/tolero-dev/tolero/match/device"
	kuberesource "github.com/tolero-dev/tolero/match/kube/resource"
	"github.com/tolero-dev/tolero/match/matchtest/vectors"
)

// vectorInput is the input of a vector, read as the objects of the real modules.
type vectorInput struct {
	DeviceTaint        resourceapi.DeviceTaint
	DeviceToleration   resourceapi.DeviceToleration
	DeviceTaints       []resourceapi.DeviceTaint
	DeviceTolerations  []resourceapi.DeviceToleration
	ResourceSlice      resourceapi.ResourceSlice
	DeviceTaintRules   []resourceapi.DeviceTaintRule
	DeviceTaintRule    resourceapi.DeviceTaintRule
	OldDeviceTaintRule resourceapi.DeviceTaintRule
	Now                metav1.Time
	Until              int64
	Events             []vectorEvent
}

type vectorEvent struct {
	At                    int64
	ResourceSlice         *resourceapi.ResourceSlice
	DeleteResourceSlice   string
	DeviceTaintRule       *resourceapi.DeviceTaintRule
	DeleteDeviceTaintRule string
	DeletePod             string
	Use                   *struct {
		Pod                              string
		Devices                          []resourceapi.DeviceRequestAllocationResult
		Unplaced, NotInSpec, NotReserved bool
	}
}

var version = regexp.MustCompile(`k8s\.io/kubernetes@(v(1\.[0-9]+)\.[0-9]+)/`)

// TestVectors asks the code of Kubernetes the questions of the vectors about devices; see
// the test of that name in package upstream.
func TestVectors(t *testing.T) {
	file, _ := runtime.FuncForPC(reflect.ValueOf(validation.ValidateDeviceTaintRule).Pointer()).FileLine(0)
	m := version.FindStringSubmatch(file)
	if m == nil {
		t.Fatalf("no version in %s", file)
	}
	cases, err := vectors.Load(m[2])
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for i := range cases {
		c := &cases[i]
		ask := vectorKinds[c.Ask]
		if ask == nil { // the test in package upstream leaves these out
			if strings.HasPrefix(c.Ask, "device") || strings.HasPrefix(c.Ask, "validateDevice") || c.Ask == "validateRequest" {
				t.Errorf("%s: nobody confirms %s", c.ID, c.Ask)
			}
			continue
		}
		kinds[c.Ask]++
		in := new(vectorInput)
		decoder := json.NewDecoder(bytes.NewReader(c.Input))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(in); err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		got, err := json.Marshal(ask(t, in))
		if err != nil {
			t.Fatal(err)
		}
		if want := c.Expected("kubernetes"); !vectors.Equal(got, want) {
			t.Errorf("%s: %s\nKubernetes answers %s\nthe vector says    %s", c.ID, c.Input, got, want)
		}
	}
	t.Logf("k8s.io/kubernetes %s: %v", m[1], kinds)
}

var vectorKinds = map[string]func(*testing.T, *vectorInput) any{
	"deviceTolerates": func(_ *testing.T, in *vectorInput) any {
		return resourceclaim.ToleratesTaint(in.DeviceToleration, in.DeviceTaint)
	},
	"deviceAllocatable":      allocatableVector,
	"deviceTaints":           taintsVector,
	"deviceEvictions":        evictionsVector,
	"deviceTaintRuleUpdate":  ruleUpdateVector,
	"deviceTaintRulePreview": previewVector,
	"validateDevice": func(t *testing.T, in *vectorInput) any {
		return faultList(validation.ValidateResourceSlice(sliceOf(t, kuberesource.AppendTaints(nil, in.DeviceTaints))), "spec.devices[0].")
	},
	"validateRequest": func(t *testing.T, in *vectorInput) any {
		claim := internal(t, claimFor(kuberesource.AppendTolerations(nil, in.DeviceTolerations), false, false), &resource.ResourceClaim{})
		return faultList(validation.ValidateResourceClaim(claim), "spec.devices.requests[0].exactly.")
	},
	"validateDeviceTaintRule": func(t *testing.T, in *vectorInput) any {
		return faultList(validation.ValidateDeviceTaintRule(internal(t, &in.DeviceTaintRule, &resource.DeviceTaintRule{})), "spec.")
	},
}

// faultList is the fields with faults, sorted, below a path that is cut off.
func faultList(errs field.ErrorList, path string) any {
	return append([]string{}, faultyFields(errs, path)...)
}

// allocatableVector has each of the allocators allocate a device with the taints.
func allocatableVector(t *testing.T, in *vectorInput) any {
	slice := &resourceapi.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: "s"}, Spec: resourceapi.ResourceSliceSpec{Driver: "d", NodeName: new("n"),
		Pool: resourceapi.ResourcePool{Name: "p", ResourceSliceCount: 1}, Devices: []resourceapi.Device{{Name: "x", Taints: in.DeviceTaints}}}}
	claim := claimFor(kuberesource.AppendTolerations(nil, in.DeviceTolerations), false, false)
	var answers []bool
	for _, name := range []string{"stable", "incubating", "experimental"} {
		results, err := allocator(t, name, slice).Allocate(context.Background(), &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}}, []*resourceapi.ResourceClaim{claim})
		answers = append(answers, err == nil && len(results) == 1 && len(results[0].Devices.Results) == 1)
	}
	if answers = slices.Compact(answers); len(answers) > 1 {
		return "the allocators disagree"
	}
	return answers[0]
}

// taintsVector runs the tracker. It keeps no order among rules, and no vector has two.
func taintsVector(t *testing.T, in *vectorInput) any {
	lists := [][]resourceapi.DeviceTaint{}
	slice := kuberesource.Slice(&in.ResourceSlice)
	synctest.Test(t, func(t *testing.T) {
		var rules []device.Rule
		for i := range in.DeviceTaintRules {
			rules = append(rules, ruleOf(&in.DeviceTaintRules[i]))
		}
		taints := patched(t, &slice, rules)
		for _, d := range slice.Devices {
			lists = append(lists, append([]resourceapi.DeviceTaint{}, taints[d.Name]...))
		}
	})
	return lists
}

// playVector lets the events of a vector happen.
func playVector(b *both, in *vectorInput) {
	for _, e := range in.Events {
		b.sleep(time.Until(b.start.Add(time.Duration(e.At) * time.Millisecond)))
		switch {
		case e.ResourceSlice != nil:
			b.setSlice(e.ResourceSlice.Name, kuberesource.Slice(e.ResourceSlice))
		case e.DeleteResourceSlice != "":
			b.deleteSlice(e.DeleteResourceSlice)
		case e.DeviceTaintRule != nil:
			b.setRule(e.DeviceTaintRule.Name, ruleOf(e.DeviceTaintRule))
		case e.DeleteDeviceTaintRule != "":
			b.deleteRule(e.DeleteDeviceTaintRule)
		case e.DeletePod != "":
			b.deletePod(e.DeletePod)
		case e.Use != nil:
			claims, reserved := []string{e.Use.Pod}, []string{e.Use.Pod}
			if e.Use.NotInSpec {
				claims = nil
			}
			if e.Use.NotReserved {
				reserved = nil
			}
			claim := &resourceapi.ResourceClaim{Status: resourceapi.ResourceClaimStatus{Allocation: &resourceapi.AllocationResult{Devices: resourceapi.DeviceAllocationResult{Results: e.Use.Devices}}}}
			b.setPod(e.Use.Pod, !e.Use.Unplaced, claims)
			b.setClaim(e.Use.Pod, kuberesource.AppendAllocations(nil, claim), reserved)
		}
	}
}

func evictionsVector(t *testing.T, in *vectorInput) any {
	list := []map[string]any{}
	b := runBoth(t, func(b *both) { playVector(b, in) })
	for _, text := range b.theirs {
		fields := strings.Fields(text)
		at, err := time.ParseDuration(fields[0] + fields[1])
		if err != nil {
			t.Fatal(err)
		}
		pod := fields[2][:strings.LastIndexByte(fields[2], '-')] // without the number of the UID
		list = append(list, map[string]any{"at": at.Milliseconds(), "pod": pod})
	}
	return list
}

// ruleUpdateVector runs the strategy of the API server at the moment.
func ruleUpdateVector(t *testing.T, in *vectorInput) (added any) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(in.Now.Time))
		decoded := func(r *resourceapi.DeviceTaintRule) *resource.DeviceTaintRule {
			legacyscheme.Scheme.Default(r)
			return internal(t, r, &resource.DeviceTaintRule{})
		}
		old, updated := decoded(&in.OldDeviceTaintRule), decoded(&in.DeviceTaintRule)
		devicetaintrule.Strategy.PrepareForUpdate(quietly(), updated, old)
		added = updated.Spec.Taint.TimeAdded
	})
	return added
}

// previewVector reads the numbers in the status that the controller gives the rule.
func previewVector(t *testing.T, in *vectorInput) any {
	var numbers map[string]int
	runBoth(t, func(b *both) {
		playVector(b, in)
		b.sleep(10 * time.Second)
		b.setRule(in.DeviceTaintRule.Name, ruleOf(&in.DeviceTaintRule))
		b.sleep(time.Minute)
		b.mu.Lock()
		message := b.conditions[in.DeviceTaintRule.Name].Message
		b.mu.Unlock()
		numbers = numbersOf(message)
	})
	return numbers
}

// previewNumbers finds the numbers in the message of a rule with the effect None.
var previewNumbers = regexp.MustCompile(`(\d+) (published|allocated|pod)`)

func numbersOf(message string) map[string]int {
	n := map[string]int{}
	for _, m := range previewNumbers.FindAllStringSubmatch(message, -1) {
		count, _ := strconv.Atoi(m[1])
		n[strings.Replace(m[2], "pod", "pods", 1)] = count
	}
	return n
}
