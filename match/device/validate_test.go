package device_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// fields returns the names of the fields at fault.
func fields(err error) (names []string) {
	if err == nil {
		return nil
	}
	for _, fault := range err.(interface{ Unwrap() []error }).Unwrap() {
		var f *taint.FieldError
		if errors.As(fault, &f) {
			names = append(names, f.Field)
		}
	}
	return names
}

// D13: every fault of taints, one for each field.
func TestD13Taints(t *testing.T) {
	long := strings.Repeat("x", 64)
	err := device.ValidateTaints([]taint.Taint{
		{Key: "example.com/ok", Value: "v", Effect: device.None},
		{Key: "", Value: "-", Effect: ""},
		{Key: "a b", Value: long, Effect: taint.PreferNoSchedule},
		{Key: "a", Effect: taint.NoSchedule},
		{Key: "a", Effect: taint.NoSchedule},
	})
	want := []string{"taints[1].key", "taints[1].value", "taints[1].effect", "taints[2].key", "taints[2].value", "taints[2].effect"}
	if got := fields(err); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	many := slices.Repeat([]taint.Taint{{Key: "a", Effect: "bad"}}, 17)
	if got := fields(device.ValidateTaints(many)); !slices.Equal(got, []string{"taints"}) {
		t.Errorf("17 taints: %q", got)
	}
	if got := fields(device.ValidateTaints(many[:16])); len(got) != 16 {
		t.Errorf("16 taints: %q", got)
	}
}

// D13: a list that is stored may stay, a changed one is checked.
func TestD13TaintsUpdate(t *testing.T) {
	bad := []taint.Taint{{Key: "a", Effect: "Future"}}
	if err := device.ValidateTaintsUpdate(taint.Clone(bad), bad); err != nil {
		t.Error(err)
	}
	if device.ValidateTaintsUpdate(append(bad, taint.Taint{Key: "b", Effect: device.None}), bad) == nil {
		t.Error("a list with an unknown effect was changed")
	}
	if err := device.ValidateTaintsUpdate(nil, []taint.Taint{}); err != nil {
		t.Error(err)
	}
}

// D13: every fault of tolerations, and what the documents forbid and nobody checks.
func TestD13Tolerations(t *testing.T) {
	err := device.ValidateTolerations([]toleration.Toleration{
		{Key: "a"},
		{Key: "/", Operator: "Gt", Effect: "x"},
		{Key: "a", Operator: toleration.OpExists, Value: "v"},
		{Key: "a", Operator: toleration.OpEqual, Value: "-"},
	})
	want := []string{"tolerations[0].operator", "tolerations[1].key", "tolerations[1].operator", "tolerations[1].effect", "tolerations[2].value", "tolerations[3].value"}
	if got := fields(err); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	passes := []toleration.Toleration{
		{Operator: toleration.OpEqual},
		{Key: "a", Operator: toleration.OpExists, Effect: device.None},
		{Key: "a", Operator: toleration.OpExists, TolerationSeconds: ptr(int64(-1))},
		{Key: "a", Operator: toleration.OpExists, Effect: taint.NoSchedule, TolerationSeconds: ptr(int64(1))},
	}
	if err := device.ValidateTolerations(slices.Repeat(passes, 5)); err != nil {
		t.Error(err)
	}
	empty := toleration.Toleration{Key: "a"}
	device.SetTolerationDefaults(&empty)
	if err := device.ValidateTolerations([]toleration.Toleration{empty}); err != nil {
		t.Error(err)
	}
}

// D13: rules, created and updated.
func TestD13Rule(t *testing.T) {
	bad := device.Rule{
		DeviceSelector: &device.Selector{Driver: ptr("a..b"), Pool: ptr("p//q"), Device: ptr("X")},
		Taint:          taint.Taint{Effect: "Future"},
	}
	want := []string{"deviceSelector.driver", "deviceSelector.pool", "deviceSelector.device", "taint.key", "taint.effect"}
	if got := fields(bad.Validate()); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := fields(bad.ValidateUpdate(&bad)); !slices.Equal(got, want[:4]) {
		t.Errorf("update: %q, want %q", got, want[:4])
	}
	empty := device.Rule{DeviceSelector: &device.Selector{Driver: ptr(""), Pool: ptr(""), Device: ptr("")}, Taint: taint.Taint{Key: "a", Effect: device.None}}
	if got := fields(empty.Validate()); !slices.Equal(got, want[:3]) {
		t.Errorf("empty names: %q", got)
	}
	good := device.Rule{DeviceSelector: &device.Selector{Driver: ptr("GPU.Example.com"), Pool: ptr("a.b/c-1"), Device: ptr("0-a")}, Taint: taint.Taint{Key: "a", Effect: device.None}}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	good.DeviceSelector = nil
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
}

// TestD13Limits has the numbers of the API, which match/kube/upstream compares.
func TestD13Limits(t *testing.T) {
	if device.MaxTaints != 16 || device.MaxTolerations != 16 {
		t.Errorf("%d taints and %d tolerations, want 16 of each", device.MaxTaints, device.MaxTolerations)
	}
}

// TestD13Names has names of the greatest length, one more, and at the borders of what
// they are made of.
func TestD13Names(t *testing.T) {
	long := strings.Repeat("a", 62) + "."
	for _, test := range []struct {
		field, name, want string
	}{
		{"driver", strings.Repeat("a", 63), ""},
		{"driver", strings.Repeat("a", 64), "must be no more than 63 characters"},
		{"driver", "A.Z09-az", ""},
		{"pool", strings.Repeat(long, 3) + strings.Repeat("a", 64), ""},
		{"pool", strings.Repeat(long, 3) + strings.Repeat("a", 65), "must be no more than 253 characters"},
		{"pool", "a/0.9/z", ""},
		{"pool", "a//z", "must be lower case"},
		{"pool", "a/Z", "must be lower case"},
		{"device", strings.Repeat("a", 63), ""},
		{"device", strings.Repeat("a", 64), "must be at most 63 lower case"},
		{"device", "0-9az", ""},
		{"device", "-a", "must be at most"},
		{"device", "a-", "must be at most"},
		{"device", "a+b", "must be at most"},
		{"device", "a/", "must be at most"},
		{"device", "a:b", "must be at most"},
		{"device", "a`b", "must be at most"},
		{"device", "a{b", "must be at most"},
		{"device", "a.b", "must be at most"},
	} {
		r := device.Rule{DeviceSelector: new(device.Selector), Taint: taint.Taint{Key: "a", Effect: device.None}}
		*map[string]**string{"driver": &r.DeviceSelector.Driver, "pool": &r.DeviceSelector.Pool, "device": &r.DeviceSelector.Device}[test.field] = &test.name
		err := r.Validate()
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s %s: %v, want %q", test.field, test.name, err, test.want)
		}
	}
}

// TestD13Problems has every kind of fault with its words.
func TestD13Problems(t *testing.T) {
	rule := func(x taint.Taint) error { return (&device.Rule{Taint: x}).Validate() }
	tolerations := func(x toleration.Toleration) error { return device.ValidateTolerations([]toleration.Toleration{x}) }
	for _, test := range []struct {
		err  error
		want string
	}{
		{device.ValidateTaints(make([]taint.Taint, 17)), `taints: invalid value "17": must have at most 16 taints`},
		{rule(taint.Taint{Key: "a"}), "taint.effect: required value: must be None, NoSchedule or NoExecute"},
		{rule(taint.Taint{Key: "a", Effect: "x"}), `taint.effect: unsupported value "x": must be None, NoSchedule or NoExecute`},
		{rule(taint.Taint{Effect: device.None}), `taint.key: invalid value "": the name must not be empty`},
		{tolerations(toleration.Toleration{}), "tolerations[0].operator: required value: must be Exists or Equal"},
		{tolerations(toleration.Toleration{Operator: "Gt"}), `tolerations[0].operator: unsupported value "Gt": must be Exists or Equal`},
		{tolerations(toleration.Toleration{Operator: toleration.OpExists, Value: "a"}), `tolerations[0].value: invalid value "a": must be empty when the operator is Exists`},
		{tolerations(toleration.Toleration{Operator: toleration.OpExists, Effect: "x"}), `tolerations[0].effect: unsupported value "x": must be None, NoSchedule or NoExecute`},
	} {
		if test.err == nil || test.err.Error() != test.want {
			t.Errorf("%v, want %s", test.err, test.want)
		}
	}
	// An effect is looked at if it changes, whichever way.
	for _, old := range []taint.Effect{"A", "b", "z"} {
		for _, effect := range []taint.Effect{"A", "b", "z"} {
			r, before := device.Rule{Taint: taint.Taint{Key: "a", Effect: effect}}, device.Rule{Taint: taint.Taint{Key: "a", Effect: old}}
			if err := r.ValidateUpdate(&before); (err == nil) != (effect == old) {
				t.Errorf("%s to %s: %v", old, effect, err)
			}
		}
	}
}

// TestD13Required has the kind of what is missing, which has no value.
func TestD13Required(t *testing.T) {
	none := ptr("")
	selector := &device.Selector{Driver: none, Pool: none, Device: none}
	err := errors.Join(
		device.ValidateTaints([]taint.Taint{{Key: "a"}}),
		device.ValidateTolerations([]toleration.Toleration{{Key: "a"}}),
		(&device.Rule{DeviceSelector: selector, Taint: taint.Taint{Key: "a", Effect: device.None}}).Validate(),
	)
	found := 0
	for _, list := range err.(interface{ Unwrap() []error }).Unwrap() {
		var faults *taint.FieldErrors
		if !errors.As(list, &faults) {
			t.Fatal(list)
		}
		for _, f := range faults.Faults {
			found++
			if f.Problem != "required value" || f.Value != "" {
				t.Errorf("%+v, want a required value", f)
			}
		}
	}
	if found != 5 {
		t.Errorf("%d faults, want 5: %v", found, err)
	}
}
