package source

import (
	"strings"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

var gpu = device.ID{Driver: "d", Pool: "p", Device: "gpu"}

// added gives all taints the time of a second after the start.
func added(second int64, taints []taint.Taint) []taint.Taint {
	for i := range taints {
		taints[i].TimeAdded = timeAt(second)
	}
	return taints
}

// publishes is that a slice has the device gpu with taints.
func publishes(at int64, name string, generation, second int64, text string) event {
	return event{At: at * 1000, Slice: &canonical.Slice{Metadata: canonical.Meta{Name: name}, Spec: device.Slice{Driver: gpu.Driver, Pool: device.Pool{Name: gpu.Pool, Generation: generation},
		Devices: []device.Device{{Name: gpu.Device, Taints: added(second, taints(text))}}}}}
}

func uses(at int64, pod, text string) event {
	return event{At: at * 1000, Use: &canonical.Use{Pod: pod, Devices: []device.Allocation{{Request: "r", ID: gpu, Tolerations: tolerations(text)}}}}
}

func rule(name string, second int64, selector *device.Selector, text string) *canonical.Rule {
	return &canonical.Rule{Metadata: canonical.Meta{Name: name}, Spec: device.Rule{DeviceSelector: selector, Taint: added(second, taints(text))[0]}}
}

func ruled(at int64, name string, second int64, selector *device.Selector, taint string) event {
	return event{At: at * 1000, Rule: rule(name, second, selector, taint)}
}

func selects(parts ...string) *device.Selector {
	s := new(device.Selector)
	for i, to := range []**string{&s.Driver, &s.Pool, &s.Device} {
		if i < len(parts) && parts[i] != "" {
			*to = &parts[i]
		}
	}
	return s
}

// devices is about rules D.
func devices(l *list) {
	type T = toleration.Toleration
	type X = taint.Taint
	ax := X{Key: "a", Value: "x", Effect: "NoSchedule"}
	for _, c := range []struct {
		about string
		t     T
		x     X
	}{
		{"the same", T{Key: "a", Operator: "Equal", Value: "x", Effect: "NoSchedule"}, ax}, {"another effect", T{Key: "a", Operator: "Exists", Effect: "NoExecute"}, ax}, {"another key", T{Key: "b", Operator: "Exists"}, ax},
		{"another value", T{Key: "a", Value: "y"}, ax}, {"Exists", T{Key: "a", Operator: "Exists"}, ax}, {"everything", T{Operator: "Exists"}, ax}, {"an empty operator is Equal", T{Key: "a", Value: "x"}, ax}, {"the zero toleration", T{}, X{Key: "a", Effect: "NoSchedule"}},
		{"an empty key with Equal", T{Operator: "Equal", Value: "x"}, ax}, {"Gt matches nothing", T{Key: "a", Operator: "Gt", Value: "5"}, X{Key: "a", Value: "6", Effect: "NoSchedule"}}, {"Lt matches nothing", T{Key: "a", Operator: "Lt", Value: "5"}, X{Key: "a", Value: "4", Effect: "NoSchedule"}},
		{"an unknown operator", T{Key: "a", Operator: "In", Value: "x"}, ax}, {"the effect None", T{Key: "a", Operator: "Exists", Effect: "None"}, X{Key: "a", Effect: "None"}}, {"an empty key and another effect", T{Operator: "Exists", Effect: "NoExecute"}, ax},
	} {
		l.add("D2", "deviceTolerates", c.about, canonical.Input{DeviceToleration: &c.t, DeviceTaint: &c.x})
	}
	for _, c := range [][4]string{
		{"D5", "no taints", "", ""}, {"D5", "NoSchedule", "a:NoSchedule", ""}, {"D5", "NoExecute", "a:NoExecute", ""}, {"D1", "None", "a:None", ""}, {"D1", "PreferNoSchedule does nothing", "a:PreferNoSchedule", ""}, {"D1", "an unknown effect", "a:Odd", ""},
		{"D5", "tolerated", "a:NoSchedule,b:NoExecute", "a,b"}, {"D5", "one of two", "a:NoSchedule,b:NoExecute", "a"}, {"D5", "seconds play no part", "a:NoExecute", "a:NoExecute@0"}, {"D1", "the same twice", "a:NoSchedule,a:NoSchedule", "a"}, {"D5", "an empty effect lets it be allocated", "a:NoExecute", "a"},
	} {
		l.add(c[0], "deviceAllocatable", c[1], canonical.Input{DeviceTaints: taints(c[2]), DeviceTolerations: tolerations(c[3])})
	}
	slice := func() *canonical.Slice {
		return &canonical.Slice{Metadata: canonical.Meta{Name: "s"}, Spec: device.Slice{Driver: "d", Pool: device.Pool{Name: "p"}, Devices: []device.Device{{Name: "x", Taints: added(1, taints("own:NoSchedule"))}, {Name: "y"}}}}
	}
	for _, c := range []struct {
		rules, about string
		list         []canonical.Rule
	}{
		{"D3", "no rules", nil},
		{"D3", "no selector", []canonical.Rule{*rule("r", 1, nil, "a:NoExecute")}},
		{"D3", "an empty selector", []canonical.Rule{*rule("r", 1, selects(), "a:NoExecute")}},
		{"D3", "the driver", []canonical.Rule{*rule("r", 1, selects("d"), "a:NoExecute")}},
		{"D3", "another driver", []canonical.Rule{*rule("r", 1, selects("e"), "a:NoExecute")}},
		{"D3", "the driver in another case", []canonical.Rule{*rule("r", 1, selects("D"), "a:NoExecute")}},
		{"D3", "a device", []canonical.Rule{*rule("r", 1, selects("d", "p", "y"), "a:NoExecute")}},
		{"D3", "the pool and a device of another name", []canonical.Rule{*rule("r", 1, selects("", "p", "z"), "a:NoExecute")}},
		{"D3", "another pool", []canonical.Rule{*rule("r", 1, selects("", "q"), "a:NoExecute")}},
		{"D4", "after the taints of the slice", []canonical.Rule{*rule("r", 1, selects(), "own:NoSchedule")}},
	} {
		l.add(c.rules, "deviceTaints", c.about, canonical.Input{ResourceSlice: slice(), DeviceTaintRules: c.list})
	}

	changed := func(e event, change func(*canonical.Use)) event {
		change(e.Use)
		return e
	}
	for _, c := range []struct {
		rules, about string
		events       []event
	}{
		{"D7", "untolerated, at once", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", ""), publishes(5, "s", 1, 5, "a:NoExecute")}},
		{"D7", "a time that is past", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", ""), publishes(50, "s", 1, 5, "a:NoExecute")}},
		{"D7", "a time to come", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", ""), publishes(5, "s", 1, 50, "a:NoExecute")}},
		{"D7", "seconds count from timeAdded", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", "a:NoExecute@30"), publishes(20, "s", 1, 5, "a:NoExecute")}},
		{"D6", "NoSchedule evicts nobody", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", ""), publishes(5, "s", 1, 5, "a:NoSchedule")}},
		{"D6", "tolerated forever", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", "a:NoExecute"), publishes(5, "s", 1, 5, "a:NoExecute")}},
		{"D6", "an empty effect does not count", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", "a"), publishes(5, "s", 1, 5, "a:NoExecute")}},
		{"D6", "the least seconds count", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", "a:NoExecute@30,a:NoExecute@20,a:NoExecute@40"), publishes(5, "s", 1, 5, "a:NoExecute")}},
		{"D6", "one without seconds beats all", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", "a:NoExecute@30,a:NoExecute"), publishes(5, "s", 1, 5, "a:NoExecute")}},
		{"D6", "negative seconds are zero", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", "a:NoExecute@-30"), publishes(5, "s", 1, 20, "a:NoExecute")}},
		{"D8", "the earliest of two taints", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", "a:NoExecute@30,b:NoExecute@20"), publishes(5, "s", 1, 5, "a:NoExecute,b:NoExecute")}},
		{"D8 D3", "a rule evicts", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", ""), ruled(5, "r", 5, selects("d"), "a:NoExecute")}},
		{"D9", "a pod without a node", []event{publishes(0, "s", 1, 5, "a:NoExecute"), changed(uses(6, "pod", ""), func(u *canonical.Use) { u.Unplaced = true })}},
		{"D9", "a pod that does not refer to the claim", []event{publishes(0, "s", 1, 5, "a:NoExecute"), changed(uses(6, "pod", ""), func(u *canonical.Use) { u.NotInSpec = true })}},
		{"D9", "a claim that is not reserved", []event{publishes(0, "s", 1, 5, "a:NoExecute"), changed(uses(6, "pod", ""), func(u *canonical.Use) { u.NotReserved = true })}},
		{"D9", "a newer generation without the taint", []event{publishes(0, "s", 1, 30, "a:NoExecute"), uses(1, "pod", ""), publishes(5, "t", 2, 0, "")}},
		{"D9", "an older generation does not count", []event{publishes(0, "s", 2, 0, ""), uses(1, "pod", ""), publishes(5, "t", 1, 5, "a:NoExecute")}},
		{"D10", "taken off in time", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", "a:NoExecute@30"), publishes(5, "s", 1, 5, "a:NoExecute"), publishes(20, "s", 1, 0, "")}},
		{"D10", "a sooner end replaces", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", "a:NoExecute@30,b:NoExecute@10"), publishes(5, "s", 1, 5, "a:NoExecute"), publishes(10, "s", 1, 5, "a:NoExecute,b:NoExecute")}},
		{"D10", "a later end replaces", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", "a:NoExecute@30"), publishes(5, "s", 1, 5, "a:NoExecute"), publishes(10, "s", 1, 10, "a:NoExecute")}},
		{"D10", "a rule that is deleted in time", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", "a:NoExecute@30"), ruled(5, "r", 5, selects("d"), "a:NoExecute"), {At: 20000, DeleteRule: "r"}}},
		{"D9", "rules count for a device that no slice has", []event{uses(1, "pod", ""), ruled(5, "r", 5, selects("d"), "a:NoExecute")}},
	} {
		l.add(c.rules, "deviceEvictions", c.about, canonical.Input{Events: c.events, Until: 1000_000})
	}

	for _, c := range []struct {
		about    string
		now      int64
		old, new *canonical.Rule
	}{
		{"nothing changes", 50, rule("r", 5, selects("d"), "a:NoExecute"), rule("r", 5, selects("d"), "a:NoExecute")},
		{"another effect", 50, rule("r", 5, selects("d"), "a:None"), rule("r", 5, selects("d"), "a:NoExecute")},
		{"another effect and time", 50, rule("r", 5, selects("d"), "a:None"), rule("r", 7, selects("d"), "a:NoExecute")},
		{"another key", 50, rule("r", 5, selects("d"), "a:NoExecute"), rule("r", 5, selects("d"), "b:NoExecute")},
		{"another selector", 50, rule("r", 5, selects("d"), "a:NoExecute"), rule("r", 5, selects("e"), "a:NoExecute")},
		{"no time", 50, rule("r", 5, selects("d"), "a:NoExecute"), &canonical.Rule{Metadata: canonical.Meta{Name: "r"}, Spec: device.Rule{DeviceSelector: selects("d"), Taint: X{Key: "a", Effect: "NoExecute"}}}},
	} {
		l.add("D11", "deviceTaintRuleUpdate", c.about, canonical.Input{OldRule: c.old, Rule: c.new, Now: timeAt(c.now)})
	}
	for _, c := range []struct {
		about  string
		events []event
		r      *canonical.Rule
	}{
		{"nothing", nil, rule("r", 0, selects("d"), "a:None")},
		{"a device without pods", []event{publishes(0, "s", 1, 0, "")}, rule("r", 0, selects("d"), "a:None")},
		{"a device and its pod", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", "")}, rule("r", 0, selects("d"), "a:None")},
		{"a pod that tolerates it", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", "a:NoExecute")}, rule("r", 0, selects("d"), "a:None")},
		{"another driver", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", "")}, rule("r", 0, selects("e"), "a:None")},
		{"two pods", []event{publishes(0, "s", 1, 0, ""), uses(1, "pod", ""), uses(2, "other", "")}, rule("r", 0, selects("d"), "a:None")},
	} {
		l.add("D12", "deviceTaintRulePreview", c.about, canonical.Input{Events: c.events, Rule: c.r, Until: 10_000})
	}
	for _, c := range []struct {
		about  string
		taints []X
	}{
		{"valid", taints("a=x:NoSchedule,a=x:NoSchedule,b:None")}, {"no key", []X{{Effect: "NoSchedule"}}}, {"no effect", []X{{Key: "a"}}}, {"PreferNoSchedule", []X{{Key: "a", Effect: "PreferNoSchedule"}}}, {"a malformed value", []X{{Key: "a", Value: "x y", Effect: "None"}}},
		{"sixteen", taints(strings.Repeat("a:None,", 15) + "a:None")}, {"seventeen", taints(strings.Repeat("a:None,", 16) + "a:None")},
	} {
		l.add("D13", "validateDevice", c.about, canonical.Input{DeviceTaints: c.taints})
	}
	seconds := int64(5)
	for _, c := range []struct {
		about string
		list  []T
	}{
		{"valid", []T{{Key: "a", Operator: "Exists"}}}, {"an empty operator", []T{{Key: "a"}}}, {"a value with Exists", []T{{Key: "a", Operator: "Exists", Value: "x"}}}, {"Gt", []T{{Key: "a", Operator: "Gt", Value: "5"}}}, {"a malformed key", []T{{Key: "a b", Operator: "Exists"}}},
		{"an empty key with Equal is let through", []T{{Operator: "Equal", Value: "x"}}}, {"seconds without an effect are let through", []T{{Key: "a", Operator: "Exists", TolerationSeconds: &seconds}}}, {"PreferNoSchedule", []T{{Key: "a", Operator: "Exists", Effect: "PreferNoSchedule"}}},
	} {
		l.add("D13", "validateRequest", c.about, canonical.Input{DeviceTolerations: c.list})
	}
	for _, c := range []struct {
		about string
		r     *canonical.Rule
	}{
		{"valid", rule("r", 1, selects("driver.example.com", "a/b", "x-1"), "a:NoExecute")}, {"no selector", rule("r", 1, nil, "a:NoExecute")}, {"a malformed driver", rule("r", 1, selects("-d"), "a:NoExecute")}, {"a driver in capitals", rule("r", 1, selects("Driver"), "a:NoExecute")},
		{"a malformed pool", rule("r", 1, selects("", "a//b"), "a:NoExecute")}, {"a device that is no label", rule("r", 1, selects("", "", "x.y"), "a:NoExecute")}, {"a long driver", rule("r", 1, selects(strings.Repeat("d", 64)), "a:NoExecute")},
	} {
		l.add("D13", "validateDeviceTaintRule", c.about, canonical.Input{Rule: c.r})
	}
}
