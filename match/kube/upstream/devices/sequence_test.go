package devices

import (
	"regexp"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// act is an event, after a pause.
type act struct {
	pause       time.Duration
	kind, name  string
	slice       device.Slice
	rule        device.Rule
	allocations []device.Allocation
	list        []string // pods of a claim, or claims of a pod
	flag        bool
}

// Few words, so that they meet. Times are in seconds since the start until a bubble
// makes them moments.
var (
	actDrivers = rapid.SampledFrom([]string{"d", "d", "e"})
	actPools   = rapid.SampledFrom([]string{"p", "p", "q"})
	actDevices = rapid.SampledFrom([]string{"0", "1", "2"})
	actTaint   = rapid.Custom(func(t *rapid.T) taint.Taint {
		return taint.Taint{
			Key: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key"), Value: rapid.SampledFrom([]string{"", "", "x"}).Draw(t, "value"),
			Effect:    rapid.SampledFrom([]taint.Effect{taint.NoExecute, taint.NoExecute, taint.NoExecute, taint.NoSchedule, device.None, "Future"}).Draw(t, "effect"),
			TimeAdded: &taint.Time{Time: time.Unix(int64(rapid.IntRange(-2, 60).Draw(t, "added")*25), 0)},
		}
	})
	actToleration = rapid.Custom(func(t *rapid.T) toleration.Toleration {
		x := toleration.Toleration{
			Key:      rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "key"),
			Operator: rapid.SampledFrom([]toleration.Operator{toleration.OpExists, toleration.OpExists, toleration.OpEqual}).Draw(t, "operator"),
			Effect:   rapid.SampledFrom([]taint.Effect{taint.NoExecute, taint.NoExecute, taint.NoExecute, "", taint.NoSchedule}).Draw(t, "effect"),
		}
		if rapid.IntRange(0, 5).Draw(t, "limited") > 0 {
			x.TolerationSeconds = new(int64(rapid.IntRange(-1, 20).Draw(t, "seconds") * 25))
		}
		return x
	})
	actAllocations = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) device.Allocation {
		return device.Allocation{
			Request: "r", ID: device.ID{Driver: actDrivers.Draw(t, "driver"), Pool: actPools.Draw(t, "pool"), Device: actDevices.Draw(t, "device")},
			Tolerations: rapid.SliceOfN(actToleration, 0, 3).Draw(t, "tolerations"),
		}
	}), 1, 3)
	actPods   = rapid.SampledFrom([]string{"p1", "p2", "p3"})
	actClaims = rapid.SampledFrom([]string{"x", "y", "z"})
)

func drawAct(t *rapid.T) act {
	a := act{
		pause: time.Duration(rapid.SampledFrom([]int{0, 0, 0, 1, 25, 60, 90}).Draw(t, "pause")) * time.Second,
		kind: rapid.SampledFrom([]string{"slice", "slice", "slice", "rule", "rule", "rule", "claim", "claim", "pod", "pod", "pod", "pod", "pod",
			"delete slice", "delete rule", "delete claim", "delete pod"}).Draw(t, "kind"),
	}
	switch a.kind {
	case "slice", "delete slice":
		a.name = rapid.SampledFrom([]string{"u", "v", "w"}).Draw(t, "slice")
		a.slice = drawActSlice(t, a.name)
	case "rule", "delete rule":
		a.name = rapid.SampledFrom([]string{"r", "s"}).Draw(t, "rule")
		a.rule = drawActRule(t)
	case "claim", "delete claim":
		a.name, a.allocations = actClaims.Draw(t, "claim"), actAllocations.Draw(t, "allocations")
		a.list = rapid.OneOf(rapid.SliceOfNDistinct(actPods, 0, 3, rapid.ID), rapid.Just([]string{"p1", "p2", "p3"})).Draw(t, "reserved")
		a.flag = rapid.IntRange(0, 5).Draw(t, "deallocated") == 0
	case "pod", "delete pod":
		a.name, a.list = actPods.Draw(t, "pod"), rapid.SliceOfNDistinct(actClaims, 1, 3, rapid.ID).Draw(t, "claims")
		a.flag = rapid.IntRange(0, 4).Draw(t, "placed") > 0
	}
	return a
}

// drawActSlice keeps to what the API allows: a slice never changes its pool, and a
// device is in one slice of a generation.
func drawActSlice(t *rapid.T, name string) device.Slice {
	s := device.Slice{Driver: "d", Pool: device.Pool{Name: "p", Generation: rapid.Int64Range(0, 2).Draw(t, "generation")}}
	own := []string{"0", "1"}
	switch name {
	case "v":
		own = []string{"2"}
	case "w":
		s.Driver, s.Pool.Name = "e", "q"
		own = []string{"0", "1", "2"}
	}
	for _, device_ := range own {
		if rapid.IntRange(0, 4).Draw(t, "present") > 0 {
			s.Devices = append(s.Devices, device.Device{Name: device_, Taints: rapid.SliceOfN(actTaint, 0, 2).Draw(t, "taints")})
		}
	}
	return s
}

func drawActRule(t *rapid.T) device.Rule {
	r := device.Rule{Taint: actTaint.Draw(t, "taint")}
	part := func(names *rapid.Generator[string]) *string {
		if rapid.Bool().Draw(t, "any") {
			return nil
		}
		return new(names.Draw(t, "name"))
	}
	if rapid.IntRange(0, 7).Draw(t, "selector") > 0 {
		r.DeviceSelector = &device.Selector{Driver: part(actDrivers), Pool: part(actPools), Device: part(actDevices)}
	}
	return r
}

// moments turns the times of taints, which are drawn outside of the bubble, into
// those after its start.
func (b *both) moments(taints []taint.Taint) []taint.Taint {
	taints = taint.Clone(taints)
	for i := range taints {
		taints[i].TimeAdded.Time = b.at(float64(taints[i].TimeAdded.Unix()))
	}
	return taints
}

// script plays acts. held is the allocations of claims, which never change while a
// claim has them, and claims those of pods.
func (b *both) play(acts []act) {
	held, claims := map[string][]device.Allocation{}, map[string][]string{}
	for _, a := range acts {
		b.sleep(a.pause)
		switch a.kind {
		case "slice":
			s := a.slice
			s.Devices = append([]device.Device(nil), s.Devices...)
			for i := range s.Devices {
				s.Devices[i].Taints = b.moments(s.Devices[i].Taints)
			}
			b.setSlice(a.name, s)
		case "rule":
			a.rule.Taint = b.moments([]taint.Taint{a.rule.Taint})[0]
			b.setRule(a.name, a.rule)
		case "claim":
			if a.flag {
				delete(held, a.name)
			} else if held[a.name] == nil {
				held[a.name] = a.allocations
			}
			b.setClaim(a.name, held[a.name], a.list)
		case "pod":
			uid, exists := b.pods[a.name]
			if !exists {
				claims[a.name] = a.list
			}
			_, placed := b.placed[uid]
			b.setPod(a.name, a.flag || placed && exists, claims[a.name])
		case "delete slice":
			b.deleteSlice(a.name)
		case "delete rule":
			b.deleteRule(a.name)
		case "delete claim":
			delete(held, a.name)
			b.deleteClaim(a.name)
		case "delete pod":
			b.deletePod(a.name)
		}
	}
}

// drawPopulated draws claims that hold devices, and a pod for each.
func drawPopulated(t *rapid.T) (acts []act) {
	everybody := []string{"p1", "p2", "p3"}
	for i, claim := range []string{"x", "y", "z"} {
		acts = append(acts,
			act{kind: "claim", name: claim, allocations: actAllocations.Draw(t, "allocations"), list: everybody},
			act{kind: "pod", name: everybody[i], flag: true, list: rapid.SliceOfNDistinct(actClaims, 1, 3, rapid.ID).Draw(t, "claims")})
	}
	return acts
}

// TestSequences tells both any events, and compares the evictions by pod and moment,
// and the conditions of rules that change.
func TestSequences(t *testing.T) {
	sequences, events, evictions, decisions, conditions := 0, 0, 0, 0, 0
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		acts := rapid.SliceOfN(rapid.Custom(drawAct), 10, 60).Draw(t, "acts")
		populated := drawPopulated(t)
		b := runBoth(outer, func(b *both) {
			b.play(append(populated, acts...))
		})
		b.dropPositions()
		b.compare(t)
		sequences, events, evictions, decisions, conditions = sequences+1, events+len(acts), evictions+len(b.theirs), decisions+b.told, conditions+b.compared
	})
	t.Logf("%d sequences, %d events: %d evictions, %d decisions, %d conditions compared", sequences, events, evictions, decisions, conditions)
}

var position = regexp.MustCompile(` taint #\d+`)

// dropPositions drops the positions of taints from the reasons. The controller's may be
// old: see TestD8PositionDifference.
func (b *both) dropPositions() {
	for _, reasons := range []map[types.UID]string{b.causes, b.reasons} {
		for pod, text := range reasons {
			reasons[pod] = position.ReplaceAllString(text, "")
		}
	}
}
