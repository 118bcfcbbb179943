package matrix

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/devices"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/device/evict"
	"github.com/tolero-dev/tolero/toleration"
)

// maxDeviceLines is how many toleration lists, pods or rules the section on devices
// shows at most, each.
const maxDeviceLines = 20

// maxPreviewLines is how many pods it shows at most that one rule would evict.
const maxPreviewLines = 5

// maxDeviceNames is how many devices, claims or taints a line names at most.
const maxDeviceNames = 3

// deviceReport is what the taints of devices mean.
type deviceReport struct {
	now      time.Time
	devices  int
	rules    int
	requests int
	classes  []deviceClass // the largest first; those that are shown
	lists    int           // how many there are
	evicted  []deviceEviction
	previews []devicePreview
}

// deviceClass is the requests that have the same tolerations, in the same order.
type deviceClass struct {
	text        string
	tolerations []toleration.Toleration
	requests    []string // claim and request
	left        int
	names       []string // of devices that are left, the first ones
	reasons     []index.Reason
}

// deviceEviction is a pod that is evicted, and why.
type deviceEviction struct {
	pod    string
	due    time.Time
	causes []evict.Cause
}

// devicePreview is what a rule with the effect None would do with NoExecute.
type devicePreview struct {
	name    string
	impact  evict.Impact
	evicted []deviceEviction
}

// newDeviceReport answers for the devices, claims and rules of the input, and the pods
// that use them, at the time of now.
func newDeviceReport(d *deviceDump, now time.Time) *deviceReport {
	r := &deviceReport{now: now, rules: len(d.rules)}
	r.askFleet(d)
	r.askQueue(d)
	return r
}

// askFleet finds out which devices requests may get.
func (r *deviceReport) askFleet(d *deviceDump) {
	var fleet devices.Fleet
	fleet.Load(d.all)
	for i := range d.rules {
		fleet.SetRule(d.rules[i].name, &d.rules[i].spec)
	}
	s := fleet.Snapshot()
	r.devices = s.Len()
	r.classes = d.group()
	for i := range r.classes {
		r.requests += len(r.classes[i].requests)
	}
	r.lists = len(r.classes)
	r.classes = r.classes[:min(r.lists, maxDeviceLines)]
	names := d.names()
	var fit index.Fit
	for i := range r.classes {
		c := &r.classes[i]
		s.FitList(&fit, c.tolerations)
		c.left = fit.Len()
		c.reasons = fit.AppendReasons(nil, -1)
		for _, name := range names {
			if len(c.names) == min(c.left, maxDeviceNames) {
				break
			}
			if id, known := s.ID(name); known && fit.Has(id) {
				c.names = append(c.names, name)
			}
		}
	}
}

// all iterates over the slices by name.
func (d *deviceDump) all(yield func(string, *device.Slice) bool) {
	for i := range d.slices {
		if !yield(d.slices[i].name, &d.slices[i].spec) {
			return
		}
	}
}

// names returns the names of the devices of all slices, in order.
func (d *deviceDump) names() (names []string) {
	for i := range d.slices {
		s := &d.slices[i].spec
		for j := range s.Devices {
			names = append(names, devices.Name(s.ID(s.Devices[j].Name)))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// group returns the requests by their tolerations, the largest group first.
func (d *deviceDump) group() (classes []deviceClass) {
	at := make(map[string]int)
	for i := range d.claims {
		c := &d.claims[i]
		for _, request := range c.requests {
			text := strings.Join(tolerationWords(request.tolerations), ",")
			j, known := at[text]
			if !known {
				j = len(classes)
				at[text] = j
				classes = append(classes, deviceClass{text: text, tolerations: request.tolerations})
			}
			classes[j].requests = append(classes[j].requests, c.name+" "+request.name)
		}
	}
	slices.SortFunc(classes, func(a, b deviceClass) int {
		return cmp.Or(cmp.Compare(len(b.requests), len(a.requests)), strings.Compare(a.text, b.text))
	})
	return classes
}

// tolerationWords returns the tolerations one by one.
func tolerationWords(tolerations []toleration.Toleration) (words []string) {
	for i := range tolerations {
		words = append(words, tolerations[i].String())
	}
	return words
}

// askQueue finds out which pods are evicted, and which ones would be. All evictions
// that are due are decided in the first moment.
func (r *deviceReport) askQueue(d *deviceDump) {
	var queue evict.Queue[string] // of pods by their UIDs
	var decided []evict.Decision[string]
	for i := range d.rules {
		decided = queue.SetRule(decided, r.now, d.rules[i].name, &d.rules[i].spec)
	}
	for name, s := range d.all {
		decided = queue.SetSlice(decided, r.now, name, s)
	}
	for i := range d.claims {
		c := &d.claims[i]
		decided = queue.SetClaim(decided, r.now, c.name, c.allocations, c.reservedFor)
	}
	names := make(map[string]string, len(d.pods))
	for i := range d.pods {
		p := &d.pods[i]
		names[p.uid] = p.name
		decided = queue.SetPod(decided, r.now, p.uid, p.placed, p.claims)
	}
	decided = slices.DeleteFunc(decided, func(d evict.Decision[string]) bool { return d.Kind != evict.Evict })
	r.evicted = evictionsOf(slices.AppendSeq(decided, queue.Scheduled()), names)
	for i := range d.rules {
		rule := &d.rules[i]
		if rule.spec.Taint.Effect == device.None {
			decisions, impact := queue.Preview(nil, rule.name, &rule.spec, r.now)
			r.previews = append(r.previews, devicePreview{rule.name, impact, evictionsOf(decisions, names)})
		}
	}
}

// evictionsOf returns the decisions in the order of their moments.
func evictionsOf(decisions []evict.Decision[string], names map[string]string) (list []deviceEviction) {
	for _, d := range decisions {
		list = append(list, deviceEviction{names[d.Pod], d.Due, d.Causes})
	}
	slices.SortFunc(list, func(a, b deviceEviction) int {
		return cmp.Or(a.due.Compare(b.due), strings.Compare(a.pod, b.pod))
	})
	return list
}
