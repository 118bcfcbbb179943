package devices_test

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/devices"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// benchSlices is a slice of eight devices for each of 100,000 nodes, of which one in
// fifty has a taint of its own, of twenty kinds.
func benchSlices(visit func(name string, s *device.Slice) bool) { slicesFor(100_000, visit) }

func slicesFor(nodes int, visit func(name string, s *device.Slice) bool) {
	s := device.Slice{Driver: "gpu.example.com", Devices: make([]device.Device, 8)}
	for i := range nodes {
		s.Pool.Name = fmt.Sprint("node-", i)
		for j := range s.Devices {
			s.Devices[j] = device.Device{Name: fmt.Sprint("gpu-", j)}
			if n := i*8 + j; n%50 == 0 {
				s.Devices[j].Taints = []taint.Taint{{Key: fmt.Sprint("example.com/state-", n/50%20), Effect: taint.NoSchedule}}
			}
		}
		if !visit(s.Pool.Name, &s) {
			return
		}
	}
}

// benchRules is three hundred rules: for devices, for nodes, and one for each place of
// some devices.
func benchRules() map[string]*device.Rule {
	rules := map[string]*device.Rule{}
	add := func(s *device.Selector, effect taint.Effect) {
		name := fmt.Sprint("rule-", len(rules))
		rules[name] = &device.Rule{DeviceSelector: s, Taint: taint.Taint{Key: "example.com/" + name, Effect: effect}}
	}
	for i := range 150 {
		node := ptr(fmt.Sprint("node-", i*601))
		add(&device.Selector{Pool: node}, taint.NoSchedule)
		add(&device.Selector{Driver: ptr("gpu.example.com"), Pool: node, Device: ptr("gpu-3")}, taint.NoExecute)
	}
	return rules
}

func benchFleet() *devices.Fleet { return benchFleetOf(100_000) }

func benchFleetOf(nodes int) *devices.Fleet {
	f := new(devices.Fleet)
	f.Load(func(yield func(string, *device.Slice) bool) { slicesFor(nodes, yield) })
	for name, r := range benchRules() {
		f.SetRule(name, r)
	}
	return f
}

var benchRequest = []toleration.Toleration{
	{Key: "example.com/state-3", Operator: toleration.OpExists},
	{Key: "example.com/rule-10", Operator: toleration.OpExists, Effect: taint.NoSchedule},
}

// BenchmarkRequest asks which of the 800,000 devices a request may get, through the
// index and by asking package device about each.
func BenchmarkRequest(b *testing.B) {
	f := benchFleet()
	want := 0
	b.Run("index", func(b *testing.B) {
		s := f.Snapshot()
		var fit index.Fit
		for b.Loop() {
			s.FitList(&fit, benchRequest)
		}
		want = fit.Len()
	})
	b.Run("each", func(b *testing.B) {
		var lists [][]taint.Taint
		var rules []device.Rule
		for _, r := range benchRules() {
			rules = append(rules, *r)
		}
		benchSlices(func(_ string, s *device.Slice) bool {
			for _, d := range s.Devices {
				lists = append(lists, device.AppendEffective(nil, taint.Clone(d.Taints), rules, s.ID(d.Name)))
			}
			return true
		})
		got := 0
		for b.Loop() {
			got = 0
			for _, list := range lists {
				if _, forbidden := device.FirstUntolerated(list, benchRequest); !forbidden {
					got++
				}
			}
		}
		if want != 0 && got != want {
			b.Errorf("%d devices, the index has %d", got, want)
		}
	})
}

// BenchmarkRule sets and deletes a rule that selects one device, those of one node, and
// those of one place on every node, and previews the second.
func BenchmarkRule(b *testing.B) {
	f := benchFleet()
	for _, test := range []struct {
		name     string
		selector *device.Selector
	}{
		{"device", &device.Selector{Driver: ptr("gpu.example.com"), Pool: ptr("node-7"), Device: ptr("gpu-1")}},
		{"node", &device.Selector{Pool: ptr("node-7")}},
		{"place", &device.Selector{Device: ptr("gpu-1")}},
	} {
		r := &device.Rule{DeviceSelector: test.selector, Taint: taint.Taint{Key: "example.com/new", Effect: taint.NoExecute}}
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.ReportMetric(float64(f.SetRule("new", r)), "devices")
				f.DeleteRule("new")
			}
		})
	}
	b.Run("preview", func(b *testing.B) {
		r := &device.Rule{DeviceSelector: &device.Selector{Pool: ptr("node-7")}, Taint: taint.Taint{Key: "example.com/new", Effect: taint.NoExecute}}
		var fit index.Fit
		for b.Loop() {
			_, after, _ := f.Preview("new", r)
			after.FitList(&fit, nil)
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		f := new(devices.Fleet)
		f.Load(benchSlices)
	}
}
