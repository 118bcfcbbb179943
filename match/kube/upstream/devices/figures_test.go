package devices

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/dynamic-resource-allocation/resourceclaim"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/devices"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/kube/resource"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

var figures = flag.Bool("figures", false, "measure fleets of up to 100,000 nodes, in minutes, and print a table")

// figureSlice is the slice of a node: eight devices of one of ten drivers, of which one
// in fifty has a taint of its own, of twenty kinds.
func figureSlice(node int) *device.Slice {
	s := &device.Slice{Driver: fmt.Sprint("driver-", node%10, ".example.com"), Pool: device.Pool{Name: fmt.Sprint("node-", node)}}
	for j := range 8 {
		d := device.Device{Name: fmt.Sprint("gpu-", j)}
		if n := node*8 + j; n%50 == 0 {
			d.Taints = []taint.Taint{{Key: fmt.Sprint("example.com/state-", n/50%20), Effect: taint.NoSchedule}}
		}
		s.Devices = append(s.Devices, d)
	}
	return s
}

// figureRules is three hundred rules: 149 for nodes, 149 for devices of nodes, one for a
// driver, and one for a place on all nodes of another driver.
func figureRules(nodes int) (names []string, rules []device.Rule) {
	add := func(s *device.Selector, key string, effect taint.Effect) {
		names = append(names, fmt.Sprintf("rule-%03d", len(rules)))
		rules = append(rules, device.Rule{DeviceSelector: s, Taint: taint.Taint{Key: "example.com/" + key, Effect: effect}})
	}
	for i := range 149 {
		node := i * (nodes / 149)
		add(&device.Selector{Pool: new(fmt.Sprint("node-", node))}, fmt.Sprint("drain-", i%30), taint.NoSchedule)
		s := figureSlice(node + 1)
		add(&device.Selector{Driver: &s.Driver, Pool: &s.Pool.Name, Device: new("gpu-3")}, "broken", taint.NoExecute)
	}
	add(&device.Selector{Driver: new("driver-7.example.com")}, "old-driver", taint.NoSchedule)
	add(&device.Selector{Driver: new("driver-8.example.com"), Device: new("gpu-7")}, "slow", taint.NoSchedule)
	return names, rules
}

var figureRequest = []toleration.Toleration{
	{Key: "example.com/state-3", Operator: toleration.OpExists},
	{Key: "example.com/drain-5", Operator: toleration.OpExists, Effect: taint.NoSchedule},
	{Key: "example.com/slow", Operator: toleration.OpExists},
}

// figureFleet is a fleet in all the forms that are asked.
type figureFleet struct {
	nodes   int
	fleet   devices.Fleet
	slices  []*resourceapi.ResourceSlice // with the taints of the rules, as the scheduler has them
	request []resourceapi.DeviceToleration
	claim   *resourceapi.ResourceClaim
	classes *classes
}

func newFigureFleet(nodes int) *figureFleet {
	f := &figureFleet{
		nodes: nodes, request: resource.AppendV1Tolerations(nil, figureRequest), claim: claimFor(figureRequest, false, false),
		classes: &classes{resourceapi.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "any"}}},
	}
	names, rules := figureRules(nodes)
	var set device.RuleSet
	for i := range rules {
		set.Set(names[i], &rules[i])
		f.fleet.SetRule(names[i], &rules[i])
	}
	f.fleet.Load(func(yield func(string, *device.Slice) bool) {
		for i := range nodes {
			if s := figureSlice(i); !yield(s.Pool.Name, s) {
				return
			}
		}
	})
	for i := range nodes {
		s := figureSlice(i)
		for j := range s.Devices {
			d := &s.Devices[j]
			d.Taints = set.AppendEffective(nil, d.Taints, s.ID(d.Name))
		}
		slice := resourceSlice(s.Pool.Name, s)
		slice.Spec.AllNodes, slice.Spec.NodeName = nil, &slice.Name
		f.slices = append(f.slices, slice)
	}
	return f
}

func (f *figureFleet) allocate(t testing.TB, slices []*resourceapi.ResourceSlice) func(node string) bool {
	a := newAllocator(t, "stable", f.classes, slices, nil)
	claims := []*resourceapi.ResourceClaim{f.claim}
	return func(node string) bool {
		results, err := a.Allocate(context.Background(), &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: node}}, claims)
		return err == nil && len(results) == 1
	}
}

// allowed is what the allocator looks at, by upstream's own function.
func allowed(d *resourceapi.Device, tolerations []resourceapi.DeviceToleration) bool {
	for i := range d.Taints {
		x := &d.Taints[i]
		if x.Effect != resourceapi.DeviceTaintEffectNoExecute && x.Effect != resourceapi.DeviceTaintEffectNoSchedule {
			continue
		}
		tolerated := false
		for j := range tolerations {
			tolerated = tolerated || resourceclaim.ToleratesTaint(tolerations[j], *x)
		}
		if !tolerated {
			return false
		}
	}
	return true
}

// askEach has ToleratesTaint say which devices are left.
func (f *figureFleet) askEach(visit func(node, place int)) {
	for i, slice := range f.slices {
		for j := range slice.Spec.Devices {
			if allowed(&slice.Spec.Devices[j], f.request) {
				visit(i, j)
			}
		}
	}
}

// askAllocators has an allocator for each device alone say whether it is left: all that
// the allocator can be asked about one device, with nothing else to look at.
func (f *figureFleet) askAllocators(t testing.TB, visit func(node, place int)) {
	for i, whole := range f.slices {
		slice := *whole
		for j := range whole.Spec.Devices {
			slice.Spec.Devices = whole.Spec.Devices[j : j+1]
			if f.allocate(t, []*resourceapi.ResourceSlice{&slice})(slice.Name) {
				visit(i, j)
			}
		}
	}
}

// median runs work so many times and returns the middle of the times.
func median(rounds int, work func()) time.Duration {
	times := make([]time.Duration, rounds)
	for i := range times {
		start := time.Now()
		work()
		times[i] = time.Since(start)
	}
	slices.Sort(times)
	return times[rounds/2]
}

// TestFigures measures which devices a request may get, and what a new rule costs, in
// fleets of several sizes, with three hundred rules. It prints a table:
//
//	go test -run TestFigures -figures -v -timeout 0 ./devices
//
// Without -figures it asks a small fleet, and prints nothing. All who are asked about
// each device have to agree.
func TestFigures(t *testing.T) {
	sizes := []int{300}
	if *figures {
		sizes = []int{1_000, 10_000, 100_000}
		fmt.Println("| nodes | devices | left | index | and a walk over them | ToleratesTaint | allocator, of each device | allocator, of a node, with the fleet's slices | that for each node |" +
			" rule for a node | rule for a place |\n|---|---|---|---|---|---|---|---|---|---|---|")
	}
	for _, nodes := range sizes {
		f := newFigureFleet(nodes)
		row := f.compare(t)
		row += f.askScheduler(t)
		row += f.changeRules()
		if *figures {
			fmt.Println(row)
		}
	}
}

// compare asks all who can answer for each device.
func (f *figureFleet) compare(t *testing.T) (row string) {
	s := f.fleet.Snapshot()
	var fit index.Fit
	byIndex := median(15, func() {
		for range 1000 {
			s.FitList(&fit, figureRequest)
		}
	}) / 1000
	count := 0
	check := func(node, place int) {
		count++
		slice := f.slices[node]
		id, known := s.ID(devices.Name(device.ID{Driver: slice.Spec.Driver, Pool: slice.Spec.Pool.Name, Device: slice.Spec.Devices[place].Name}))
		if !known || !fit.Has(id) {
			t.Fatalf("device %d of node %d is not left", place, node)
		}
	}
	f.askEach(check)
	f.askAllocators(t, check)
	if count != 2*fit.Len() || fit.Len() == 0 || fit.Len() == f.nodes*8 {
		t.Errorf("%d nodes: the index leaves %d devices, ToleratesTaint and the allocators together %d", f.nodes, fit.Len(), count)
	}
	if !*figures {
		return ""
	}
	left := 0
	walked := median(15, func() {
		for range fit.Nodes() {
			left++
		}
	})
	byTaint := median(5, func() { f.askEach(func(int, int) { left++ }) })
	byAllocators := median(3, func() { f.askAllocators(t, func(int, int) { left++ }) })
	return fmt.Sprintf("| %d | %d | %d | %v | %v | %v | %v |", f.nodes, f.nodes*8, fit.Len(), byIndex, (byIndex + walked).Round(time.Microsecond), byTaint.Round(time.Microsecond), byAllocators.Round(time.Millisecond))
}

// askScheduler asks an allocator with all slices about nodes, as the scheduler does.
func (f *figureFleet) askScheduler(t *testing.T) string {
	allocate := f.allocate(t, f.slices)
	asked, node := min(f.nodes, 500), 0
	one := median(asked, func() {
		allocate(f.slices[node].Name)
		node += f.nodes / asked
	})
	return fmt.Sprintf(" %v | %v |", one.Round(time.Microsecond), (one * time.Duration(f.nodes)).Round(time.Millisecond))
}

// changeRules sets and deletes a rule for a node, and one for a place on every node.
func (f *figureFleet) changeRules() (row string) {
	for _, rule := range []struct {
		selector *device.Selector
		rounds   int
	}{{&device.Selector{Pool: new("node-7")}, 101}, {&device.Selector{Device: new("gpu-2")}, 3}} {
		r := &device.Rule{DeviceSelector: rule.selector, Taint: taint.Taint{Key: "example.com/new", Effect: taint.NoExecute}}
		row += fmt.Sprintf(" %v |", median(rule.rounds, func() {
			f.fleet.SetRule("new", r)
			f.fleet.DeleteRule("new")
		}).Round(100*time.Nanosecond))
	}
	return row
}
